package store_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/alerter"
	"foyer/internal/buyer"
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
	for _, c := range []struct {
		name string
		ask  func() error
		want []string
	}{
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
		{"its legal holds", func() error {
			return r.View(t.Context(), func(tx *store.Tx) error { _, err := tx.LegalHolds().OfLead("lead_1"); return err })
		}, []string{byLead + "SEARCH h USING INDEX legal_holds_lead (lead_seq=?); USE TEMP B-TREE FOR ORDER BY"}},
		{"its attempts", func() error { _, err := r.Attempts(t.Context(), "lead_1"); return err }, []string{
			byLead + "SEARCH a USING INDEX attempts_lead (lead_seq=?); USE TEMP B-TREE FOR ORDER BY",
		}},
		{"what was charged for an offer", func() error {
			return r.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Ledger().OfOffer("offer_1"); return err })
		}, []string{"SEARCH ledger USING INDEX ledger_offer (offer_id=?)"}},
		{"the newest attempts of a buyer", func() error {
			return r.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Timeline().NewestAttempts("buyer_1", nil, 20); return err })
		}, []string{
			"SEARCH attempts", "SEARCH a USING INTEGER PRIMARY KEY (rowid>?); SEARCH o USING INDEX sqlite_autoindex_offers_1 (id=?)",
			"SEARCH follow_progress USING INDEX sqlite_autoindex_follow_progress_1 (name=?)", "SEARCH follow_progress USING INDEX sqlite_autoindex_follow_progress_1 (name=?)", "SEARCH leads", "SEARCH attempts",
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

// alertTables matches tables that alerts read from end to end: they stay small.
var alertTables = regexp.MustCompile(`SCAN (alert_rules|alert_states|alert_facts|alert_ways)\b|SCAN (r|privacy_requests) USING INDEX (returns|privacy_requests)_waiting|SCAN h USING INDEX legal_holds_in_force`)

// watchedBuyers are buyers that alerts look at in every way.
func watchedBuyers(t *testing.T, s *store.Store) (list []buyer.Buyer) {
	t.Helper()
	limit := buyer.Cents(100_000)
	for i, state := range []buyer.State{buyer.Active, buyer.Paused, buyer.Active} {
		terms := buyer.Terms{Name: fmt.Sprint("Buyer ", i), URL: "https://acme.example.com", Services: []lead.Service{lead.HVAC}, Practice: i == 2, CreditLimit: &limit}
		terms.Caps.Month, terms.Caps.Total = 100, 1000
		list = append(list, buyer.Buyer{ID: fmt.Sprint("buyer_", i+1), Terms: terms, Secrets: []string{"whsec_x"}, State: state, CreatedAt: storetest.Noon, UpdatedAt: storetest.Noon})
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		for _, b := range list {
			if err := tx.PutBuyer(b); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// planned reads the facts of alerts through a reader that reports plans.
type planned struct {
	*store.Store
	reader *store.Reader
}

func (p planned) View(ctx context.Context, do func(*store.Tx) error) error {
	return p.reader.View(ctx, do)
}

// TestAlertsReadThroughNoTable looks for alerts, which happens every minute.
func TestAlertsReadThroughNoTable(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	watchedBuyers(t, s)
	var plans []string
	a := alerter.Alerter{Store: planned{s, store.Planned(t, database, func(plan string) { plans = append(plans, plan) })}, Now: func() time.Time { return storetest.Noon }}
	if err := a.Look(t.Context(), s.Update); err != nil {
		t.Fatal(err)
	}
	if len(plans) < 15 {
		t.Errorf("only %d questions were asked:\n%s", len(plans), strings.Join(plans, "\n"))
	}
	for _, plan := range plans {
		if strings.Contains(alertTables.ReplaceAllString(plan, ""), "SCAN") {
			t.Errorf("reads through a table: %s", plan)
		}
	}
}

// TestSearchesReadThroughNoTable checks which index answers each filter. The others are checked on the leads that the index found.
func TestSearchesReadThroughNoTable(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	for i, status := range slices.Concat(store.ListedStatuses, []lead.Status{lead.Received}) {
		l := storetest.Lead(fmt.Sprint("lead_", i))
		l.Status = status
		storetest.Save(t, s, l)
	}
	storetest.Index(t, s, storetest.SearchKey)
	var plans []string
	r := storetest.Reader{Reader: store.Planned(t, database, func(plan string) { plans = append(plans, plan) })}
	const byTerm = "SEARCH search_index USING PRIMARY KEY (hash=? AND lead_seq>? AND lead_seq<?)"
	phone := storetest.Lead("").Request.Contact.Phone
	for _, c := range []struct {
		name   string
		filter store.LeadFilter
		want   string
	}{
		{"the newest", store.LeadFilter{}, "SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
		{"received", store.LeadFilter{Statuses: []lead.Status{lead.Received}}, "SEARCH deliveries USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"},
		{"forwarded", store.LeadFilter{Statuses: []lead.Status{lead.Forwarded}}, "SEARCH leads USING COVERING INDEX leads_forwarded (seq>? AND seq<?)"},
		{"collected", store.LeadFilter{Statuses: []lead.Status{lead.Collected}}, "SEARCH leads USING COVERING INDEX leads_held (seq>? AND seq<?)"},
		{"who dials", store.LeadFilter{Statuses: []lead.Status{lead.CallToConnect}}, "SEARCH leads USING COVERING INDEX leads_dialled (seq>? AND seq<?)"},
		{"rejected", store.LeadFilter{Statuses: []lead.Status{lead.Rejected}}, "SEARCH leads USING COVERING INDEX leads_rejected (seq>? AND seq<?)"},
		{"in error", store.LeadFilter{Statuses: []lead.Status{lead.Errored}, ZIPs: []string{"33139"}}, "SEARCH leads USING COVERING INDEX leads_failed (seq>? AND seq<?)"},
		{"a phone number", store.LeadFilter{Phones: []string{phone}, Statuses: []lead.Status{lead.Forwarded}}, byTerm},
		{"an e-mail address", store.LeadFilter{Emails: []string{"pat@example.com"}}, byTerm},
		{"a ZIP code", store.LeadFilter{ZIPs: []string{"33139"}, Services: []lead.Service{lead.HVAC}}, byTerm},
		{"a buyer", store.LeadFilter{Buyers: []string{"buyer_1"}}, byTerm},
		{"a buyer, not in the index yet", store.LeadFilter{Buyers: []string{"buyer_1"}}, "SEARCH a USING INTEGER PRIMARY KEY (rowid>?); SEARCH o USING INDEX sqlite_autoindex_offers_1 (id=?); USE TEMP B-TREE FOR DISTINCT"},
		{"sold", store.LeadFilter{Sold: store.Span{From: storetest.Noon}}, "SEARCH attempts USING INTEGER PRIMARY KEY (rowid>? AND rowid<?); USE TEMP B-TREE FOR DISTINCT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plans = nil
			if err := r.View(t.Context(), func(tx *store.Tx) error {
				_, err := tx.FindLeads(c.filter, storetest.SearchKey, store.LeadPage{Limit: 50})
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if !slices.Contains(plans, c.want) {
				t.Errorf("answered by\n%q, want one of them to be\n%q", plans, c.want)
			}
			for _, plan := range plans {
				if strings.Contains(plan, "SCAN") && plan != "SEARCH follow_progress USING INDEX sqlite_autoindex_follow_progress_1 (name=?)" {
					t.Errorf("reads through a table: %s", plan)
				}
			}
		})
	}
}

// TestEveryStatusCanBeListed checks that a new status gets an index of its own.
func TestEveryStatusCanBeListed(t *testing.T) {
	t.Parallel()
	for _, status := range lead.Statuses {
		if status != lead.Validated && status != lead.Received && !slices.Contains(store.ListedStatuses, status) {
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
