package pages_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestListsGoOn wants the audit trail and the suppressed numbers to be listed to their ends, each entry once.
func TestListsGoOn(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	const entries = 250
	st := s.OpenStore(t)
	if err := st.Update(t.Context(), func(tx *store.Tx) error {
		for i := range entries {
			if err := tx.AddAudit(audit.Entry{At: storetest.Noon, Actor: "cli:ada", Action: audit.BuyerEdit, Subject: fmt.Sprintf("subject-%03d.", i)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var numbers strings.Builder
	for i := range entries {
		fmt.Fprintf(&numbers, "305-%03d-0100\n", 200+i)
	}
	p.answers("/privacy/suppressions/import", []string{"Read 250 numbers. New: 250"}, "phones", numbers.String(), "confirm", "true")
	for path, name := range map[string]func(i int) string{
		"/settings/audit?actor=cli%3Aada": func(i int) string { return fmt.Sprintf("subject-%03d.", i) },
		"/privacy/suppressions":           func(i int) string { return fmt.Sprintf("+1305%03d0100", 200+i) },
	} {
		var all strings.Builder
		pages := 0
		for next := path; next != "" && pages < 10; pages++ {
			page := p.shows(next)
			all.WriteString(plain([]byte(page)))
			next = ""
			if _, rest, more := strings.Cut(page, `rel="next" href="/console`); more {
				next, _, _ = strings.Cut(strings.ReplaceAll(rest, "&amp;", "&"), `"`)
			}
		}
		for i := range entries {
			if n := strings.Count(all.String(), name(i)); n != 1 {
				t.Fatalf("%s has %s %d times on %d pages", path, name(i), n, pages)
			}
		}
	}
	if r := p.get("/settings/audit?cursor=x"); r.Status != http.StatusNotFound {
		t.Errorf("a cursor that is none: %d", r.Status)
	}
	p.shows("/settings/audit", "suppression.read")
}

// TestReplayRange wants leads in error to be sent again only after a confirmation, and a try to change nothing.
func TestReplayRange(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	st := s.OpenStore(t)
	l := storetest.Lead("lead_lost")
	l.CreatedAt, l.Status = time.Now().Add(-time.Hour), lead.Errored
	storetest.Save(t, st, l)
	p.answers("/health/replay", []string{"would be sent again, 1 would not. Nothing was sent", "lead_lost"}, "from", "7d", "dry_run", "true")
	p.refuses(http.StatusUnprocessableEntity, "/health/replay", "Check the box", "from", "7d")
	p.answers("/health/replay", []string{"will be sent again, 1 will not", "lead_lost"}, "from", "7d", "confirm", "true")
	p.answers("/health/replay", []string{"0 leads will be sent again, 0 will not"}, "from", "7d", "to", "2d", "confirm", "true")
}

// TestNoStatement wants a month that can have no statement to be answered with the reason.
func TestNoStatement(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers")
	p := signIn(t, s, "pat", store.RoleOperator)
	id := p.addBuyer("Cool Air", `{"decision":"accept"}`)
	month := buyer.MonthOf(time.Now().UTC())
	late := month.Begins(time.UTC).Add(-time.Hour)
	if err := s.OpenStore(t).Update(t.Context(), func(tx *store.Tx) error {
		return tx.AddFunds(buyer.Entry{Buyer: id, At: late, Kind: buyer.EntryPayment, Amount: -500})
	}); err != nil {
		t.Fatal(err)
	}
	last := month.Before()
	p.answers("/statements/close", []string{"One statement was closed"}, "month", last.String(), "confirm", "true")
	for _, path := range []string{"", "/csv"} {
		r := p.get("/statements/" + id + "/" + last.Before().String() + path)
		if want := "has no statement for " + last.Before().String() + ": the one for " + last.String() + " is closed"; r.Status != http.StatusConflict || !strings.Contains(plain(r.Body), want) {
			t.Errorf("%s: %d, want %q:\n%s", path, r.Status, want, plain(r.Body))
		}
	}
}
