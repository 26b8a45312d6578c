package dbadmin_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
)

// predecessors are earlier versions with a fixture of their database: how many migrations its tables have, and how to read it.
var predecessors = map[string]struct {
	version   int64
	wantReads func(t *testing.T, database string)
}{
	"cc23519": {8, wantAsBefore},
	earlier:   {lastEarlier, wantReads7960e37},
}

// TestAnEarlierDatabaseIsUpgraded upgrades the database of an earlier version that was killed while it ran: the database is
// sound, its tables are those of a new database, and its rows are read as before.
func TestAnEarlierDatabaseIsUpgraded(t *testing.T) {
	t.Parallel()
	for commit, p := range predecessors {
		for name, newDatabase := range storetest.Empty {
			t.Run(commit+" on "+name, func(t *testing.T) {
				database := newDatabase(t)
				restoreFixture(t, database, commit, p.version)
				done, err := dbadmin.Migrate(t.Context(), database, nil)
				if err != nil || len(done) == 0 || done[0].Version != p.version+1 {
					t.Fatalf("upgraded by %+v, %v", done, err)
				}
				wantSoundCounts(t, database)
				fresh := newDatabase(t)
				storetest.Open(t, fresh)
				if diff := cmp.Diff(columnsOf(t, name, fresh), columnsOf(t, name, database)); diff != "" {
					t.Errorf("the tables of a new database and of this one (-new +this):\n%s", diff)
				}
				p.wantReads(t, database)
			})
		}
	}
}

// blob matches a SQLite blob literal.
var blob = regexp.MustCompile(`X'([0-9a-f]*)'`)

// restoreFixture creates the database of an earlier version.
func restoreFixture(t *testing.T, database, commit string, version int64) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", commit+".sql"))
	if err != nil {
		t.Fatal(err)
	}
	tables, rows, _ := strings.Cut(string(text), "-- ----\n")
	if strings.HasPrefix(database, "postgres") {
		storetest.MigrateTo(t, database, version)
		storetest.MustExec(t, database, blob.ReplaceAllString(rows, `'\x$1'`))
		setSequences(t, database)
		return
	}
	if err := os.WriteFile(strings.TrimPrefix(database, "sqlite:"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	storetest.MustExec(t, database, `PRAGMA journal_mode = WAL`)
	storetest.MustExec(t, database, tables+rows)
}

// setSequences has the sequences of an earlier version go on after the last rows.
func setSequences(t *testing.T, database string) {
	t.Helper()
	for _, table := range []string{"leads", "history", "attempts", "wishes"} {
		storetest.MustExec(t, database, `SELECT setval(pg_get_serial_sequence('`+table+`', 'seq'), (SELECT max(seq) FROM `+table+`))`)
	}
}

// wantSoundCounts fails the test if a check finds anything, such as wrong counts of offers.
func wantSoundCounts(t *testing.T, database string) {
	t.Helper()
	wantNoFindings(t, database)
	if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
		if strings.Contains(f.What, "its counts") {
			t.Errorf("found: %s", f.What)
		}
	}); err != nil {
		t.Fatal(err)
	}
}

func columnsOf(t *testing.T, engine, database string) map[column]bool {
	t.Helper()
	rows, err := storetest.Raw(t, database).Query(schemas[engine])
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns := make(map[column]bool)
	for rows.Next() {
		var c column
		if err := rows.Scan(&c.table, &c.name, &c.key); err != nil {
			t.Fatal(err)
		}
		columns[c] = true
	}
	return columns
}

// wantAsBefore reads the rows of the fixtures, and continues with them.
func wantAsBefore(t *testing.T, database string) {
	t.Helper()
	now, err := dbadmin.Inspect(t.Context(), database)
	want := map[lead.Status]int64{lead.Received: 1, lead.Forwarded: 2, lead.Collected: 3, lead.CallToConnect: 1, lead.Rejected: 2, lead.Errored: 1}
	if diff := cmp.Diff(want, now.Leads); err != nil || diff != "" {
		t.Errorf("leads by their status (%v):\n%s", err, diff)
	}
	wantTheSoldLead(t, storetest.OpenReader(t, database))
	var offered, accepted, delivered, returned int
	err = storetest.Raw(t, database).QueryRow(`SELECT offered, accepted, delivered, returned FROM offer_counts WHERE used = 2`).Scan(&offered, &accepted, &delivered, &returned)
	if err != nil || offered != 2 || accepted != 2 || delivered != 2 || returned != 1 {
		t.Errorf("of the buyer who took two: %d offered, %d accepted, %d delivered, %d returned (%v)", offered, accepted, delivered, returned, err)
	}
	s := storetest.Open(t, database)
	if !s.Suppressed("+13055550199") {
		t.Error("a suppressed number is forgotten")
	}
	if buyers, _, err := s.Buyers(t.Context()); err != nil || len(buyers) != 4 {
		t.Errorf("%d buyers, %v", len(buyers), err)
	}
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		due, err := tx.Due("buyer_a343ubdwjwsk2xsausxxrkgmeb", time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), 8)
		if len(due) != 1 || due[0].Offer != "offer_1k7i9kvg9p3ffvk7mhdgnzqypepeesf7b2a" {
			t.Errorf("on its way: %+v", due)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	l := storetest.Lead("lead_next")
	storetest.Save(t, s, l)
	if _, err := s.LeadSummary(t.Context(), l.ID); err != nil {
		t.Errorf("a lead that came after the upgrade: %v", err)
	}
}

// wantTheSoldLead reads a lead that was forwarded and returned.
func wantTheSoldLead(t *testing.T, r storetest.Reader) {
	t.Helper()
	const id = "lead_1k7i9je3mcyxkcrvfu5jnm5r4yercmistjy"
	l, err := r.Lead(t.Context(), id)
	if err != nil || l.Status != lead.Forwarded || l.Request.Contact.Name != "Pat Example" || l.Request.City != "Miami Beach" || l.Evidence.Consent.Hash == "" {
		t.Errorf("it is %+v, %v", l, err)
	}
	if history, err := r.History(t.Context(), id); err != nil || len(history) != 1 || history[0].Status != lead.Forwarded {
		t.Errorf("its history is %+v, %v", history, err)
	}
	if offers, err := r.Offered(t.Context(), id); err != nil || len(offers) != 1 || offers[0].BuyerName != "Alpha Air" || offers[0].Reason != "a wrong number" {
		t.Errorf("its offers are %+v, %v", offers, err)
	}
	if attempts, err := r.Attempts(t.Context(), id); err != nil || len(attempts) != 2 {
		t.Errorf("its attempts are %+v, %v", attempts, err)
	}
	if wishes, err := r.PrivacyRequests(t.Context(), true); err != nil || len(wishes) != 2 {
		t.Errorf("wishes: %+v, %v", wishes, err)
	}
}
