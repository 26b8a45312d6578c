package alerter_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/alerter"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/mail"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
	"foyer/test/smtp"
)

// service is an alerter on a real store, with a clock of its own.
type service struct {
	*alerter.Alerter
	t     *testing.T
	store *store.Store
	now   time.Time
	mu    sync.Mutex
	sent  []string // the way and the message
	fails error
}

func onEachEngine(t *testing.T, do func(t *testing.T, s *service)) {
	engines := map[string]func(t *testing.T) string{"SQLite": storetest.Database, "PostgreSQL": storetest.PostgreSQL}
	storetest.OnEachEngine(t, engines, func(t *testing.T, newDatabase func(t *testing.T) string) { do(t, newService(t, newDatabase(t))) })
}

func newService(t *testing.T, database string) *service {
	s := &service{t: t, store: storetest.Open(t, database), now: storetest.Noon}
	ids := 0
	s.Alerter = &alerter.Alerter{Store: s.store, NewID: func(p string) string { ids++; return fmt.Sprint(p, t.Name(), ids) }, Now: func() time.Time { return s.now }, Log: slog.New(slog.DiscardHandler)}
	s.Send = func(_ context.Context, w alert.Way, _ string, m alert.Message) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.fails != nil {
			return s.fails
		}
		s.sent = append(s.sent, fmt.Sprint(w.ID, " ", m.Kind, " ", m.Title))
		return nil
	}
	return s
}

func (s *service) update(do func(tx *store.Tx) error) {
	s.t.Helper()
	if err := s.store.Update(s.t.Context(), do); err != nil {
		s.t.Fatal(err)
	}
}

// minute looks and sends once, a minute later.
func (s *service) minute() {
	s.t.Helper()
	s.now = s.now.Add(time.Minute)
	if err := errors.Join(s.Look(s.t.Context(), s.store.Update), s.Deliver(s.t.Context(), s.store.Update)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *service) addWay(id string, kind alert.WayKind) {
	s.update(func(tx *store.Tx) error {
		return tx.Alerts().AddWay(alert.Way{ID: id, Kind: kind, Address: id + "@example.com", CreatedAt: s.now, CreatedBy: "cli:ada"})
	})
}

// aBuyer has a buyer whose health a test decides.
func (s *service) aBuyer(name string, h buyer.Health) {
	s.update(func(tx *store.Tx) error {
		return errors.Join(tx.PutBuyer(s.acme(name, buyer.Active)), tx.PutHealth("buyer_1", h))
	})
}

func (s *service) acme(name string, state buyer.State) buyer.Buyer {
	return buyer.Buyer{ID: "buyer_1", Terms: buyer.Terms{Name: name, URL: "https://acme.example.com", Services: []lead.Service{lead.HVAC}}, Secrets: []string{"whsec_x"}, State: state, CreatedAt: s.now, UpdatedAt: s.now}
}

// change saves a buyer together with the entry of the audit trail that says why.
func (s *service) change(state buyer.State, e audit.Entry) {
	e.Subject = "buyer_1"
	s.update(func(tx *store.Tx) error { return errors.Join(tx.PutBuyer(s.acme("Acme", state)), tx.AddAudit(e)) })
}

func (s *service) wantSent(want ...string) {
	s.t.Helper()
	if got := strings.Join(s.sent, "\n"); got != strings.Join(want, "\n") {
		s.t.Errorf("sent:\n%s\nwant:\n%s", got, strings.Join(want, "\n"))
	}
}

// TestFromFactsToMessages follows a buyer that fails, and answers again.
func TestFromFactsToMessages(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		s.addWay("way_2", alert.Slack)
		s.aBuyer("Acme", buyer.Health{Failures: 5, Opened: 1, OpenUntil: s.now.Add(time.Hour)})
		for range 10 {
			s.minute()
		}
		s.wantSent("way_1 fired Acme does not answer", "way_2 fired Acme does not answer")
		s.aBuyer("Acme", buyer.Health{})
		for range 4 {
			s.minute()
		}
		s.wantSent("way_1 fired Acme does not answer", "way_2 fired Acme does not answer", "way_1 recovered Acme answers again", "way_2 recovered Acme answers again")
	})
}

// TestLastWord lets the network go down and come back, so that a message is tried again only after a newer one was sent.
func TestLastWord(t *testing.T) {
	t.Parallel()
	down := func(s *service) {
		s.aBuyer("Acme", buyer.Health{Failures: 5, Opened: 1, OpenUntil: s.now.Add(time.Hour)})
	}
	answers := func(s *service) { s.aBuyer("Acme", buyer.Health{}) }
	offline := func(s *service) { s.fails = errors.New("the mail server did not answer within 20s") }
	online := func(s *service) { s.fails = nil }
	for name, c := range map[string]struct {
		at   map[int][]func(*service) // minutes
		want []string
	}{
		"it is over before anybody heard of it": {
			map[int][]func(*service){0: {down, offline}, 14: {answers, online}},
			[]string{"way_1 recovered Acme answers again"},
		},
		"it fires again before anybody heard that it was over": {
			map[int][]func(*service){0: {down}, 10: {answers, offline}, 30: {down}, 60: {online}},
			[]string{"way_1 fired Acme does not answer", "way_1 fired Acme does not answer"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEachEngine(t, func(t *testing.T, s *service) {
				s.addWay("way_1", alert.Mail)
				for minute := range 100 {
					for _, do := range c.at[minute] {
						do(s)
					}
					s.minute()
				}
				s.wantSent(c.want...)
			})
		})
	}
}

// TestPausedAndEdited changes a paused buyer often: who paused it, and when, is not forgotten.
func TestPausedAndEdited(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		by   audit.Actor
		ago  time.Duration
		want string
	}{
		"by the service":  {audit.System, 0, "way_1 fired Acme was paused by the service"},
		"by the operator": {audit.CLI("ada"), 25 * time.Hour, "way_1 fired Acme is still paused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onEachEngine(t, func(t *testing.T, s *service) {
				s.addWay("way_1", alert.Mail)
				s.change(buyer.Paused, audit.Entry{At: s.now.Add(-c.ago), Actor: c.by, Action: audit.BuyerPause})
				s.minute()
				for range 20 {
					s.change(buyer.Paused, audit.Entry{At: s.now, Actor: audit.CLI("ada"), Action: audit.BuyerEdit})
				}
				for range 5 {
					s.minute()
				}
				s.wantSent(c.want)
				s.change(buyer.Active, audit.Entry{At: s.now, Actor: audit.CLI("ada"), Action: audit.BuyerResume})
				for range 5 {
					s.minute()
				}
				s.wantSent(c.want, "way_1 recovered Acme is active again")
			})
		})
	}
}

// TestErasedSale erases the person of the last sale: what was sold before the offers that nobody wanted stays sold.
func TestErasedSale(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		s.aBuyer("Acme", buyer.Health{})
		offer := func(i int, age time.Duration, state buyer.OfferState) {
			o := buyer.Offer{ID: fmt.Sprint("offer_", i), Lead: int64(i), Buyer: "buyer_1", At: s.now.Add(-age), State: buyer.OfferOpen}
			s.update(func(tx *store.Tx) error { return tx.AddOffer(o) })
			o.State = state
			s.update(func(tx *store.Tx) error { return tx.PutOffer(o, buyer.OfferOpen) })
		}
		for i := range 6 {
			offer(i+1, 10*time.Hour, buyer.OfferDeclined)
		}
		offer(7, 2*time.Hour, buyer.OfferAccepted) // and its sale is erased
		s.minute()
		s.wantSent()
		for i := range 5 {
			offer(i+10, time.Hour, buyer.OfferDeclined)
		}
		s.now = s.now.Add(5 * time.Hour)
		s.minute()
		s.wantSent("way_1 fired no lead was sold for 5 hours")
	})
}

// TestRequestsUnderALegalHold reminds of a privacy request that a legal hold keeps open until the person has to be told, and not for years.
func TestRequestsUnderALegalHold(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		storetest.Save(t, s.store, storetest.Lead("lead_1"))
		request := lead.PrivacyRequest{ID: "wish_1", At: s.now, Kind: lead.EraseAll, Phone: storetest.Lead("").Request.Contact.Phone, State: lead.PrivacyOpen}
		s.update(func(tx *store.Tx) error {
			return errors.Join(tx.PrivacyRequests().Add(request), storetest.AddLegalHold(tx, "legal_hold_1", "lead_1", s.now))
		})
		s.now = s.now.AddDate(0, 0, 43)
		s.minute()
		told := []string{"way_1 fired 1 privacy request is open", "way_1 fired a privacy request is due in 47 hours"}
		s.wantSent(told...)
		s.now = request.DueAt().Add(time.Hour)
		s.minute()
		s.now = s.now.Add(3 * time.Minute)
		s.minute()
		told = append(told, "way_1 recovered no privacy request is due soon", "way_1 recovered no privacy request waits for long any more")
		s.wantSent(told...)
		s.now = s.now.AddDate(1, 0, 0)
		s.minute()
		s.wantSent(told...)
	})
}

// TestProcessesOfOneMachine wants a machine to be as ill as the worst of its processes, whichever reported last.
func TestProcessesOfOneMachine(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		for _, f := range []store.AlertFact{
			{Name: store.FactIntakeErrors, Subject: "web1 proc_a", Value: 7},
			{Name: store.FactIntakeErrors, Subject: "web1 proc_b"},
			{Name: store.FactIntakeErrors, Subject: "web1 proc_0"},
			{Name: store.FactDiskFree, Subject: "web1 proc_a", Value: 4},
			{Name: store.FactDiskFree, Subject: "web1 proc_b", Value: 90},
			{Name: store.FactDiskFree, Subject: "web1 proc_0", Value: 80},
		} {
			f.At = s.now
			s.update(func(tx *store.Tx) error { return tx.Alerts().PutFact(f) })
		}
		s.minute()
		s.wantSent("way_1 fired requests fail on web1", "way_1 fired the disk of web1 is nearly full")
	})
}

// TestFailingWay wants what cannot be sent tried again for a day, given up visibly, and the other way undisturbed.
func TestFailingWay(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		s.update(func(tx *store.Tx) error {
			return tx.Alerts().PutFact(store.AlertFact{Name: store.FactBackup, At: s.now.Add(-72 * time.Hour)})
		})
		s.fails = errors.New("the mail server answered 451 later")
		s.minute()
		list := s.messages()
		if len(list) != 1 || list[0].Attempts != 1 || list[0].NextAt.IsZero() || list[0].Failure != s.fails.Error() {
			t.Fatalf("after a failure: %+v", list)
		}
		s.update(func(tx *store.Tx) error {
			return tx.Alerts().PutSetting(alert.BackupOld, alert.Setting{Threshold: 1, Cooldown: time.Hour})
		}) // no reminders
		for range 24 * 60 {
			s.now = s.now.Add(time.Minute)
			if due, err := s.Due(t.Context()); err != nil {
				t.Fatal(err)
			} else if due {
				if err := s.Deliver(t.Context(), s.store.Update); err != nil {
					t.Fatal(err)
				}
			}
		}
		if list := s.messages(); len(list) != 1 || !list[0].GivenUp() || list[0].Attempts < 20 || list[0].Failure == "" {
			t.Errorf("after a day: %+v", list)
		}
		s.wantSent()
	})
}

func (s *service) messages() (list []store.AlertMessage) {
	s.update(func(tx *store.Tx) (err error) { list, err = tx.Alerts().Newest(10); return err })
	return list
}

// TestStopWhileSending wants a message that a stop cut off to be sent by the next process at once, even when it would be given up.
func TestStopWhileSending(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		s.update(func(tx *store.Tx) error {
			return tx.Alerts().AddMessage(store.AlertMessage{ID: "alert_1", Way: "way_1", NextAt: s.now, Message: alert.Message{Kind: alert.Fired, Title: "it is down", At: s.now.Add(-24 * time.Hour)}})
		})
		ctx, stop := context.WithCancel(t.Context())
		send := s.Send
		s.Send = func(ctx context.Context, _ alert.Way, _ string, _ alert.Message) error {
			stop()
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(storetest.EventuallyTimeout):
				return errors.New("the stop does not end it")
			}
		}
		if err := s.Deliver(ctx, s.store.Update); err != nil {
			t.Fatal(err)
		}
		if list := s.messages(); len(list) != 1 || !list[0].NextAt.Equal(s.now) || list[0].Attempts != 1 || list[0].Failure != context.Canceled.Error() {
			t.Errorf("after the stop: %+v", list)
		}
		s.Send = send
		if err := s.Deliver(t.Context(), s.store.Update); err != nil {
			t.Fatal(err)
		}
		s.wantSent("way_1 fired it is down")
	})
}

// TestTwoProcessesSendOnce lets two processes send the same messages at the same time.
func TestTwoProcessesSendOnce(t *testing.T) {
	t.Parallel()
	onEachEngine(t, func(t *testing.T, s *service) {
		s.addWay("way_1", alert.Mail)
		for i := range 20 {
			s.update(func(tx *store.Tx) error {
				return tx.Alerts().AddMessage(store.AlertMessage{ID: fmt.Sprint("alert_", i), Way: "way_1", NextAt: s.now, Message: alert.Message{Kind: alert.Fired, Title: fmt.Sprint(i), At: s.now}})
			})
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				if err := s.Deliver(t.Context(), s.store.Update); err != nil {
					t.Error(err)
				}
			})
		}
		both.Wait()
		if len(s.sent) != 20 {
			t.Errorf("%d messages were sent, want 20:\n%s", len(s.sent), strings.Join(s.sent, "\n"))
		}
	})
}

// TestNothingPersonalIsSent sends an alert about hostile names by all ways: no header, no link, no mention can be made of a name.
func TestNothingPersonalIsSent(t *testing.T) {
	t.Parallel()
	server, received := smtp.Start(t), []webhook.Message{}
	address, err := mail.ParseServer("smtp://" + server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	sender := alerter.Sender{
		Brand: "Foyer", Console: "https://foyer.example.com/console", Now: func() time.Time { return storetest.Noon }, Mail: mail.Sender{Server: address, From: "foyer@example.com"}.Send,
		Post: func(_ context.Context, m webhook.Message) webhook.Outcome {
			received = append(received, m)
			return webhook.Outcome{Status: 200}
		},
	}
	s := newService(t, storetest.Database(t))
	s.Send = sender.Send
	for id, kind := range map[string]alert.WayKind{"way_1": alert.Mail, "way_2": alert.Slack, "way_3": alert.Event} {
		s.addWay(id, kind)
	}
	s.aBuyer("Acme\r\nBcc: all@example.com\u202e <!here> <https://evil.example|ok>", buyer.Health{Failures: 5, Opened: 1, OpenUntil: s.now.Add(time.Hour)})
	failed := storetest.FullLead("lead_1")
	failed.Status = lead.Errored
	storetest.Save(t, s.store, failed)
	for range 8 {
		s.minute()
	}
	all := strings.Join(server.Mails(), "\n")
	for _, m := range received {
		all += string(m.Body)
		if !json.Valid(m.Body) {
			t.Errorf("not JSON: %s", m.Body)
		}
	}
	if len(server.Mails()) != 2 || len(received) != 4 {
		t.Fatalf("%d mails and %d webhooks:\n%s", len(server.Mails()), len(received), all)
	}
	for _, bad := range []string{"\nBcc:", "\u202e", `"text":"Foyer: Acme <!here>`, "Pat", "555", "lead_1"} {
		if strings.Contains(all, bad) {
			t.Errorf("a message holds %q:\n%s", bad, all)
		}
	}
	for _, want := range []string{"Subject: Foyer: 1 lead in error\n", `"type":"alert.fired"`, `"url":"https://foyer.example.com/console/buyers/buyer_1"`, "https://foyer.example.com/console/leads?status=error", "&lt;!here&gt;"} {
		if !strings.Contains(all, want) {
			t.Errorf("no message holds %q:\n%s", want, all)
		}
	}
}
