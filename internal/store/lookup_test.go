package store_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// onBoth runs a test on each engine.
func onBoth(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("SQLite", func(t *testing.T) { test(t, storetest.Database(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, storetest.PostgreSQL(t)) })
}

// TestALeadIsFoundByTheIDsThatOperatorsSee looks up leads by their own ids, by buyers' ids for them, and by the ids of offers.
// Public lookups find only the lead's own id.
func TestALeadIsFoundByTheIDsThatOperatorsSee(t *testing.T) {
	t.Parallel()
	const (
		begin   = "lead_01jc3n8p0"
		own     = begin + "qk7m2x4vw5yz6abcdefghijklm"
		twin    = begin + "zzzzzzzzzzzzzzzzzzzzzzzzzz" // of the same millisecond
		earlier = "lead_01jc3n8ozzzzzzzzzzzzzzzzzzzzzzzzzzz"
		buyers  = begin + "aaaaaaaaaaaaaaaaaaaaaaaaaa"
		others  = begin + "7777777777777777777777777b"
	)
	onBoth(t, func(t *testing.T, database string) {
		s, r := storetest.Open(t, database), storetest.OpenReader(t, database)
		for i, id := range []string{earlier, own, twin} {
			storetest.Save(t, s, storetest.Lead(id))
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.AddOffer(buyer.Offer{ID: "offer_" + string(rune('1'+i)), Lead: int64(i + 1), Buyer: "buyer_1", At: storetest.Noon, State: buyer.OfferOpen})
			}); err != nil {
				t.Fatal(err)
			}
		}
		storetest.MustExec(t, database, `UPDATE offers SET buyer_lead_id = '`+buyers+`' WHERE id = 'offer_2'`)
		storetest.MustExec(t, database, `UPDATE offers SET buyer_lead_id = '`+others+`' WHERE id = 'offer_3'`)
		storetest.MustExec(t, database, `UPDATE offers SET buyer_lead_id = 'lead_01jc3n9p0aaaaaaaaaaaaaaaaaaaaaaaaaa' WHERE id = 'offer_1'`) // with another time than its lead
		for id, want := range map[string]string{
			own: own, twin: twin, earlier: earlier, buyers: own, others: twin, "offer_1": earlier, "offer_2": own,
			"": "", "lead_": "", begin: "", buyers[:20]: "", buyers + "a": "", "offer_9": "", "lead_01jc3n9p0aaaaaaaaaaaaaaaaaaaaaaaaaa": "",
			"lead_%": "", strings.ToUpper(buyers): "", "dry_" + buyers[5:]: "",
		} {
			if got, err := r.LeadOf(t.Context(), id); got != want || want == "" && lead.KindOf(err) != lead.NotFound {
				t.Errorf("%q is %q, %v; want %q", id, got, err, want)
			}
			var seq int64
			err := s.Update(t.Context(), func(tx *store.Tx) (err error) { seq, err = tx.LeadOf(id); return err })
			if rows := map[string]int64{earlier: 1, own: 2, twin: 3}; seq != rows[want] || want == "" && lead.KindOf(err) != lead.NotFound {
				t.Errorf("%q is row %d, %v; want %d", id, seq, err, rows[want])
			}
		}
		for _, id := range []string{buyers, "offer_2"} {
			if _, err := s.LeadSummary(t.Context(), id); lead.KindOf(err) != lead.NotFound {
				t.Errorf("a public lookup finds %s: %v", id, err)
			}
		}
	})
}

// TestAReturnIsCounted checks that a return counts once, in the hour of the offer, apart from what counts toward the caps.
func TestAReturnIsCounted(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, database string) {
		s := storetest.Open(t, database)
		o := buyer.Offer{ID: "offer_1", Lead: 1, Buyer: "buyer_1", At: storetest.Noon, State: buyer.OfferOpen}
		for range 2 {
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				if _, found, err := tx.Offer(o.ID); err != nil || found {
					return err
				}
				return tx.AddOffer(o)
			}); err != nil {
				t.Fatal(err)
			}
			if err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.Return(o, "wrong number", storetest.Noon.Add(26*time.Hour)) }); err != nil {
				t.Fatal(err)
			}
		}
		db := storetest.Raw(t, database)
		if n := storetest.QueryInt(t, db, `SELECT count(*) FROM offer_counts`); n != 1 {
			t.Errorf("%d hours are counted in", n)
		}
		if used, returned := storetest.QueryInt(t, db, `SELECT used FROM offer_counts`), storetest.QueryInt(t, db, `SELECT returned FROM offer_counts`); used != 1 || returned != 1 {
			t.Errorf("counted are %d and %d returned, want 1 and 1", used, returned)
		}
	})
}
