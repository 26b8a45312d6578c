package storetest

import (
	"context"
	"slices"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// Reader reads one thing from a database, in a snapshot of its own.
type Reader struct{ *store.Reader }

// OpenReader opens a database for reading and closes it with the test.
func OpenReader(t *testing.T, database string) Reader {
	t.Helper()
	r, err := store.OpenReader(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Errorf("closing the reader: %v", err)
		}
	})
	return Reader{r}
}

func viewed[T any](ctx context.Context, r Reader, do func(*store.Tx) (T, error)) (value T, err error) {
	err = r.View(ctx, func(tx *store.Tx) (err error) { value, err = do(tx); return err })
	return value, err
}

// Newest lists the newest leads, of one status or all.
func (r Reader) Newest(ctx context.Context, limit int, status ...lead.Status) ([]lead.Lead, error) {
	return viewed(ctx, r, func(tx *store.Tx) (list []lead.Lead, err error) {
		found, err := tx.FindLeads(store.LeadFilter{Statuses: slices.DeleteFunc(status, func(s lead.Status) bool { return s == "" })}, nil, store.LeadPage{Limit: limit})
		for _, f := range found.Leads {
			list = append(list, f.Lead)
		}
		return list, err
	})
}

// Lead finds a lead by any id that an operator may have.
func (r Reader) Lead(ctx context.Context, id string) (lead.Lead, error) {
	return viewed(ctx, r, func(tx *store.Tx) (lead.Lead, error) { return tx.Lead(id) })
}

// LeadOf returns the own id of a lead.
func (r Reader) LeadOf(ctx context.Context, id string) (string, error) {
	l, err := r.Lead(ctx, id)
	return l.ID, err
}

// LeadsOf lists the leads with a phone number.
func (r Reader) LeadsOf(ctx context.Context, phone string) (list []lead.Lead, err error) {
	return viewed(ctx, r, func(tx *store.Tx) (list []lead.Lead, err error) {
		seqs, err := tx.LeadsWithPhone(false, func(other string) bool { return other == phone })
		for _, seq := range seqs {
			if err == nil {
				var l lead.Lead
				l, err = tx.LeadBySeq(seq)
				list = append(list, l)
			}
		}
		return list, err
	})
}

// History lists the status changes of a lead.
func (r Reader) History(ctx context.Context, id string) (changes []lead.Change, err error) {
	entries, err := viewed(ctx, r, func(tx *store.Tx) ([]store.HistoryEntry, error) { return tx.Timeline().History(id) })
	for _, e := range entries {
		changes = append(changes, e.Change)
	}
	return changes, err
}

// PassedOver lists the buyers that were passed over at each status change of a lead.
func (r Reader) PassedOver(ctx context.Context, id string) (passed [][]buyer.PassedOver, err error) {
	entries, err := viewed(ctx, r, func(tx *store.Tx) ([]store.HistoryEntry, error) { return tx.Timeline().History(id) })
	for _, e := range entries {
		passed = append(passed, e.PassedOver)
	}
	return passed, err
}

// Offered lists the offers of a lead.
func (r Reader) Offered(ctx context.Context, id string) ([]store.Offered, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]store.Offered, error) { return tx.Timeline().Offers(id) })
}

// Attempts lists the attempts to send messages about a lead.
func (r Reader) Attempts(ctx context.Context, id string) ([]buyer.Attempt, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]buyer.Attempt, error) { return tx.Timeline().Attempts(id) })
}

// Audit lists entries of the audit trail.
func (r Reader) Audit(ctx context.Context, f store.AuditFilter) ([]audit.Entry, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]audit.Entry, error) { return tx.Audit(f) })
}

// PrivacyRequest finds a privacy request.
func (r Reader) PrivacyRequest(ctx context.Context, id string) (lead.PrivacyRequest, error) {
	return viewed(ctx, r, func(tx *store.Tx) (lead.PrivacyRequest, error) { return tx.PrivacyRequests().Find(id) })
}

// PrivacyRequests lists privacy requests: the open ones, or all.
func (r Reader) PrivacyRequests(ctx context.Context, all bool) ([]lead.PrivacyRequest, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]lead.PrivacyRequest, error) { return tx.PrivacyRequests().List(all) })
}

// Suppressions lists the suppressed phone numbers.
func (r Reader) Suppressions(ctx context.Context) ([]store.Suppression, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]store.Suppression, error) {
		return tx.Suppressions().List(time.Now().AddDate(100, 0, 0), 0, 1<<30)
	})
}

// ConsentText finds a consent text by its hash.
func (r Reader) ConsentText(ctx context.Context, hash string) (string, error) {
	return viewed(ctx, r, func(tx *store.Tx) (string, error) { text, err := tx.Consent(hash); return text.Text, err })
}

// Keys lists the keys that a database is used with.
func (r Reader) Keys(ctx context.Context) ([]store.RegisteredKey, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]store.RegisteredKey, error) { return tx.Keys().List() })
}

// LegalHolds lists all legal holds.
func (r Reader) LegalHolds(ctx context.Context) ([]lead.LegalHold, error) {
	return viewed(ctx, r, func(tx *store.Tx) ([]lead.LegalHold, error) { return tx.LegalHolds().List(true) })
}
