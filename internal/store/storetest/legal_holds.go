package storetest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) legalHolds(t *testing.T) {
	t.Run("a hold is listed until it is removed, and found for good", c.legalHoldsListed)
	t.Run("of adding a hold and erasing, in several processes at once, one comes first for both", c.holdOrErase)
	t.Run("old audit entries about a lead under a legal hold stay", c.auditUnderLegalHold)
}

// AddLegalHold puts a lead under a legal hold.
func AddLegalHold(tx *store.Tx, id, leadID string, at time.Time) error {
	seq, err := tx.LeadOf(leadID)
	if err != nil {
		return err
	}
	return tx.LegalHolds().Add(LegalHold(id, leadID, at), seq)
}

// LegalHold is a hold as AddLegalHold adds it.
func LegalHold(id, leadID string, at time.Time) lead.LegalHold {
	return lead.LegalHold{ID: id, LeadID: leadID, CreatedAt: at, CreatedBy: "cli:ada", Why: "matter 17"}
}

func (c Contract) legalHoldsListed(t *testing.T) {
	s := c.store(t)
	Save(t, s, Lead("lead_1"))
	Save(t, s, Lead("lead_2"))
	Erase(t, s, "lead_2") // its person may be gone before there is a hold
	first, other, last := LegalHold("legal_hold_9", "lead_1", Noon), LegalHold("legal_hold_1", "lead_2", Noon.Add(time.Minute)), LegalHold("legal_hold_2", "lead_1", Noon.Add(time.Hour))
	for _, h := range []lead.LegalHold{last, first, other} {
		update(t, s, func(tx *store.Tx) error { return AddLegalHold(tx, h.ID, h.LeadID, h.CreatedAt) })
	}
	removed := first
	removed.RemovedAt, removed.RemovedBy, removed.RemovedWhy = Noon.Add(2*time.Hour), "user:pat", "it is settled"
	update(t, s, func(tx *store.Tx) error { return tx.LegalHolds().Remove(removed) })
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.LegalHolds().Remove(removed) }); err == nil {
		t.Error("a hold was removed twice")
	}
	want := func(what string, got []lead.LegalHold, err error, want ...lead.LegalHold) {
		t.Helper()
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
		}
	}
	update(t, s, func(tx *store.Tx) error {
		list, err := tx.LegalHolds().List(false)
		want("in force", list, err, other, last)
		list, err = tx.LegalHolds().List(true)
		want("all", list, err, removed, other, last)
		list, err = tx.LegalHolds().OfLead("lead_1")
		want("of the lead", list, err, removed, last)
		h, found, err := tx.LegalHolds().Find(removed.ID)
		if want("by its id", []lead.LegalHold{h}, err, removed); !found {
			t.Error("it is not found")
		}
		if _, found, err := tx.LegalHolds().Find("lead_1"); found || err != nil {
			t.Errorf("a lead is no hold: %v, %v", found, err)
		}
		persons, err := tx.LegalHolds().Persons()
		if diff := cmp.Diff([]lead.HeldPerson{{LegalHold: other}, {LegalHold: last, Phone: Lead("").Request.Contact.Phone}}, persons); err != nil || diff != "" {
			t.Errorf("the persons: %v (-want +got):\n%s", err, diff)
		}
		return nil
	})
}

// holdOrErase erases many persons while legal holds are added: whoever adds one hears whether the person was erased before, and otherwise
// the person is not erased.
func (c Contract) holdOrErase(t *testing.T) {
	stores := c.openSeveral(t)
	const leads = 30
	var all sync.WaitGroup
	for i := range leads {
		id := fmt.Sprint("lead_", i)
		Save(t, stores[0], Lead(id))
		var erased, gone bool
		holder, eraser := Operator(stores[i%processes], Noon), Operator(stores[(i+1)%processes], Noon)
		holder.NewID = func(prefix string) string { return prefix + strings.Repeat("0", 6) + fmt.Sprintf("%04d", i) }
		all.Go(func() {
			var pair sync.WaitGroup
			pair.Go(func() {
				c, err := holder.AddLegalHold(t.Context(), audit.CLI("ada"), id, "matter 17")
				if gone = c.Erased; err != nil {
					t.Error(err)
				}
			})
			pair.Go(func() {
				_, err := eraser.Erase(t.Context(), audit.CLI("bob"), id)
				if erased = err == nil; err != nil && !strings.Contains(err.Error(), "is under a legal hold") {
					t.Error(err)
				}
			})
			pair.Wait()
			l, err := Find(t, stores[0], id)
			if err != nil || erased != gone || l.Erased() != erased {
				t.Errorf("%s: erased is %v, the hold says %v, the row says %v (%v)", id, erased, gone, l.Erased(), err)
			}
		})
	}
	all.Wait()
}

// auditUnderLegalHold deletes old entries. Those about the lead, its offers, its privacy requests and about suppressed numbers stay while
// the hold is in force.
func (c Contract) auditUnderLegalHold(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	seq := received(t, s, "lead_1", Noon)
	Save(t, s, Lead("lead_2"))
	kept := []audit.Entry{
		{Action: audit.LeadClose, Subject: "lead_1"},
		{Action: audit.ReturnDeny, Subject: "offer_1"},
		{Action: audit.PrivacyRead, Subject: "wish_1"},
		{Action: audit.SuppressionAdd, Subject: "0123456789abcdef"},
	}
	old := append(kept, audit.Entry{Action: audit.LeadClose, Subject: "lead_2"}, audit.Entry{Action: audit.LeadExport}, audit.Entry{Action: audit.BuyerPause, Subject: "buyer_1"})
	update(t, s, func(tx *store.Tx) error {
		offer := someOffer("offer_1")
		offer.Lead = seq
		if err := tx.AddOffer(offer); err != nil {
			return err
		}
		request := privacyRequest("wish_1")
		request.LeadID = "lead_1"
		if err := tx.PrivacyRequests().Add(request); err != nil {
			return err
		}
		for _, e := range old {
			e.At, e.Actor = Noon, audit.System
			if err := tx.AddAudit(e); err != nil {
				return err
			}
		}
		return AddLegalHold(tx, "legal_hold_1", "lead_1", Noon)
	})
	left := func() (subjects []string) {
		t.Helper()
		if err := Job(t, s).DeleteOld(t.Context(), store.AuditTrail, Noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		for _, e := range Audit(t, database) {
			subjects = append([]string{e.Subject}, subjects...)
		}
		return subjects
	}
	if got, want := left(), []string{"lead_1", "offer_1", "wish_1", "0123456789abcdef"}; !cmp.Equal(got, want) {
		t.Errorf("under a legal hold, entries about %q stay; want %q", got, want)
	}
	h := LegalHold("legal_hold_1", "lead_1", Noon)
	h.RemovedAt = Noon.Add(time.Hour)
	update(t, s, func(tx *store.Tx) error { return tx.LegalHolds().Remove(h) })
	if got := left(); got != nil {
		t.Errorf("after the hold was removed, entries about %q stay", got)
	}
}
