package store_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/alerter"
	"foyer/internal/buyer"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// fillTables inserts 20,000 leads, a tenth of them held, and everything else in proportion.
const fillTables = `
INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
	SELECT 'lead_' || lpad(n::text, 6, '0'), (ARRAY['collected', 'forwarded', 'forwarded', 'rejected', 'forwarded', 'call_to_connect', 'rejected', 'received', 'forwarded', 'forwarded'])[n % 10 + 1],
		n * 1000000::bigint, n * 1000000::bigint, 'hvac', lpad((n % 500 * 97)::text, 5, '0'), '', '{}', '{}', '{}' FROM generate_series(1, 20000) n;
UPDATE leads SET status = 'error' WHERE seq % 400 = 1;
INSERT INTO deliveries (lead_seq, due_at, since, buyer_queue) SELECT seq, created_at, created_at, CASE WHEN seq % 3 = 0 THEN '' ELSE 'buyer_' || seq % 20 END FROM leads WHERE status = 'received' AND seq <= 15000;
INSERT INTO new_leads SELECT seq FROM leads WHERE status = 'received' AND seq > 15000;
INSERT INTO idempotency_keys SELECT md5(n::text), 'request', '{}', n * 1000000::bigint FROM generate_series(1, 10000) n;
INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state) SELECT 'offer_' || n, n * 2, 'buyer_' || n % 20, n, 0, 'delivered' FROM generate_series(1, 10000) n;
INSERT INTO returns (offer_id, buyer_id, at, code, state, decided_at, notify_at) SELECT 'offer_' || n, 'buyer_' || n % 20, n, 'other', 'denied', n, CASE WHEN n % 100 = 0 THEN n ELSE 0 END FROM generate_series(1, 5000) n;
INSERT INTO attempts (lead_seq, offer_id, kind, at, took, status, failure, answer, decision) SELECT n * 2, 'offer_' || n, 'lead.offered', n, 1, 200, '', '', '' FROM generate_series(1, 10000) n;
INSERT INTO history (lead_seq, at, status, actor, reason) SELECT n, n, 'collected', 'service', '' FROM generate_series(1, 20000) n;
INSERT INTO fingerprints SELECT md5((n % 9000)::text), n, n * 1000000::bigint FROM generate_series(1, 10000) n;
INSERT INTO sales SELECT md5(n::text), 'buyer_1', n * 1000000::bigint FROM generate_series(1, 5000) n;
INSERT INTO offer_counts (buyer_id, hour, used) SELECT 'buyer_' || n % 20, n, 5 FROM generate_series(1, 5000) n;
INSERT INTO privacy_requests (id, at, kind, phone, lead_id, state, note) SELECT 'wish_' || n, n, 'erase', CASE WHEN n % 100 = 0 THEN '+1305555' || n ELSE '' END, '', CASE WHEN n % 100 = 0 THEN 'open' ELSE 'done' END, '' FROM generate_series(1, 5000) n;
INSERT INTO search_index SELECT n % 1000, n FROM generate_series(1, 20000) n;
INSERT INTO place_counts (grain, service_type, place, period, demand) SELECT 'zip', (ARRAY['', 'hvac'])[n % 2 + 1], lpad((n / 24)::text, 5, '0'), '2026-' || lpad((n / 2 % 12 + 1)::text, 2, '0'), 1 FROM generate_series(1, 60000) n;
INSERT INTO follow_progress VALUES ('search leads', 20000), ('search attempts', 10000);
VACUUM ANALYZE;
`

// explainedDatabase is a database for which the server logs every plan.
func explainedDatabase(t *testing.T, fill string) (server *postgres.Server, database string) {
	t.Helper()
	server = postgres.Shared(t)
	if _, err := server.Exec("postgres", "LOAD 'auto_explain'"); err != nil {
		if os.Getenv("POSTGRES") == "required" {
			t.Fatal(err)
		}
		t.Skipf("NOT TESTED: %v", err)
	}
	database = storetest.PostgreSQL(t)
	name := database[strings.LastIndex(database, "/")+1:]
	if _, err := server.Exec(name, fill+"ALTER DATABASE "+name+" SET session_preload_libraries = auto_explain; ALTER DATABASE "+name+" SET auto_explain.log_min_duration = 0"); err != nil {
		t.Fatal(err)
	}
	return server, database
}

// planPattern matches a logged statement with its plan.
var planPattern = regexp.MustCompile(`duration: [0-9.]+ ms  plan:\n((?:\t.*\n)+)`)

// TestNoQuestionReadsThroughAllOnPostgreSQL runs every query that is frequent, or that reads a large table, often enough that
// PostgreSQL may switch to a generic plan, and checks the plans that the server used.
func TestNoQuestionReadsThroughAllOnPostgreSQL(t *testing.T) {
	t.Run("many", func(t *testing.T) { wantByIndex(t, fillTables) })
	// Statistics that were collected on empty tables still apply after the tables have grown.
	t.Run("counted when empty", func(t *testing.T) { wantByIndex(t, fillTables+emptyTables+"ANALYZE;") })
	t.Run("emptied for good", func(t *testing.T) { wantByIndex(t, fillTables+emptyTables+"VACUUM ANALYZE;") })
}

// emptyTables deletes almost everything but leads and their histories.
const emptyTables = "DELETE FROM new_leads; DELETE FROM deliveries; DELETE FROM offers; DELETE FROM returns; DELETE FROM attempts; DELETE FROM fingerprints; DELETE FROM sales; DELETE FROM offer_counts; DELETE FROM idempotency_keys;"

const repetitions = 12 // after five executions PostgreSQL may use one generic plan for all arguments

func wantByIndex(t *testing.T, fill string) {
	server, database := explainedDatabase(t, fill)
	s, r := storetest.Open(t, database), storetest.OpenReader(t, database)
	job := storetest.Job(t, s)
	now, held := time.UnixMicro(15_000*1_000_000), int64(10_000)
	list := func(status lead.Status) func() error {
		return func() error { _, err := r.Newest(t.Context(), 50, status); return err }
	}
	find := func(f store.LeadFilter) func() error {
		return func() error {
			return r.View(t.Context(), func(tx *store.Tx) error {
				_, err := tx.FindLeads(f, storetest.SearchKey, store.LeadPage{Limit: 50})
				return err
			})
		}
	}
	update := func(do func(*store.Tx) error) func() error { return func() error { return s.Update(t.Context(), do) } }
	watchedBuyers(t, s)
	alerts := alerter.Alerter{Store: s, Now: func() time.Time { return now }, NewID: func(prefix string) string { return prefix + "1" }}
	for _, c := range []struct {
		name    string
		ask     func() error
		indexes string // must be used; | separates alternatives
	}{
		{"a glance", func() error { _, err := s.LeadSummary(t.Context(), "lead_012345"); return err }, "leads_id privacy_requests_lead"},
		{"a wish that names a lead", func() error {
			w := lead.PrivacyRequest{ID: "wish_again", At: now, Kind: lead.EraseAll, Phone: "+13055550123", LeadID: "lead_012344", State: lead.PrivacyOpen}
			return missing(storetest.Operator(s, now).SavePrivacyRequest(t.Context(), w, "asked"))
		}, "privacy_requests_lead leads_id"},
		{"a lead", func() error { _, err := r.Lead(t.Context(), "lead_012345"); return err }, "leads_id"},
		{"a key", func() error { _, err := s.IdempotentAnswer(t.Context(), "key", now); return err }, "idempotency_keys_pkey"},
		{"a lead that comes again", func() error {
			_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_again")), storetest.IdempotencyKey("again", "request", "{}"), storetest.Noon.Add(-time.Hour))
			return err
		}, "idempotency_keys_pkey"},
		{"what is due", update(func(tx *store.Tx) error { _, err := tx.Due("", now, 64); return err }), "deliveries_due deliveries_pkey new_leads_pkey leads_pkey"},
		{"what is due in a queue", update(func(tx *store.Tx) error { _, err := tx.Due("buyer_7", now, 8); return err }), "deliveries_due leads_pkey"},
		{"queues", func() error { _, err := s.Pending(t.Context(), now); return err }, "deliveries_due"},
		{"what waits to be sent", func() error { _, err := s.Waiting(t.Context(), "buyer_7", now, 50); return err }, "deliveries_due"},
		{"what is held, from the beginning", func() error { _, err := s.HeldAfter(t.Context(), 0, 2000); return err }, "leads_held"},
		{"what is held, further on", func() error { _, err := s.HeldAfter(t.Context(), 15_000, 2000); return err }, "leads_held"},
		{"where leads are held", func() error { _, err := s.HeldPlaces(t.Context(), 15_000, 2000); return err }, "leads_held"},
		{"what is held too long", func() error { _, err := job.CloseHeld(t.Context(), time.UnixMicro(1), lead.Change{}); return err }, "leads_held"},
		{"the newest", list(""), "leads_pkey"},
		{"the newest received", list(lead.Received), "deliveries_pkey new_leads_pkey leads_pkey"},
		{"the newest forwarded", list(lead.Forwarded), "leads_forwarded|leads_pkey"}, // half of the leads are forwarded
		{"the newest collected", list(lead.Collected), "leads_held"},
		{"the newest that dial", list(lead.CallToConnect), "leads_call_to_connect"},
		{"the newest rejected", list(lead.Rejected), "leads_rejected"},
		{"the newest in error", list(lead.Errored), "leads_error"},
		{"leads of a phone number", find(store.LeadFilter{Phones: []string{"+13055550123"}}), "follow_progress_pkey search_index_pkey leads_pkey"},
		{"leads of a ZIP code", find(store.LeadFilter{ZIPs: []string{"33139"}}), "search_index_pkey leads_pkey"},
		{"leads of a buyer", find(store.LeadFilter{Buyers: []string{"buyer_7"}}), "search_index_pkey attempts_pkey leads_pkey"},
		{"leads of a day", find(store.LeadFilter{Received: store.Span{From: now, To: now.Add(time.Hour)}, Services: []lead.Service{lead.HVAC}}), "leads_pkey offers_lead history_lead"},
		{"leads sold on a day", find(store.LeadFilter{Sold: store.Span{From: now, To: now.Add(time.Hour)}}), "attempts_pkey leads_pkey"},
		{"ZIP codes of a state", func() error {
			return r.View(t.Context(), func(tx *store.Tx) error {
				_, err := tx.LeadCounts().RankPlaces(store.PlaceQuery{Grain: "zip", From: "2026-01", To: "2026-12", First: "01000", End: "01500"})
				return err
			})
		}, "place_counts_pkey"},
		{"a history", func() error { _, err := r.History(t.Context(), "lead_012345"); return err }, "leads_id history_lead"},
		{"who was passed over", func() error { _, err := r.PassedOver(t.Context(), "lead_012345"); return err }, "leads_id history_lead"},
		{"offers of a lead", func() error { _, err := r.Offered(t.Context(), "lead_012344"); return err }, "leads_id offers_lead"},
		{"the lead of an offer", func() error { _, err := r.LeadOf(t.Context(), "offer_77"); return missing(err) }, "offers_pkey"},
		{"a lead by a buyer's id", func() error {
			_, err := r.LeadOf(t.Context(), "lead_012344000qk7m2x4vw5yz6abcdefghijkl")
			return missing(err)
		}, "leads_id"},
		{"attempts of a lead", func() error { _, err := r.Attempts(t.Context(), "lead_012344"); return err }, "leads_id attempts_lead"},
		{"what was charged for an offer", func() error {
			return r.View(t.Context(), func(tx *store.Tx) error { _, err := tx.Ledger().OfOffer("offer_7"); return err })
		}, "ledger_offer"},
		{"the newest attempts of a buyer", func() error {
			return r.View(t.Context(), func(tx *store.Tx) error {
				_, err := tx.Timeline().NewestAttempts("buyer_7", storetest.SearchKey, 20)
				return err
			})
		}, "attempts_pkey offers_pkey"},
		{"secrets", func() error { _, err := s.OfferSecrets(t.Context(), "offer_77"); return missing(err) }, "offers_pkey"},
		{"open privacy requests", func() error { _, err := r.PrivacyRequests(t.Context(), false); return err }, "privacy_requests_waiting|privacy_requests_open"},
		{"a row", update(func(tx *store.Tx) error { _, err := tx.LeadBySeq(777); return err }), "leads_pkey"},
		{"its delivery", update(func(tx *store.Tx) error { _, _, err := tx.Delivery(777); return err }), "deliveries_pkey"},
		{"its delivery, changed", update(func(tx *store.Tx) error { return tx.PutDelivery(buyer.Delivery{Lead: 777}) }), "deliveries_pkey"},
		{"its delivery, ended", update(func(tx *store.Tx) error { return tx.EndDelivery(777) }), "deliveries_pkey"},
		{"the delivery of a new lead", update(func(tx *store.Tx) error { _, _, err := tx.Delivery(15_007); return err }), "deliveries_pkey new_leads_pkey leads_pkey"},
		{"its offers", update(func(tx *store.Tx) error { _, err := tx.Offers(778); return err }), "offers_lead"},
		{"leads of a phone", update(func(tx *store.Tx) error {
			_, _, err := tx.LeadsOfPhone("print", "printg", 9, now.Add(-time.Hour))
			return err
		}), "fingerprints_pkey leads_pkey|fingerprints_pkey"},
		{"who has a twin", update(func(tx *store.Tx) error { _, err := tx.SoldTo("print", now); return err }), "sales_pkey"},
		{"what is withheld", update(func(tx *store.Tx) error { _, err := tx.Withheld(777); return err }), "withheld_pkey"},
		{"what became of offers", update(func(tx *store.Tx) error {
			_, err := tx.Counts("buyer_7", buyer.Period{Begin: now, End: now.Add(time.Hour)})
			return err
		}), "offer_counts_pkey"},
		{"places under a cap", update(func(tx *store.Tx) error {
			_, err := tx.Used("buyer_7", buyer.Period{Begin: now, End: now.Add(time.Hour)})
			return err
		}), "offer_counts_pkey"},
		{"a change", update(func(tx *store.Tx) error {
			held += 10
			return tx.Change(held, lead.Collected, lead.Change{Status: lead.Rejected, Actor: lead.ByService})
		}), "leads_pkey|leads_held"},
		{"a person, erased", update(func(tx *store.Tx) error {
			return tx.Erase(778, lead.Evidence{}, "", store.SearchTerms(storetest.SearchKey, lead.Contact{}))
		}), "leads_pkey attempts_lead offers_lead returns_pkey privacy_requests_lead"},
		{"notices but for a buyer", func() error { _, err := s.ReturnsToNotify(t.Context(), now, 100, "buyer_7"); return err }, "returns_notify"},
		{"old keys", func() error { return job.DeleteOld(t.Context(), store.IdempotencyKeys, time.UnixMicro(0)) }, "idempotency_keys_age"},
		{"old fingerprints", func() error { return job.DeleteOld(t.Context(), store.Fingerprints, time.UnixMicro(0)) }, "fingerprints_age"},
		{"old sales", func() error { return job.DeleteOld(t.Context(), store.Sales, time.UnixMicro(0)) }, "sales_age"},
		{"old messages", func() error { return job.DeleteOld(t.Context(), store.WebhookIDs, time.UnixMicro(0)) }, "webhook_ids_age"},
		{"old audit entries", func() error { return job.DeleteOld(t.Context(), store.AuditTrail, time.UnixMicro(0)) }, "audit_age"},
		{"the newest audit entries", func() error { _, err := r.Audit(t.Context(), store.AuditFilter{Limit: 50}); return err }, "audit_pkey"},
		{"audit entries of a lead", func() error {
			_, err := r.Audit(t.Context(), store.AuditFilter{Subject: "lead_012344", Limit: 50})
			return err
		}, "audit_subject"},
		{"what alerts are about", func() error { return alerts.Look(t.Context(), s.Update) }, "sales_age offer_counts_pkey audit_subject returns_waiting|returns_age privacy_requests_waiting|privacy_requests_open"},
		{"old counts", func() error { return job.DeleteOldCounts(t.Context(), time.UnixMicro(0)) }, "allowances_pkey"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(server.Log())
			for range repetitions {
				if err := c.ask(); err != nil {
					t.Fatal(err)
				}
			}
			plans := planPattern.FindAllStringSubmatch(server.Log()[before:], -1)
			if len(plans) < repetitions {
				t.Fatalf("%d plans are in the log", len(plans))
			}
			for _, p := range plans {
				wantNoSeqScan(t, p[1])
			}
			wantIndexes(t, plans, c.indexes)
		})
	}
}

// smallTables matches scans of tables that stay small.
var smallTables = regexp.MustCompile(`Seq Scan on (buyers|changes|buyer_health|suppressions|consent_texts|alert_rules|alert_states|alert_facts|alert_ways)\b`)

// wantNoSeqScan fails if a plan scans a large table.
func wantNoSeqScan(t *testing.T, plan string) {
	t.Helper()
	if plan = smallTables.ReplaceAllString(plan, ""); strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Bitmap") {
		t.Errorf("a table is read from end to end:\n%s", plan)
	}
}

// wantIndexes wants each index in all plans but one, which may be the first.
func wantIndexes(t *testing.T, plans [][]string, indexes string) {
	t.Helper()
	for index := range strings.FieldsSeq(indexes) {
		used, without := regexp.MustCompile(`(using|on) (`+index+`)\b`), ""
		found := 0
		for _, p := range plans {
			if used.MatchString(p[1]) {
				found++
			} else {
				without = p[1]
			}
		}
		if found < repetitions-1 {
			t.Errorf("%s is used %d times of %d:\n%s", index, found, repetitions, without)
		}
	}
}

// TestCheckUsesJoins checks that a check scans whole tables: looking up each lead by an index would take hours.
func TestCheckUsesJoins(t *testing.T) {
	server, database := explainedDatabase(t, fillTables)
	before := len(server.Log())
	if _, err := dbadmin.Check(t.Context(), database, nil, func(db.Finding) {}); err != nil {
		t.Fatal(err)
	}
	for _, p := range planPattern.FindAllStringSubmatch(server.Log()[before:], -1) {
		if strings.Contains(p[1], "GROUP BY lead_seq") && regexp.MustCompile(`(Hash|Merge) (Left |Right )?Join`).MatchString(p[1]) {
			return
		}
	}
	t.Error("what was handed over is not joined as a whole")
}
