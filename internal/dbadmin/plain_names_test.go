package dbadmin_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// renamed are the tables that migration 11 renames, by their earlier names.
var renamed = map[string]string{
	"fresh": "new_leads", "wishes": "privacy_requests", "prints": "fingerprints", "sold": "sales", "standings": "buyer_health", "cap_use": "offer_counts",
}

// storedWhere tells where an engine keeps each table and index, leaving out the indexes that SQLite has to build again.
var storedWhere = map[string]string{
	"SQLite": `SELECT rootpage, type FROM sqlite_schema WHERE rootpage > 0 AND name NOT LIKE 'wishes\_%' ESCAPE '\' AND name NOT LIKE 'privacy\_requests\_%' ESCAPE '\'`,
	"PostgreSQL": `SELECT oid, relfilenode FROM pg_class WHERE relfilenode <> 0 AND relkind IN ('r', 'i', 'S', 't')
		AND relnamespace IN ('public'::regnamespace, 'pg_toast'::regnamespace) AND oid >= 16384`,
}

// TestPlainNamesMoveNoRow renames the tables of an earlier database: every row is there as before, in the same place, and a view and
// a trigger that an operator made keep working.
func TestPlainNamesMoveNoRow(t *testing.T) {
	t.Parallel()
	for name, newDatabase := range storetest.Empty {
		t.Run(name, func(t *testing.T) {
			database := newDatabase(t)
			restoreFixture(t, database, earlier, lastEarlier)
			db := storetest.Raw(t, database)
			storetest.MustExec(t, database, `CREATE VIEW people AS SELECT p.print, w.look_at FROM prints p LEFT JOIN withheld w ON w.print = p.print`)
			storetest.MustExec(t, database, operatorTriggers[name])
			places, rows, people := textRows(t, db, storedWhere[name]), rowsByTable(t, db, func(table string) string { return table }), textRows(t, db, `SELECT * FROM people`)
			storetest.MigrateTo(t, database, lastEarlier+1)
			db = storetest.Raw(t, database) // statements that were prepared before do not know the new columns
			if diff := cmp.Diff(places, textRows(t, db, storedWhere[name])); diff != "" || len(places) < 20 {
				t.Errorf("tables and indexes are elsewhere (-before +after):\n%s", diff)
			}
			newName := func(table string) string {
				if plain := renamed[table]; plain != "" {
					return plain
				}
				return table
			}
			if diff := cmp.Diff(rows, rowsByTable(t, db, newName)); diff != "" {
				t.Errorf("the rows differ (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(people, textRows(t, db, `SELECT * FROM people`)); diff != "" || len(people) == 0 {
				t.Errorf("the view differs (-before +after):\n%s", diff)
			}
			storetest.MustExec(t, database, `UPDATE withheld SET check_at = 7`)
			if n := storetest.QueryInt(t, db, `SELECT opened FROM buyer_health WHERE buyer_id = 'buyer_by_trigger'`); n != 7 {
				t.Errorf("the trigger wrote %d", n)
			}
		})
	}
}

// operatorTriggers make a trigger that names columns and tables that are renamed. The body of a PostgreSQL function is a text, which
// is why the trigger names them itself.
var operatorTriggers = map[string]string{
	"SQLite": `CREATE TRIGGER looked AFTER UPDATE OF look_at ON withheld BEGIN
		INSERT INTO standings (buyer_id, asked_at, failures, trips, shut_until, wake_at) VALUES ('buyer_by_trigger', 0, 0, NEW.look_at, 0, 0); END`,
	"PostgreSQL": `CREATE FUNCTION looked() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO buyer_health (buyer_id, asked_at, failures, opened, open_until, wake_at) VALUES ('buyer_by_trigger', 0, 0, TG_ARGV[0]::bigint, 0, 0); RETURN NULL; END $$;
		CREATE TRIGGER looked AFTER UPDATE OF look_at ON withheld FOR EACH ROW WHEN (NEW.look_at > 0) EXECUTE FUNCTION looked('7')`,
}

// rowsByTable reads every row of every table of the earlier version, under the name that the table has now.
func rowsByTable(t *testing.T, db *sql.DB, nameNow func(string) string) map[string][]string {
	t.Helper()
	all := make(map[string][]string)
	for _, table := range []string{
		"leads", "history", "fresh", "deliveries", "offers", "attempts", "prints", "sold", "buyers", "standings", "cap_use", "consent_texts", "idempotency_keys",
		"suppressions", "wishes", "withheld", "keys", "webhook_ids", "allowances",
	} {
		all[table] = textRows(t, db, `SELECT * FROM `+nameNow(table))
	}
	return all
}

// textRows returns the rows of a query as texts, sorted.
func textRows(t *testing.T, db *sql.DB, query string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		cells, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, c := range cells {
			texts = append(texts, fmt.Sprintf("%t %q", c.Valid, c.String))
		}
		list = append(list, strings.Join(texts, ", "))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}

// wantReads7960e37 reads the fixture 7960e37 with this program, and continues with it.
func wantReads7960e37(t *testing.T, database string) {
	t.Helper()
	now, err := dbadmin.Inspect(t.Context(), database)
	want := map[lead.Status]int64{lead.Received: 6, lead.Forwarded: 2, lead.Collected: 10, lead.CallToConnect: 1, lead.Rejected: 3, lead.Errored: 1}
	if diff := cmp.Diff(want, now.Leads); err != nil || diff != "" || now.Deliveries != 6 {
		t.Errorf("leads by their status, %d on their way (%v):\n%s", now.Deliveries, err, diff)
	}
	requests, err := storetest.OpenReader(t, database).PrivacyRequests(t.Context(), true)
	if err != nil || len(requests) != 3 || requests[0].Phone != "+13055550198" || requests[1].State != lead.PrivacyDone || requests[2].LeadID == "" {
		t.Errorf("privacy requests: %+v, %v", requests, err)
	}
	s := storetest.Open(t, database)
	if !s.Suppressed("+13055550199") {
		t.Error("a suppressed number is forgotten")
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error { return wantMarket7960e37(t, tx) }); err != nil {
		t.Error(err)
	}
	l := storetest.Lead("lead_next")
	l.Status = lead.Received
	storetest.Save(t, s, l)
	if n := storetest.QueryInt(t, storetest.Raw(t, database), `SELECT count(*) FROM new_leads`); n != 3 {
		t.Errorf("%d new leads with the one that came after the upgrade", n)
	}
}

// wantMarket7960e37 reads what forwarding reads in the fixture 7960e37.
func wantMarket7960e37(t *testing.T, tx *store.Tx) error {
	t.Helper()
	later := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	fresh, err := tx.Due("", later, 8)
	if err != nil || len(fresh) != 2 || fresh[0].Lead != 22 || fresh[1].Lead != 23 {
		t.Errorf("new leads: %+v, %v", fresh, err)
	}
	due, err := tx.Due("buyer_m4g6eg64iw6jpjli37g53r24td", later, 8)
	if err != nil || len(due) != 1 || due[0].Step != buyer.StepDeliver || !due[0].MayHaveContact || due[0].URL != "https://buyer-7.example.com" {
		t.Errorf("a contact that was being sent: %+v, %v", due, err)
	}
	h, err := tx.Health("buyer_3ckplkpm2mfslsoldutiuutlxf")
	if err != nil || h.Failures != 12 || h.Opened != 1 || h.OpenUntil.UnixMicro() != 1794859728638905 || h.WakeAt.IsZero() || !h.ScanUntil.IsZero() {
		t.Errorf("a buyer that does not answer: %+v, %v", h, err)
	}
	const fingerprint = "k598c4c3ee3285a09fbfff8954064a18d77b59f17"
	others, _, err := tx.LeadsOfPhone(fingerprint, fingerprint+"g", 0, time.Time{})
	if err != nil || len(others) != 1 || others[0].Status != lead.Forwarded {
		t.Errorf("leads of a person: %+v, %v", others, err)
	}
	if sold, err := tx.SoldTo(fingerprint, time.Time{}); err != nil || !slices.Equal(sold, []string{"buyer_5h26hamtftbufacnqlnn5a34oh"}) {
		t.Errorf("sold to %v, %v", sold, err)
	}
	if reason, err := tx.Withheld(4); err != nil || reason != lead.Duplicate {
		t.Errorf("withheld for %q, %v", reason, err)
	}
	counts, err := tx.Counts("buyer_5h26hamtftbufacnqlnn5a34oh", buyer.Period{})
	if want := (buyer.Counts{Used: buyer.Usage{Leads: 2}, Offered: 2, Accepted: 2, Delivered: 2, Returned: 1}); counts != want {
		t.Errorf("counts are %+v, %v", counts, err)
	}
	return err
}
