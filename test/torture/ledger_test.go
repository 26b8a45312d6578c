package torture

import (
	"database/sql"
	"math"
	"strings"
	"testing"

	"foyer/internal/store"
)

// found is what a database holds, held against what clients were told.
type found struct {
	lost     int // accepted, and not there
	anyway   int // refused, and there
	unspoken int // never answered, and there
	late     int // accepted when the power was off
	lateLost int // of these, not there
}

func (f *found) add(other found) {
	f.lost, f.anyway, f.unspoken = f.lost+other.lost, f.anyway+other.anyway, f.unspoken+other.unspoken
	f.late, f.lateLost = f.late+other.late, f.lateLost+other.lateLost
}

// audit reads a whole database and compares it with a tally. Losses are the caller's to judge: the control must have some.
// What is lost or there against expectation is struck from the tally, so that the next audit does not count it again.
func audit(t *testing.T, folder string, told *tally) found {
	t.Helper()
	kept := leadsIn(t, folder)
	var f found
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
	f.anyway, told.refused = count(told.refused, kept), nil
	f.unspoken, told.unanswered = count(told.unanswered, kept), nil
	for _, s := range told.strange[:min(3, len(told.strange))] {
		t.Errorf("one of %d strange answers: %s", len(told.strange), s)
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
func leadsIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	r, err := store.OpenReader(t.Context(), database(folder))
	if err != nil {
		t.Fatal(err)
	}
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

// intact has SQLite look at every page of a database.
func intact(t *testing.T, folder string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(database(folder), "sqlite:"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Fatalf("the database is damaged: %s %v", verdict, err)
	}
}
