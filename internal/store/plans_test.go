package store_test

import (
	"slices"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

const byLead = "SEARCH l USING COVERING INDEX leads_id (id=?); "

// TestNoQuestionReadsThroughAllLeads checks the query plans of SQLite for the operator's queries. With five million leads, a lost
// index is the difference between a millisecond and half a minute.
func TestNoQuestionReadsThroughAllLeads(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	storetest.Open(t, database)
	var plans []string
	r := storetest.Reader{Reader: store.Planned(t, database, func(plan string) { plans = append(plans, plan) })}
	list := func(status lead.Status) func() error {
		return func() error { _, err := r.Newest(t.Context(), 50, status); return err }
	}
	for _, c := range []struct {
		name string
		ask  func() error
		want []string
	}{
		{"the newest", list(""), []string{"SCAN leads"}}, // backwards, and only so far
		{"the newest received", list(lead.Received), []string{ // both backwards, and only so far
			"SEARCH leads USING INTEGER PRIMARY KEY (rowid=?); LIST SUBQUERY 4; COMPOUND QUERY; LEFT-MOST SUBQUERY; CO-ROUTINE seen; SCAN deliveries; SCAN seen; UNION ALL; CO-ROUTINE unseen; SCAN new_leads; SCAN unseen",
		}},
		{"the newest validated", list(lead.Validated), nil},
		{"the newest forwarded", list(lead.Forwarded), []string{"SCAN leads USING INDEX leads_forwarded"}},
		{"the newest collected", list(lead.Collected), []string{"SCAN leads USING INDEX leads_held"}},
		{"the newest that dial", list(lead.CallToConnect), []string{"SCAN leads USING INDEX leads_dialled"}},
		{"the newest rejected", list(lead.Rejected), []string{"SCAN leads USING INDEX leads_rejected"}},
		{"the newest in error", list(lead.Errored), []string{"SCAN leads USING INDEX leads_failed"}},
		{"one lead", func() error { _, err := r.Lead(t.Context(), "lead_1"); return missing(err) }, []string{"SEARCH leads USING COVERING INDEX leads_id (id=?)"}},
		{"its history", func() error { _, err := r.History(t.Context(), "lead_1"); return err }, []string{byLead + "SEARCH h USING INDEX history_lead (lead_seq=?)"}},
		{"its offers", func() error { _, err := r.Offered(t.Context(), "lead_1"); return err }, []string{
			byLead + "SEARCH o USING INDEX offers_lead (lead_seq=?); SEARCH b USING INDEX sqlite_autoindex_buyers_1 (id=?) LEFT-JOIN; USE TEMP B-TREE FOR ORDER BY",
		}},
		{"the lead of an offer", func() error { _, err := r.LeadOf(t.Context(), "offer_1"); return missing(err) }, []string{
			"SEARCH offers USING INDEX sqlite_autoindex_offers_1 (id=?)",
		}},
		{"a lead by a buyer's id", func() error {
			_, err := r.LeadOf(t.Context(), "lead_01jc3n8p0qk7m2x4vw5yz6abcdefghijklm")
			return missing(err)
		}, []string{
			"SEARCH leads USING COVERING INDEX leads_id (id=?)",
			"SEARCH l USING COVERING INDEX leads_id (id>? AND id<?); SEARCH o EXISTS USING INDEX offers_lead (lead_seq=?)",
		}},
		{"its attempts", func() error { _, err := r.Attempts(t.Context(), "lead_1"); return err }, []string{
			byLead + "SEARCH a USING INDEX attempts_lead (lead_seq=?); USE TEMP B-TREE FOR ORDER BY",
		}},
		{"open privacy requests", func() error { _, err := r.PrivacyRequests(t.Context(), false); return err }, []string{"SCAN privacy_requests USING INDEX privacy_requests_waiting"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plans = nil
			if err := c.ask(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(plans, c.want) {
				t.Errorf("answered by\n%q, want\n%q", plans, c.want)
			}
		})
	}
}

// TestEveryStatusCanBeListed checks that a new status gets a query of its own.
func TestEveryStatusCanBeListed(t *testing.T) {
	t.Parallel()
	for _, status := range lead.Statuses {
		if status != lead.Validated && store.NewestThat(status) == "" {
			t.Errorf("leads that are %s cannot be listed", status)
		}
	}
}

// missing ignores the error that there is no such lead.
func missing(err error) error {
	if storetest.KindOf(err) == lead.NotFound {
		return nil
	}
	return err
}
