package torture

import (
	"math"
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// auditResult is what a database holds, compared with what clients were told.
type auditResult struct {
	lost           int // accepted, but not stored
	keptRefused    int // refused, but stored
	keptUnanswered int // never answered, but stored
	late           int // accepted while the power was off
	lateLost       int // of these, not stored
}

func (f *auditResult) add(other auditResult) {
	f.lost, f.keptRefused, f.keptUnanswered = f.lost+other.lost, f.keptRefused+other.keptRefused, f.keptUnanswered+other.keptUnanswered
	f.late, f.lateLost = f.late+other.late, f.lateLost+other.lateLost
}

// audit reads a whole database and compares it with what clients were told. The caller judges losses, because the control
// must have some. Leads that are unexpectedly lost or stored are removed from the tally, so that the next audit does not
// count them again.
func audit(t *testing.T, dbURL string, all ...*tally) (f auditResult) {
	t.Helper()
	kept := leadsIn(t, dbURL)
	for _, told := range all {
		f.add(told.compare(t, kept))
	}
	return f
}

// compare compares what clients were told with what is stored.
func (told *tally) compare(t *testing.T, kept map[string]string) (f auditResult) {
	t.Helper()
	for mark, id := range told.accepted {
		if kept[mark] != id {
			delete(told.accepted, mark)
			f.lost++
		}
	}
	for mark, id := range told.late {
		if f.late++; kept[mark] != id {
			f.lateLost++
		}
	}
	clear(told.late)
	f.keptRefused, told.refused = count(told.refused, kept), nil
	f.keptUnanswered, told.unanswered = count(told.unanswered, kept), nil
	for _, s := range told.unexpected[:min(3, len(told.unexpected))] {
		t.Errorf("one of %d strange answers: %s", len(told.unexpected), s)
	}
	return f
}

func count(marks []string, kept map[string]string) (n int) {
	for _, mark := range marks {
		if kept[mark] != "" {
			n++
		}
	}
	return n
}

// leadsIn reads all leads, mark → lead_id.
func leadsIn(t *testing.T, dbURL string) map[string]string {
	t.Helper()
	r := reader(t, dbURL)
	defer r.Close()
	list, err := r.Newest(t.Context(), math.MaxInt32)
	if err != nil {
		t.Fatal(err)
	}
	kept := make(map[string]string, len(list))
	for _, l := range list {
		mark := l.Request.Contact.Notes
		if _, twice := kept[mark]; twice {
			t.Errorf("%q is kept twice", mark)
		}
		kept[mark] = l.ID
	}
	return kept
}

// reader opens a database for reading. It retries, because a server that has just restarted is busy.
func reader(t *testing.T, dbURL string) storetest.Reader {
	t.Helper()
	for began := time.Now(); ; {
		r, err := store.OpenReader(t.Context(), dbURL)
		if err == nil {
			return storetest.Reader{Reader: r}
		}
		if !onServer(dbURL) || time.Since(began) > 20*time.Second {
			t.Fatal(err)
		}
	}
}

// checkIntegrity makes the engine check every page of a database.
func checkIntegrity(t *testing.T, dbURL string) {
	t.Helper()
	db := open(t, dbURL)
	defer db.Close()
	check := "PRAGMA integrity_check"
	if onServer(dbURL) {
		if _, err := db.ExecContext(t.Context(), "CREATE EXTENSION IF NOT EXISTS amcheck"); err != nil {
			t.Fatalf("amcheck is a part of PostgreSQL: %v", err)
		}
		check = integrityQuery
	}
	var verdict string
	if err := db.QueryRowContext(t.Context(), check).Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("the database is damaged: %s %v", verdict, err)
	}
}

// integrityQuery makes PostgreSQL check all rows, and whether the indexes have each of them, in the right order.
const integrityQuery = `WITH
	tables AS (SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace),
	rows AS (SELECT string_agg(msg, '; ') AS wrong FROM tables, verify_heapam(oid)),
	indexes AS (SELECT count(bt_index_check(indexrelid, true)::text) AS checked FROM pg_index JOIN tables ON indrelid = tables.oid)
	SELECT coalesce(wrong, CASE WHEN checked > 0 THEN 'ok' ELSE 'no indexes' END) FROM rows, indexes`
