package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/alert"
	"foyer/internal/buyer"
	"foyer/internal/store"
)

// AddAlert adds a rule that was changed, a way, something that fires, and a message about it that is due.
func AddAlert(tx *store.Tx, at time.Time) error {
	s := alertState(at)
	return errors.Join(
		tx.Alerts().PutSetting(alert.BuyerDown, alert.Setting{On: true, Threshold: 7, Cooldown: 2 * time.Hour}),
		tx.Alerts().AddWay(alert.Way{ID: "way_1", Kind: alert.Event, Address: "https://hooks.example.com/alerts", Secret: "whsec_1", CreatedAt: at, CreatedBy: "cli:ada"}),
		tx.Alerts().PutStates(nil, []alert.State{s}),
		tx.Alerts().AddMessage(alertMessage("alert_1", at)),
	)
}

func alertState(at time.Time) alert.State {
	return alert.State{Rule: alert.BuyerDown, Subject: "buyer_1", Name: "Cool Air", Title: "Cool Air does not answer", Text: "Really.", Path: "/buyers/buyer_1", Since: at, Told: true, SentAt: at}
}

func alertMessage(id string, at time.Time) store.AlertMessage {
	s := alertState(at)
	return store.AlertMessage{ID: id, Way: "way_1", NextAt: at, Message: alert.Message{Kind: alert.Fired, Rule: s.Rule, Subject: s.Subject, Title: s.Title, Text: s.Text, Path: s.Path, Since: at, At: at}}
}

func (c Contract) alerts(t *testing.T) {
	t.Run("rules and ways", c.alertSettings)
	t.Run("states", c.alertStates)
	t.Run("messages", c.alertMessages)
	t.Run("messages that a newer one contradicts", c.alertsWithdrawn)
	t.Run("facts", c.alertFacts)
}

func (c Contract) alertSettings(t *testing.T) {
	s := c.store(t)
	update(t, s, func(tx *store.Tx) error { return AddAlert(tx, Noon) })
	update(t, s, func(tx *store.Tx) error {
		return tx.Alerts().PutSetting(alert.BuyerDown, alert.Setting{Threshold: 9, Cooldown: time.Hour})
	})
	update(t, s, func(tx *store.Tx) error {
		settings, err := tx.Alerts().Settings()
		if diff := cmp.Diff(alert.Settings{alert.BuyerDown: {Threshold: 9, Cooldown: time.Hour}}, settings); err != nil || diff != "" {
			t.Errorf("%v: the rules (-want +got):\n%s", err, diff)
		}
		w, found, err := tx.Alerts().FindWay("way_1")
		list, listErr := tx.Alerts().Ways()
		if errors.Join(err, listErr) != nil || !found || w.Secret != "whsec_1" || len(list) != 1 || list[0] != w {
			t.Errorf("the way is %+v of %+v (%v, %v)", w, list, err, listErr)
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error { return tx.Alerts().RemoveWay("way_1") })
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Alerts().Newest(10)
		if err != nil || len(list) != 1 || !list[0].GivenUp() || list[0].Failure == "" {
			t.Errorf("after its way was removed, a message is %+v (%v)", list, err)
		}
		if _, found, err := tx.Alerts().FindWay("way_1"); found || err != nil {
			t.Errorf("the way is still there (%v)", err)
		}
		return nil
	})
}

func (c Contract) alertStates(t *testing.T) {
	s := c.store(t)
	first, second := alertState(Noon), alertState(Noon.Add(time.Minute))
	second.Subject, second.Told, second.Cleared = "buyer_2", false, Noon.Add(time.Hour)
	update(t, s, func(tx *store.Tx) error { return tx.Alerts().PutStates(nil, []alert.State{first, second}) })
	changed := first
	changed.Title = "another"
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Alerts().States()
		if diff := cmp.Diff([]alert.State{first, second}, list); err != nil || diff != "" {
			t.Errorf("%v: (-want +got):\n%s", err, diff)
		}
		return tx.Alerts().PutStates(list, []alert.State{changed})
	})
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Alerts().States()
		if err != nil || len(list) != 1 || list[0] != changed {
			t.Errorf("after a change: %+v (%v)", list, err)
		}
		return nil
	})
}

func (c Contract) alertMessages(t *testing.T) {
	s := c.store(t)
	m := alertMessage("alert_1", Noon)
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Alerts().AddMessage(m), tx.Alerts().AddMessage(alertMessage("alert_2", Noon.Add(time.Hour))))
	})
	update(t, s, func(tx *store.Tx) error {
		due, err := tx.Alerts().Due(Noon, 10)
		if diff := cmp.Diff([]store.AlertMessage{m}, due); err != nil || diff != "" {
			t.Errorf("%v: due (-want +got):\n%s", err, diff)
		}
		for i, want := range []bool{true, false} { // the second one read it before the first had claimed it
			if claimed, err := tx.Alerts().Claim(m, Noon.Add(time.Minute)); claimed != want || err != nil {
				t.Errorf("claim %d: %v (%v)", i, claimed, err)
			}
		}
		return nil
	})
	update(t, s, func(tx *store.Tx) error {
		if due, err := tx.Alerts().Due(Noon, 10); len(due) != 0 || err != nil {
			t.Errorf("it is claimed, and due: %+v (%v)", due, err)
		}
		m.NextAt, m.SentAt, m.Attempts = time.Time{}, Noon.Add(time.Second), 1
		return tx.Alerts().Settle(m)
	})
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.Alerts().Newest(10)
		if err != nil || len(list) != 2 || list[1] != m || m.GivenUp() {
			t.Errorf("sent: %+v (%v)", list, err)
		}
		return nil
	})
}

// alertsWithdrawn says that something is over while messages about it wait, are being sent by another process, or are sent.
func (c Contract) alertsWithdrawn(t *testing.T) {
	s := c.store(t)
	message := func(id string, kind alert.Kind, subject string) store.AlertMessage {
		m := alertMessage(id, Noon)
		m.Kind, m.Subject = kind, subject
		return m
	}
	list := []store.AlertMessage{
		message("waits", alert.Fired, "buyer_1"), message("fails", alert.Reminder, "buyer_1"), message("arrives", alert.Fired, "buyer_1"),
		message("same", alert.Recovered, "buyer_1"), message("other", alert.Fired, "buyer_2"), message("sent", alert.Fired, "buyer_1"),
	}
	settle := func(tx *store.Tx, m store.AlertMessage, next, sent time.Time) error {
		m.NextAt, m.SentAt, m.Failure = next, sent, ""
		return tx.Alerts().Settle(m)
	}
	later := Noon.Add(time.Minute)
	update(t, s, func(tx *store.Tx) (err error) {
		for i, m := range list {
			err = errors.Join(err, tx.Alerts().AddMessage(m))
			if i == 1 || i == 2 {
				_, claimErr := tx.Alerts().Claim(m, later)
				err = errors.Join(err, claimErr)
			}
		}
		return errors.Join(err, settle(tx, list[5], time.Time{}, Noon))
	})
	update(t, s, func(tx *store.Tx) error {
		return tx.Alerts().Withdraw(message("", alert.Recovered, "buyer_1").Message)
	})
	update(t, s, func(tx *store.Tx) error {
		if claimed, err := tx.Alerts().Claim(list[0], later); claimed || err != nil {
			t.Errorf("what was read as due before is claimed: %v (%v)", claimed, err)
		}
		return errors.Join(settle(tx, list[1], later, time.Time{}), settle(tx, list[2], time.Time{}, later))
	})
	update(t, s, func(tx *store.Tx) error {
		got, err := tx.Alerts().Newest(10)
		is := make(map[string]string)
		for _, m := range got {
			switch {
			case m.GivenUp():
				is[m.ID] = "given up"
			case m.SentAt.IsZero():
				is[m.ID] = "waiting"
			default:
				is[m.ID] = "sent"
			}
		}
		want := map[string]string{"waits": "given up", "fails": "given up", "arrives": "sent", "same": "waiting", "other": "waiting", "sent": "sent"}
		if diff := cmp.Diff(want, is); err != nil || diff != "" {
			t.Errorf("%v: (-want +got):\n%s", err, diff)
		}
		return nil
	})
}

func (c Contract) alertFacts(t *testing.T) {
	s := c.store(t)
	put := func(name string, at time.Time, value int64) {
		update(t, s, func(tx *store.Tx) error {
			return tx.Alerts().PutFact(store.AlertFact{Name: name, Subject: "one", At: at, Value: value})
		})
	}
	put(store.FactDiskFree, Noon, 40)
	put(store.FactDiskFree, Noon.Add(time.Minute), 39)
	put(store.FactBackup, Noon, 0)
	update(t, s, func(tx *store.Tx) error { return tx.Alerts().ForgetFacts(Noon.Add(time.Hour)) })
	update(t, s, func(tx *store.Tx) error {
		facts, err := tx.Alerts().Facts()
		if err != nil || len(facts) != 1 || facts[0].Name != store.FactBackup {
			t.Errorf("what is left: %+v (%v)", facts, err)
		}
		return errors.Join(tx.RecordSale("p1", "buyer_1", Noon), tx.RecordSale("p2", "practice", Noon.Add(time.Hour)))
	})
	update(t, s, func(tx *store.Tx) error {
		if at, err := tx.Alerts().LastSale(Noon.Add(-time.Hour), "practice", "other"); !at.Equal(Noon) || err != nil {
			t.Errorf("the last sale was at %v (%v)", at, err)
		}
		if at, err := tx.Alerts().LastSale(Noon, "practice"); !at.IsZero() || err != nil {
			t.Errorf("after that there was none, but %v (%v)", at, err)
		}
		if at, err := tx.Alerts().LastSale(Noon); !at.Equal(Noon.Add(time.Hour)) || err != nil {
			t.Errorf("the last sale of all was at %v (%v)", at, err)
		}
		return nil
	})
	for i, at := range []time.Time{Noon, Noon.Add(2*time.Hour + time.Minute), Noon.Add(3 * time.Hour)} {
		update(t, s, func(tx *store.Tx) error {
			return tx.AddOffer(buyer.Offer{ID: "offer_" + string(rune('a'+i)), Lead: 1, Buyer: "buyer_1", At: at, State: buyer.OfferOpen})
		})
	}
	update(t, s, func(tx *store.Tx) error {
		n, first, err := tx.Alerts().OffersSince("buyer_1", Noon.Add(30*time.Minute))
		if n != 2 || !first.Equal(Noon.Add(3*time.Hour)) || err != nil {
			t.Errorf("%d offers since %v (%v)", n, first, err)
		}
		if at, err := tx.Alerts().LastAccepted("buyer_1", Noon.Add(-time.Hour)); !at.IsZero() || err != nil {
			t.Errorf("nothing was accepted, but %v (%v)", at, err)
		}
		if n, first, err := tx.Alerts().OffersSince("buyer_2", Noon); n != 0 || !first.IsZero() || err != nil {
			t.Errorf("another buyer: %d since %v (%v)", n, first, err)
		}
		return tx.PutOffer(buyer.Offer{ID: "offer_b", Lead: 1, Buyer: "buyer_1", At: Noon.Add(2*time.Hour + time.Minute), State: buyer.OfferAccepted}, buyer.OfferOpen)
	})
	update(t, s, func(tx *store.Tx) error {
		for since, want := range map[time.Time]time.Time{Noon: Noon.Add(2 * time.Hour), Noon.Add(2 * time.Hour): {}} {
			if at, err := tx.Alerts().LastAccepted("buyer_1", since); !at.Equal(want) || err != nil {
				t.Errorf("since %v, the last hour with a sale is %v (%v), want %v", since, at, err, want)
			}
		}
		return nil
	})
}
