package dbadmin_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// findings returns the findings of a check. It leaves out that the fast test server does not wait for its disk, which has a test
// of its own.
func findings(t *testing.T, database string) (list []db.Finding) {
	t.Helper()
	if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
		if !f.Mild && !strings.HasPrefix(f.Remedy, "ALTER SYSTEM") {
			list = append(list, f)
		}
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

func wantNoFindings(t *testing.T, database string) {
	t.Helper()
	for _, f := range findings(t, database) {
		t.Errorf("found: %s", f.What)
	}
}

// damages are ways to damage a database: a statement, the finding, and a part of the remedy. If the remedy is a statement, it
// must repair the damage.
var damages = []struct{ statement, what, remedy string }{
	{`UPDATE leads SET job = '{' WHERE id = 'lead_sold'`, "lead_sold: its job cannot be read", "backup"},
	{`UPDATE leads SET evidence = '' WHERE id = 'lead_sold'`, "lead_sold: its evidence cannot be read", "backup"},
	{`UPDATE leads SET contact = '"Pat Example"' WHERE id = 'lead_sold'`, "lead_sold: its contact cannot be read", "backup"},
	{`UPDATE leads SET status = 'Pat Example' WHERE id = 'lead_dialled'`, "lead_dialled: its status is none that is kept", "backup"},
	{`UPDATE leads SET contact = '{"name":"Pat Example"}' WHERE id = 'lead_dialled'`, "lead_dialled: it holds a contact without consent", "foyer leads erase lead_dialled"},
	{`UPDATE consent_texts SET text = 'You may not.'`, "the consent text", "backup"},
	{`DELETE FROM consent_texts`, "lead_sold: the words that the person agreed to are not kept", "backup"},
	{`INSERT INTO new_leads SELECT seq FROM leads WHERE id = 'lead_sold'`, "lead_sold: it counts as new, and is not received", "DELETE FROM new_leads"},
	{`INSERT INTO new_leads SELECT seq FROM leads WHERE id = 'lead_asked'`, "lead_asked: it counts as new, and is not received, or on its way already", "DELETE FROM new_leads"},
	{`INSERT INTO new_leads VALUES (999)`, "a lead that is not there: it counts as new", "DELETE FROM new_leads"},
	{`DELETE FROM new_leads`, "lead_fresh: it is received, and nobody takes it", "INSERT INTO deliveries"},
	{`DELETE FROM deliveries`, "lead_asked: it is received, and nobody takes it", "INSERT INTO deliveries"},
	{`UPDATE deliveries SET lead_seq = (SELECT seq FROM leads WHERE id = 'lead_sold')`, "lead_asked: it is received, and nobody takes it", "INSERT INTO deliveries"},
	{`INSERT INTO deliveries (lead_seq, due_at, since) SELECT seq, 1, 1 FROM leads WHERE id = 'lead_sold'`, "lead_sold: it is on its way to a buyer, and not received", "DELETE FROM deliveries"},
	{`INSERT INTO deliveries (lead_seq, due_at, since) VALUES (999, 1, 1)`, "a lead that is not there: it is on its way", "DELETE FROM deliveries"},
	{`UPDATE deliveries SET step = 'Pat Example'`, "its step is unknown", "backup"},
	{`INSERT INTO withheld (lead_seq, reason, fingerprint, at) SELECT seq, 'duplicate', 'x', 1 FROM leads WHERE id = 'lead_sold'`, "lead_sold: it is kept off the market, and not held", "DELETE FROM withheld"},
	{`INSERT INTO withheld (lead_seq, reason, fingerprint, at) VALUES (999, 'duplicate', 'x', 1)`, "a lead that is not there: it is kept off the market", "DELETE FROM withheld"},
	{`INSERT INTO history (lead_seq, at, status, actor, reason) SELECT seq, 1, 'rejected', 'service', '' FROM leads WHERE id = 'lead_sold'`, "lead_sold: it stands elsewhere than its history says", "foyer leads show lead_sold"},
	{`DELETE FROM history WHERE status = 'forwarded'`, "lead_sold: its status changed, and its history does not tell", "backup"},
	{`UPDATE history SET lead_seq = 999 WHERE status = 'forwarded'`, "lead_sold: its status changed", "backup"},
	{`INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (77, 999, 1, 'rejected', 'service', '')`, "line 77 of the history: it belongs to no lead", "DELETE FROM history"},
	{`INSERT INTO attempts (seq, lead_seq, offer_id, kind, at, took, status, failure, answer, decision) VALUES (77, 999, '', '', 1, 1, 1, '', '', '')`, "attempt 77: it belongs to no lead", "DELETE FROM attempts"},
	{`INSERT INTO fingerprints (fingerprint, lead_seq, at) VALUES ('x', 999, 1)`, "the fingerprint of row 999: it belongs to no lead", "DELETE FROM fingerprints"},
	{`UPDATE legal_holds SET lead_seq = 999 WHERE removed_at = 0`, "legal_hold_1: it belongs to no lead", "DELETE FROM legal_holds"},
	{`INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state) VALUES ('offer_x', 999, 'buyer_gone', 1, 0, 'open')`, "offer_x: it belongs to no lead", "DELETE FROM offers"},
	{`UPDATE offers SET state = 'Pat Example' WHERE id = 'offer_of_lead_lost'`, "offers offer_of_lead_lost: its state is unknown", "backup"},
	{`UPDATE offers SET state = 'declined' WHERE id = 'offer_of_lead_sold'`, "lead_sold: buyers who acknowledged its contact: 0", "ask them"},
	{`INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state) SELECT 'offer_x', seq, 'buyer_gone', 1, 0, 'delivered' FROM leads WHERE id = 'lead_sold'`, "lead_sold: buyers who acknowledged its contact: 2", "ask them"},
	{`INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state) SELECT 'offer_x', seq, 'buyer_gone', 1, 0, 'delivered' FROM leads WHERE id = 'lead_held001'`, "lead_held001: buyers who acknowledged its contact: 1", "ask them"},
	{`UPDATE offer_counts SET used = used + 1`, "buyer_1: in the hour", "INSERT INTO offer_counts"},
	{`DELETE FROM offer_counts`, "buyer_1: in the hour", "INSERT INTO offer_counts"},
	{`INSERT INTO offer_counts (buyer_id, hour, used) VALUES ('buyer_1', 24, 1)`, "buyer_1: in the hour 24 another number", "INSERT INTO offer_counts"},
	{`UPDATE offer_counts SET used_cents = used_cents - 1`, "that were offered, for 13500 cents", "INSERT INTO offer_counts"},
	{`UPDATE offer_counts SET charged_cents = 0`, "are not those of its offers: charged 4500 cents, credited 0", "INSERT INTO offer_counts"},
	{`UPDATE offer_counts SET credited_cents = 1`, "are not those of its offers: charged 4500 cents, credited 0", "INSERT INTO offer_counts"},
	{`DELETE FROM ledger WHERE kind = 'charge'`, "offer_of_lead_sold: the account of buyer_1 does not say what it cost", "foyer buyers correct buyer_1"},
	{`UPDATE ledger SET amount_cents = 4499 WHERE kind = 'charge'`, "offer_of_lead_sold: the account of buyer_1 does not say what it cost", "foyer buyers correct"},
	{`INSERT INTO ledger (buyer_id, at, kind, amount_cents, offer_id, lead_id, service_type, note) VALUES ('buyer_1', 1, 'return', -4500, 'offer_of_lead_sold', '', '', '')`, "offer_of_lead_sold: the account of buyer_1 does not say", "foyer buyers correct"},
	{`INSERT INTO ledger (buyer_id, at, kind, amount_cents, offer_id, lead_id, service_type, note) VALUES ('buyer_1', 1, 'charge', 4500, 'offer_of_lead_lost', '', '', '')`, "offer_of_lead_lost: the account of buyer_1 does not say", "foyer buyers correct"},
	{`INSERT INTO ledger (seq, buyer_id, at, kind, amount_cents, offer_id, lead_id, service_type, note) VALUES (77, 'buyer_1', 1, 'charge', 4500, 'offer_x', '', '', '')`, "ledger entry 77: it belongs to no offer", "backup"},
	{`UPDATE buyers SET funds_cents = funds_cents + 1`, "buyer_1: its funds are not the 50000 cents of its payments", "where there is none, UPDATE buyers"},
	{`UPDATE statements SET charges_cents = charges_cents + 1`, "stmt_1: the lines of this statement do not come to what it says", "foyer statements show buyer_1 --month 2026-11"},
	{`UPDATE statements SET leads = 2`, "stmt_1: the lines of this statement do not come to what it says", "backup"},
	{`UPDATE ledger SET statement_id = '' WHERE kind = 'charge'`, "stmt_1: the lines of this statement do not come", "backup"},
	{`UPDATE ledger SET statement_id = 'stmt_x' WHERE kind = 'payment'`, "it is on a statement that is not there", "backup"},
	{`DELETE FROM returns`, "offer_of_lead_sold: its lead was returned, and the return is not on the list", "INSERT INTO returns"},
	{`UPDATE returns SET state = 'approved', decided_at = 1`, "offer_of_lead_sold: its return and its state do not agree", "backup"},
	{`INSERT INTO returns (offer_id, buyer_id, at, code, state) VALUES ('offer_x', 'buyer_1', 1, 'other', 'waiting')`, "offer_x: its return and its state do not agree", "backup"},
	{`UPDATE buyers SET terms = '{"name":'`, "buyer_1: its terms or secrets cannot be read", "add the buyer anew"},
	{`UPDATE buyers SET state = ''`, "buyers buyer_1: its state is unknown", "backup"},
	{`UPDATE privacy_requests SET phone = '+13055550123' WHERE id = 'wish_1'`, "wish_1: it is settled, and its phone number was not forgotten", "UPDATE privacy_requests"},
	{`UPDATE privacy_requests SET state = 'Pat Example' WHERE id = 'wish_2'`, "privacy_requests wish_2: its state is unknown", "backup"},
	{`UPDATE history SET status = 'Pat Example' WHERE status = 'forwarded'`, "its status is unknown", "backup"},
	{`UPDATE privacy_requests SET kind = 'more' WHERE id = 'wish_2'`, "privacy_requests wish_2: its kind is unknown", "backup"},
	{`INSERT INTO lead_outcomes VALUES (999, 'sold', 0, 0, 0, ''); UPDATE returns SET counted_as = state; INSERT INTO follow_progress SELECT 'counts leads', (SELECT MAX(seq) FROM leads) + (SELECT MAX(seq) FROM history) + COALESCE((SELECT MAX(seq) FROM attempts), 0) + (SELECT MAX(seq) FROM ledger)`, "it is counted as sold, and stands elsewhere", "foyer report rebuild"},
	{`INSERT INTO lead_outcomes VALUES (999, 'closed', 0, 0, 500, '')`, "row 999 of leads: its source is paid for it, though it could not be sold", "foyer report rebuild"},
	{`DELETE FROM sources`, "lead_dialled: its source is not there", "backup"},
	{`UPDATE sources SET terms = '{"name":'`, "src_1: its terms cannot be read", "backup"},
	{`INSERT INTO follow_progress VALUES ('counts leads', 1)`, "it is not counted", "foyer report rebuild"},
	{`INSERT INTO search_index VALUES (-5, 999)`, "row 999 of leads: its person was erased, and is in the search index", "DELETE FROM search_index"},
	{`UPDATE audit SET subject = '+13055550123'`, "its subject is a phone number or an address", "UPDATE audit"},
	{`UPDATE audit SET subject = 'pat@example.com'`, "its subject is a phone number or an address", "UPDATE audit"},
	{`UPDATE audit SET actor = 'Pat Example'`, "its actor is unknown, or its detail cannot be read", "backup"},
	{`UPDATE audit SET detail = 'Pat Example'`, "its actor is unknown, or its detail cannot be read", "backup"},
	{`INSERT INTO changes (topic, version) VALUES ('copying', 1)`, "is a copy that is not finished", "foyer db copy"},
}

func TestBrokenPromisesAreFound(t *testing.T) {
	storetest.Long(t)
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		clean, database := newDatabase(t), newDatabase(t)
		seed(t, clean, 3)
		mustCopy(t, clean, database)
		wantNoFindings(t, database)
		for _, d := range damages {
			t.Run(d.what, func(t *testing.T) {
				storetest.MustExec(t, database, d.statement)
				defer restoreCopy(t, clean, database)
				list := findings(t, database)
				if len(list) == 0 || !hasFinding(list, d.what, d.remedy) {
					t.Fatalf("found: %+v", list)
				}
				for _, f := range list {
					if strings.Contains(fmt.Sprint(f), "Pat Example") || strings.Contains(fmt.Sprint(f), "0123") {
						t.Errorf("it tells who somebody is: %+v", f)
					}
					applyRemedy(t, database, f)
				}
				if isStatement(d.remedy) {
					wantNoFindings(t, database)
				}
			})
		}
	})
}

// restoreCopy repairs a copy by resuming it like one that was stopped.
func restoreCopy(t *testing.T, clean, database string) {
	t.Helper()
	storetest.MustExec(t, database, `INSERT INTO changes (topic, version) VALUES ('copying', 1) ON CONFLICT DO NOTHING`)
	mustCopy(t, clean, database)
	for _, derived := range []string{"search_index", "lead_outcomes", "day_counts", "money_counts", "source_counts", "recent_leads", "place_counts", "follow_progress"} { // they are not copied
		storetest.MustExec(t, database, "DELETE FROM "+derived)
	}
}

func hasFinding(list []db.Finding, what, remedy string) bool {
	for _, f := range list {
		if strings.Contains(f.What, what) && strings.Contains(f.Remedy, remedy) {
			return true
		}
	}
	return false
}

func isStatement(remedy string) bool {
	for _, verb := range []string{"INSERT INTO", "UPDATE ", "DELETE FROM", "SELECT setval", "CREATE TYPE"} {
		if strings.HasPrefix(remedy, verb) {
			return true
		}
	}
	return false
}

// applyRemedy runs the remedy of a finding if it is a statement.
func applyRemedy(t *testing.T, database string, f db.Finding) {
	t.Helper()
	_, statement, found := strings.Cut(f.Remedy, "where there is none, ")
	if !found {
		statement = f.Remedy
	}
	if isStatement(statement) {
		storetest.MustExec(t, database, statement)
	}
}

// The next number of a PostgreSQL sequence must be unused.
func TestCheckFindsSequenceBehind(t *testing.T) {
	t.Parallel()
	for _, table := range []string{"leads", "history", "attempts", "privacy_requests"} {
		t.Run(table, func(t *testing.T) {
			database := storetest.PostgreSQL(t)
			seed(t, database, 3)
			storetest.MustExec(t, database, `SELECT setval(pg_get_serial_sequence('`+table+`', 'seq'), (SELECT max(seq) FROM `+table+`), false)`)
			list := findings(t, database)
			if len(list) != 1 || !strings.Contains(list[0].What, "the next row of "+table) {
				t.Fatalf("found: %+v", list)
			}
			applyRemedy(t, database, list[0])
			wantNoFindings(t, database)
		})
	}
}

// Offer counts are stored beside the offers. If they differ, the offers are right, and the finding is mild.
func TestCheckFindsWrongOfferCounts(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		seed(t, database, 1)
		storetest.MustExec(t, database, `UPDATE offer_counts SET offered = offered + 7`)
		storetest.MustExec(t, database, `INSERT INTO offer_counts (buyer_id, hour, used, returned) VALUES ('buyer_1', 24, 0, 1)`)
		storetest.MustExec(t, database, `INSERT INTO offer_counts (buyer_id, hour, used, accepted) VALUES ('buyer_1', 48, 0, 1)`)
		remarks := func() (list []db.Finding) {
			if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
				if strings.Contains(f.What, "its counts for the hour") {
					list = append(list, f)
				}
			}); err != nil {
				t.Fatal(err)
			}
			return list
		}
		list := remarks()
		if len(list) != 3 || !list[0].Mild || !strings.Contains(list[0].What, "buyer_1: its counts for the hour 24 are not those of its offers: offered 0") {
			t.Fatalf("found: %+v", list)
		}
		for _, f := range list {
			applyRemedy(t, database, f)
		}
		if list = remarks(); len(list) != 0 {
			t.Errorf("mended, and found: %+v", list)
		}
	})
}

// A torn page is found, and the check continues with what can be read.
func TestCheckFindsDamagedFile(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	seed(t, database, 200)
	path := strings.TrimPrefix(database, "sqlite:")
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for page := 20; page < 24; page++ {
		copy(bytes[page*4096:], strings.Repeat("torn", 64))
	}
	if err := os.WriteFile(path, bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	list := findings(t, database)
	if !hasFinding(list, "the file is damaged", "backup") {
		t.Errorf("found: %+v", list)
	}
	for _, f := range list {
		if strings.Contains(f.What, "\n") {
			t.Errorf("a finding of several lines: %q", f.What)
		}
	}
}

// A corrupt page of a table is found, and the check continues with the rest.
func TestADamagedTableIsFound(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t, postgres.Options{})
	database := server.Database(t)
	seed(t, database, 50)
	storetest.MustExec(t, database, `UPDATE privacy_requests SET phone = '+13055550123' WHERE id = 'wish_1'`)
	path, err := server.Exec(filepath.Base(database), `SELECT current_setting('data_directory') || '/' || pg_relation_filepath('leads')`)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Stop(postgres.Fast); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteAt([]byte(strings.Repeat("torn", 64)), 8192)
	if err := errors.Join(err, file.Close(), server.Start()); err != nil {
		t.Fatal(err)
	}
	list := findings(t, database)
	if !hasFinding(list, "the table leads is damaged: ERROR: invalid page in block 1", "backup") || !hasFinding(list, "wish_1: it is settled", "UPDATE privacy_requests") {
		t.Errorf("found: %+v", list)
	}
}

// A server that does not wait for its disk is reported. synchronous_commit is mild, because the service turns it on itself.
func TestCheckFindsUnsafeServerSettings(t *testing.T) {
	t.Parallel()
	for server, want := range map[*postgres.Server][]string{
		postgres.Shared(t): {"fsync", "full_page_writes", "synchronous_commit, mildly"}, postgres.Start(t, postgres.Options{}): nil,
	} {
		database := server.Database(t)
		seed(t, database, 1)
		var told []string
		if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
			if setting, found := strings.CutPrefix(f.Remedy, "ALTER SYSTEM SET "); found {
				told = append(told, strings.Fields(setting)[0]+map[bool]string{true: ", mildly"}[f.Mild])
			}
		}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(told, want) {
			t.Errorf("told of %q, want %q", told, want)
		}
	}
}

// With amcheck, the check covers indexes, too.
func TestCheckWithAmcheck(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	seed(t, database, 3)
	remarks := func() (n int) {
		if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
			if strings.Contains(f.Remedy, "amcheck") {
				n++
			}
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if remarks() != 1 {
		t.Error("nobody is told that indexes were not looked at")
	}
	storetest.MustExec(t, database, `CREATE EXTENSION amcheck`)
	if remarks() != 0 {
		t.Error("amcheck is there and was not used")
	}
	wantNoFindings(t, database)
	// Make an index hold other rows than its table.
	storetest.MustExec(t, database, `UPDATE pg_class SET relfilenode = (SELECT relfilenode FROM pg_class WHERE relname = 'privacy_requests_pkey') WHERE relname = 'leads_pkey'`)
	if list := findings(t, database); !hasFinding(list, "the index leads_pkey is damaged", "REINDEX INDEX leads_pkey") {
		t.Errorf("found: %+v", list)
	}
}

// A check reads one snapshot: concurrent writes cause no findings.
func TestCheckDuringWrites(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		seed(t, database, 3)
		s := storetest.Open(t, database)
		ctx, stop := context.WithCancel(t.Context())
		var working sync.WaitGroup
		working.Go(func() {
			for i := 0; ctx.Err() == nil; i++ {
				id := fmt.Sprint("lead_beside", i)
				storetest.Save(t, s, consentedLead(id, lead.Received))
				if err := s.Update(t.Context(), func(tx *store.Tx) error { return offerLead(tx, id, buyer.OfferDelivered, lead.Forwarded) }); err != nil {
					t.Error(err)
				}
			}
		})
		for range 5 {
			wantNoFindings(t, database)
			for range 5 {
				if now, err := dbadmin.Inspect(t.Context(), database); err != nil || now.Leads[lead.Received] != now.Deliveries {
					t.Errorf("%d are received and %d on their way (%v)", now.Leads[lead.Received], now.Deliveries, err)
				}
			}
		}
		stop()
		working.Wait()
	})
}

// A query that timed out says nothing about the data.
func TestCheckTimeoutIsNoFinding(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	seed(t, database, 3)
	locked, err := storetest.Raw(t, database).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer locked.Rollback()
	if _, err := locked.ExecContext(t.Context(), `LOCK TABLE offers`); err != nil {
		t.Fatal(err)
	}
	_, err = dbadmin.Check(t.Context(), database+"?statement_timeout=100", nil, func(f db.Finding) {
		if !f.Mild {
			t.Errorf("found: %+v", f)
		}
	})
	if err == nil || !strings.Contains(err.Error(), "says nothing about the data") || !strings.Contains(err.Error(), "statement timeout") {
		t.Errorf("got %v", err)
	}
}

func TestCheckErrors(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Empty, func(t *testing.T, newDatabase func(t *testing.T) string) {
		none := newDatabase(t)
		if _, err := dbadmin.Check(t.Context(), none, nil, nil); err == nil {
			t.Error("a database that is not there is sound")
		}
		seed(t, none, 1)
		storetest.MustExec(t, none, `DELETE FROM goose_db_version WHERE version_id = 5`)
		if _, err := dbadmin.Check(t.Context(), none, nil, nil); err == nil || !strings.Contains(err.Error(), "foyer db migrate") {
			t.Errorf("tables of yesterday: %v", err)
		}
		gone, stop := context.WithCancel(t.Context())
		stop()
		if _, err := dbadmin.Check(gone, none, nil, nil); !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
	})
}
