package browser

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"foyer/internal/alert"
	"foyer/internal/alerter"
	"foyer/internal/app"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/test/binary"
)

// aMonth is a service with a made-up month, on which the console has something to show, and with alerts.
func aMonth(t *testing.T) *service {
	t.Helper()
	folder := t.TempDir()
	database := "sqlite:" + filepath.Join(folder, "foyer.db")
	foyer(t, folder, "sim", "month", "--leads", "400", "--seed", "7", "--database", database, "--keys", "file:foyer.keys")
	raiseAlerts(t, database)
	p := binary.Serve(t, folder, "--rate-limit", "off")
	return &service{Process: p, t: t, origin: p.Origin()}
}

// openOperator opens a database as a command does.
func openOperator(t *testing.T, database string) *app.Operator {
	t.Helper()
	op, err := app.OpenOperator(t.Context(), config.Data{Database: config.Database(database), Keys: "file:foyer.keys"}, false, audit.CLI("test"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = op.Close() })
	return op
}

// raiseAlerts makes another machine report that requests fail there and its disk is nearly full, and looks for alerts in the minutes before
// now: one way works, and the other fails.
func raiseAlerts(t *testing.T, database string) {
	t.Helper()
	op := openOperator(t, database)
	for kind, address := range map[alert.WayKind]string{alert.Slack: "https://hooks.example.com/services/made-up", alert.Event: "https://events.example.com/foyer"} {
		if _, _, err := op.Alerts().AddWay(t.Context(), audit.CLI("test"), kind, address); err != nil {
			t.Fatal(err)
		}
	}
	update := func(ctx context.Context, do func(*store.Tx) error) error { return op.Store.Update(ctx, do) }
	for name, value := range map[string]int64{store.FactIntakeErrors: 12, store.FactDiskFree: 4} {
		err := update(t.Context(), func(tx *store.Tx) error {
			return tx.Alerts().PutFact(store.AlertFact{Name: name, Subject: "web-2", At: time.Now(), Value: value})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	now := time.Now().Add(-10 * time.Minute)
	a := alerter.Alerter{
		Store: op.Store, NewID: func(prefix string) string { n++; return fmt.Sprint(prefix, "made_up_", n) }, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler),
		Send: func(_ context.Context, w alert.Way, _ string, _ alert.Message) error {
			if w.Kind == alert.Event {
				return errors.New("it answered 500")
			}
			return nil
		},
	}
	for range 4 { // what lasts is told
		if err := errors.Join(a.Look(t.Context(), update), a.Deliver(t.Context(), update)); err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Minute)
	}
	if firing, err := op.Alerts().Firing(t.Context()); err != nil || len(firing) == 0 {
		t.Fatalf("nothing fires: %v", err)
	}
}

// aLead finds the newest lead with a status.
func aLead(t *testing.T, op *app.Operator, status lead.Status) (found store.FoundLead) {
	t.Helper()
	err := op.Store.View(t.Context(), func(tx *store.Tx) error {
		list, err := tx.FindLeads(store.LeadFilter{Statuses: []lead.Status{status}}, nil, store.LeadPage{Limit: 1})
		if err == nil && len(list.Leads) == 0 {
			err = fmt.Errorf("no lead is %s", status)
		}
		if err == nil {
			found = list.Leads[0]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// consoleVisits are the pages of the console that a month fills.
func (s *service) consoleVisits() []visit {
	s.t.Helper()
	op := openOperator(s.t, s.Database)
	buyers, err := op.List(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	inTest := slices.IndexFunc(buyers, func(b query.Summary) bool { return b.State == buyer.Testing })
	if inTest < 0 {
		s.t.Fatal("no buyer is in test")
	}
	returned, err := op.Returns(s.t.Context(), store.ReturnFilter{State: buyer.ReturnApproved, Limit: 1})
	if err != nil || len(returned) == 0 {
		s.t.Fatalf("no lead is returned: %v", err)
	}
	var request, source string
	s.ReadStore(func(tx *store.Tx) error {
		sources, err := tx.Sources().List()
		if err != nil {
			return err
		}
		list, err := tx.PrivacyRequests().List(true)
		source, request = sources[0].Key, list[0].ID
		return err
	})
	sold := aLead(s.t, op, lead.Forwarded)
	var all []visit
	add := func(name, path string) {
		all = append(all, visit{"console-" + name, "/console" + path, http.StatusOK, func(*tab) {}})
	}
	add("today", "")
	add("leads", "/leads")
	add("lead-sold", "/leads/"+sold.ID)
	add("lead-held", "/leads/"+aLead(s.t, op, lead.Collected).ID)
	add("lead-returned", "/leads/"+returned[0].LeadID)
	add("evidence", "/leads/"+sold.ID+"/evidence")
	add("buyers", "/buyers")
	add("buyer", "/buyers/"+sold.Buyer)
	add("buyer-in-test", "/buyers/"+buyers[inTest].ID)
	add("buyer-terms", "/buyers/"+sold.Buyer+"/terms")
	add("buyer-messages", "/buyers/"+sold.Buyer+"/messages")
	all = append(all, visit{"console-buyer-tested", "/console/buyers/" + buyers[inTest].ID, http.StatusOK, func(b *tab) { // nothing answers there
		b.sends("/buyers/"+buyers[inTest].ID+"/test", "The test", "deliver", "tick")
	}}, visit{"console-buyer-refused", "/console/buyers", http.StatusOK, func(b *tab) {
		b.expect(b.origin+"/console/buyers/add", http.StatusUnprocessableEntity)
		b.sends("/buyers/add", "Nothing was changed", "name", "Cool Air", "url", "http", "price_cents", "much")
	}}, visit{"console-source-undo", "/console/sources/" + source, http.StatusOK, func(b *tab) {
		if ask[bool](b, `!!document.querySelector('form[action$="/unblock"]')`) {
			b.sends("/sources/"+source+"/unblock", "Undo")
			return
		}
		b.sends("/sources/"+source+"/block", "Undo")
	}})
	add("sources", "/sources")
	add("source", "/sources/"+source)
	add("returns", "/returns")
	for _, r := range []string{"leads", "buyers", "speed"} { // the others have the same parts
		add("report-"+r, "/reports?report="+r+"&from=30d")
	}
	add("coverage", "/coverage")
	add("coverage-state", "/coverage?state=FL&show=revenue")
	add("route", "/route?service=hvac&zip=33139")
	add("route-edited", "/route?service=hvac&zip=33139&buyer="+sold.Buyer+"&priority=1&state=active")
	add("statements", "/statements")
	add("statement", "/statements/"+sold.Buyer+"/"+time.Now().UTC().AddDate(0, 0, -20).Format("2006-01"))
	add("privacy", "/privacy?state=all")
	add("privacy-request", "/privacy/"+request)
	add("suppressions", "/privacy/suppressions")
	add("settings", "/settings")
	add("audit", "/settings/audit")
	add("alerts", "/settings/alerts")
	add("health", "/health")
	return all
}

// firstVisits are the pages of the console of a service that was just started, before and after the first steps. The owner is signed in.
func (b *tab) firstVisits() []visit {
	b.t.Helper()
	return []visit{
		{"console-first", "/console", http.StatusOK, func(*tab) {}},
		{"console-first-alerts", "/console/settings/alerts", http.StatusOK, func(*tab) {}},
		{"console-first-practice", "/console", http.StatusOK, func(b *tab) {
			if ask[bool](b, `!!document.querySelector('form[action$="/practice/start"]')`) {
				b.sends("/practice/start", "Send a test lead")
			}
		}},
		{"console-practice-buyer", "/console", http.StatusOK, func(b *tab) {
			b.sends("/practice/lead", "Sold to Practice buyer")
			b.visit("/console/buyers", http.StatusOK)
			b.visit(ask[string](b, `document.querySelector('tr[data-href]').dataset.href`), http.StatusOK)
		}},
	}
}
