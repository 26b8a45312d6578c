package store_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

func TestLeadsSurviveClosingAndOpening(t *testing.T) {
	database, want := storetest.NewFile(t), storetest.FullLead("lead_durable")
	s, err := store.Open(t.Context(), database, storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Save(t, s, want)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := storetest.Find(t, storetest.Open(t, database), want.ID)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the lead changed (-before +after):\n%s", diff)
	}
}

// Without journal_mode and synchronous, a 202 would promise more than the disk keeps.
func TestTheWriterWaitsForTheDisk(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "busy_timeout": "5000"} {
		if got, err := s.Pragma(t.Context(), pragma); err != nil || got != want {
			t.Errorf("%s is %s (%v), want %s", pragma, got, err, want)
		}
	}
}

func TestTheWriterWaitsForTheDiskAfterReopening(t *testing.T) {
	s := storetest.Open(t, storetest.Database(t))
	_ = s.BreakConnection(t.Context())
	storetest.Eventually(t, "the store has recovered", func() bool { return s.Ping(t.Context()) == nil })
	if got, err := s.Pragma(t.Context(), "synchronous"); err != nil || got != "2" {
		t.Errorf("synchronous is %s (%v), want 2", got, err)
	}
}

func TestMigrationsRunOnce(t *testing.T) {
	database := storetest.NewFile(t)
	schema := func() string {
		db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(database, "sqlite:"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var text string
		err = db.QueryRow(`SELECT group_concat(sql, ';') || (SELECT group_concat(version_id || ':' || is_applied) FROM goose_db_version) FROM sqlite_schema`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_before"))
	before := schema()
	s := storetest.Open(t, database)
	if diff := cmp.Diff(before, schema()); diff != "" {
		t.Errorf("opening again changed the tables:\n%s", diff)
	}
	if !storetest.HasLead(t, s, "lead_before") {
		t.Error("opening again lost a lead")
	}
}

func TestAnyFileNameIsTaken(t *testing.T) {
	for _, name := range []string{"with space.db", "100%.db", "what?.db", "a#b.db", "a&b=c.db", "ünï.db"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			storetest.Save(t, storetest.Open(t, "sqlite:"+path), storetest.Lead("lead_1"))
			if _, err := storetest.OpenReader(t, "sqlite:"+path).Lead(t.Context(), "lead_1"); err != nil {
				t.Error(err)
			}
			if found, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.db")); len(found) != 1 || found[0] != path {
				t.Errorf("the files are %q, want %q", found, path)
			}
		})
	}
}
