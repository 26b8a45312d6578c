package operator_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

const matter = "matter 17"

// hold puts a lead under a legal hold.
func (o *testOperator) hold(id, why string) operator.LegalHoldChange {
	o.t.Helper()
	c, err := o.AddLegalHold(o.t.Context(), ada, id, why)
	if err != nil {
		o.t.Fatal(err)
	}
	return c
}

// refused fails the test unless an error refuses with these words.
func (o *testOperator) refused(err error, words ...string) {
	o.t.Helper()
	if _, refused := errors.AsType[entered.Refusal](err); !refused {
		o.t.Fatalf("it is not refused: %v", err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			o.t.Errorf("the refusal does not say %q: %v", w, err)
		}
	}
}

// TestALegalHoldKeepsThePerson refuses to erase a lead until its last hold is removed. The refusal changes nothing.
func TestALegalHoldKeepsThePerson(t *testing.T) {
	o := newTestOperator(t)
	o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	first, second := o.hold("lead_1", " "+matter+" "), o.hold("lead_1", "matter 18")
	if first.LeadID != "lead_1" || first.Why != matter || first.CreatedBy != string(ada) || !first.CreatedAt.Equal(o.now) || first.Erased || len(first.Others) != 0 {
		t.Errorf("the first hold: %+v", first)
	}
	if !slices.Equal(lead.HoldIDs(second.Others), []string{first.ID}) {
		t.Errorf("the second hold: %+v", second)
	}
	before := o.rows()
	_, err := o.Erase(t.Context(), ada, "lead_1")
	o.refused(err, "lead_1 is under a legal hold", first.ID+", since 2026-11-05", second.ID, "remove the hold first", "suppress the phone number")
	if after := o.rows(); after != before {
		t.Errorf("a refused erasure left:\n%s\nwant\n%s", after, before)
	}
	removed, err := o.RemoveLegalHold(t.Context(), ada, first.ID, "settled")
	if err != nil || removed.InForce() || removed.RemovedWhy != "settled" || !slices.Equal(lead.HoldIDs(removed.Others), []string{second.ID}) {
		t.Fatalf("removed: %+v, %v", removed, err)
	}
	_, err = o.Erase(t.Context(), ada, "lead_1")
	o.refused(err, second.ID)
	if _, err := o.RemoveLegalHold(t.Context(), ada, "lead_1", "settled, too"); err != nil { // its only one now
		t.Fatal(err)
	}
	if _, err := o.Erase(t.Context(), ada, "lead_1"); err != nil {
		t.Errorf("after the last hold was removed: %v", err)
	}
	if late := o.hold("lead_1", matter); !late.Erased {
		t.Errorf("a hold that came too late: %+v", late)
	}
}

func TestALegalHoldIsRefused(t *testing.T) {
	o := newTestOperator(t)
	o.save("lead_1", unchanged)
	o.save("lead_2", unchanged)
	first := o.hold("lead_1", matter)
	_, err := o.AddLegalHold(t.Context(), ada, "lead_1", "Matter 17")
	o.refused(err, "for this already", first.ID)
	second := o.hold("lead_1", "matter 18")
	_, err = o.RemoveLegalHold(t.Context(), ada, "lead_1", "settled")
	o.refused(err, "2 legal holds", first.ID, second.ID)
	_, err = o.RemoveLegalHold(t.Context(), ada, "lead_2", "settled")
	o.refused(err, "lead_2 is under no legal hold")
	if _, err := o.RemoveLegalHold(t.Context(), ada, first.ID, "settled"); err != nil {
		t.Fatal(err)
	}
	_, err = o.RemoveLegalHold(t.Context(), ada, first.ID, "settled")
	o.refused(err, "was removed already, on 2026-11-05")
	for _, id := range []string{"lead_none", "legal_hold_none"} {
		_, addErr := o.AddLegalHold(t.Context(), ada, id, matter)
		_, err := o.RemoveLegalHold(t.Context(), ada, id, matter)
		if lead.KindOf(addErr) != lead.NotFound || lead.KindOf(err) != lead.NotFound {
			t.Errorf("%s: %v, %v", id, addErr, err)
		}
	}
	for _, why := range []string{"", "two\nlines", strings.Repeat("x", 101), "call 305-555-0123", "(305) 555 0123", "mail pat@example.com"} {
		_, addErr := o.AddLegalHold(t.Context(), ada, "lead_2", why)
		_, err := o.RemoveLegalHold(t.Context(), ada, second.ID, why)
		for _, err := range []error{addErr, err} {
			problems, found := errors.AsType[entered.Problems](err)
			if !found || problems[0].Term != "why" || why != "" && strings.Contains(err.Error(), why) {
				t.Errorf("%q: %v", why, err)
			}
		}
	}
}

// TestUnderALegalHoldContactStops asks for erasure on the privacy page: the lead leaves the market as ever, and the request stays open
// until the hold is removed.
func TestUnderALegalHoldContactStops(t *testing.T) {
	o := newTestOperator(t)
	o.Persons.Key = []byte("key")
	o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	o.save("lead_2", func(l *lead.Lead) { l.Status, l.Request.ZIP = lead.Collected, "33140" }) // no repeat of the first
	h := o.hold("lead_1", matter)
	ask := func(id string, kind lead.PrivacyKind, leadID string) {
		t.Helper()
		r := lead.PrivacyRequest{ID: id, At: o.now, Kind: kind, Phone: auditedPhone, LeadID: leadID, State: lead.PrivacyOpen, Evidence: lead.Evidence{Client: "192.0.2.1"}}
		if err := o.SavePrivacyRequest(t.Context(), r, "the person asked for erasure"); err != nil {
			t.Fatal(err)
		}
	}
	ask("wish_1", lead.EraseAll, "lead_1")
	ask("wish_2", lead.Withdraw, "")
	ask("wish_3", lead.Withdraw, "lead_1")
	if o.status("lead_1") != lead.Rejected {
		t.Errorf("the lead is %s", o.status("lead_1"))
	}
	if closed, err := o.Suppress(t.Context(), ada, auditedPhone, "asked"); err != nil || closed != 1 {
		t.Errorf("suppressing closed %d, %v", closed, err)
	}
	for _, id := range []string{"wish_1", "wish_2"} {
		err := o.SettlePrivacyRequest(t.Context(), ada, id, "done")
		o.refused(err, "stays open", "lead_1", h.ID, "Suppress the number", "settle the request then")
	}
	if err := o.SettlePrivacyRequest(t.Context(), ada, "wish_3", "suppressed"); err != nil {
		t.Errorf("no more contact, and the lead keeps how it was asked for: %v", err)
	}
	removed, err := o.RemoveLegalHold(t.Context(), ada, h.ID, "settled")
	if err != nil || !slices.Equal(removed.Requests, []string{"wish_1", "wish_2"}) {
		t.Fatalf("removed: %+v, %v", removed, err)
	}
	if again := o.hold("lead_1", matter); !slices.Equal(again.Requests, []string{"wish_1", "wish_2"}) {
		t.Errorf("added again: %+v", again)
	}
	if _, err := o.RemoveLegalHold(t.Context(), ada, "lead_1", "settled"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Erase(t.Context(), ada, "lead_1"); err != nil {
		t.Error(err)
	}
	for _, id := range []string{"wish_1", "wish_2"} {
		if err := o.SettlePrivacyRequest(t.Context(), ada, id, "erased"); err != nil {
			t.Error(err)
		}
	}
}

// TestALegalHoldLeavesTheMarketAlone closes and releases a lead under a hold as any other.
func TestALegalHoldLeavesTheMarketAlone(t *testing.T) {
	o := newTestOperator(t)
	o.save("lead_1", func(l *lead.Lead) { l.Status = lead.Collected })
	o.hold("lead_1", matter)
	if o.status("lead_1") != lead.Collected {
		t.Errorf("a hold made it %s", o.status("lead_1"))
	}
	if c, err := o.CloseLead(t.Context(), ada, "lead_1", "sold elsewhere"); err != nil || c.Left != "" {
		t.Errorf("closing: %+v, %v", c, err)
	}
	o.now = o.now.Add(time.Hour)
	list, err := storetest.OpenReader(t, o.database).LegalHolds(t.Context())
	if err != nil || len(list) != 1 || !list[0].InForce() {
		t.Errorf("the holds: %+v, %v", list, err)
	}
	var entries []audit.Entry
	o.update(func(tx *store.Tx) (err error) {
		entries, err = tx.Audit(store.AuditFilter{Subject: "lead_1", Limit: 9})
		return err
	})
	if len(entries) != 2 || entries[1].Action != audit.LegalHoldAdd {
		t.Errorf("the audit trail of the lead: %+v", entries)
	}
}
