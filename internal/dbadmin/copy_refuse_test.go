package dbadmin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
	"foyer/internal/store/storetest"
)

// wantCopyRefused fails unless the copy is refused for the given reasons and leaves the target unchanged.
func wantCopyRefused(t *testing.T, from, to string, why ...string) {
	t.Helper()
	before := allRows(t, to)
	_, err := dbadmin.CopyTo(t.Context(), from, to, nil)
	if err == nil {
		t.Fatal("it was copied")
	}
	for _, word := range why {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("it was refused with %q, which does not say %q", err, word)
		}
	}
	if diff := cmp.Diff(before, allRows(t, to)); before != nil && diff != "" {
		t.Errorf("the target was changed:\n%s", diff)
	}
}

// allRows returns all rows of a database, or nil if it does not exist.
func allRows(t *testing.T, database string) map[string][]string {
	t.Helper()
	if there, _ := store.Exists(t.Context(), database); !there {
		return nil
	}
	all, raw := make(map[string][]string), storetest.Raw(t, database)
	for _, table := range migrations.Tables {
		all[table.Name] = dbadmin.Rows(t, raw, table.Name)
	}
	return all
}

func TestTargetWithOtherDataIsRefused(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		withStore(t, to, func(s *store.Store) { storetest.Save(t, s, consentedLead("lead_other", lead.Collected)) })
		wantCopyRefused(t, from, to, "holds other data", "empty database")
	})
}

// A target that was used since the copy must not be reset to the data of the source: leads would be sold twice.
func TestChangedTargetIsRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"its table leads differs":            `UPDATE leads SET status = 'rejected' WHERE id = 'lead_held001'`,
		"its table history differs":          `INSERT INTO history (seq, lead_seq, at, status, actor, reason) VALUES (99, 1, 1, 'rejected', 'service', '')`,
		"its table privacy_requests differs": `DELETE FROM privacy_requests WHERE id = 'wish_2'`,
		"its table buyers differs":           `DELETE FROM buyers`,
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
				from, to := newDatabase(t), newDatabase(t)
				seed(t, from, 3)
				mustCopy(t, from, to)
				storetest.MustExec(t, to, change)
				wantCopyRefused(t, from, to, name)
			})
		})
	}
}

// A partial copy is not copied further, and does not keep another database from being copied over it.
func TestPartialCopyOfAnotherSource(t *testing.T) {
	dbadmin.CopyAtOnce(t, 5)
	betweenEngines(t, 20, func(t *testing.T, from, to string) {
		partialCopy(t, from, to, 3)
		wantCopyRefused(t, to, storetest.NewFile(t), "is itself a copy that is not finished")
		other := storetest.Database(t)
		seed(t, other, 7)
		mustCopy(t, other, to)
		wantSame(t, other, to)
	})
}

func TestCopyRefusedWhileServiceRuns(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		for _, database := range []string{from, to} {
			withStore(t, database, func(s *store.Store) {
				storetest.AcquireInstance(t, s)
				wantCopyRefused(t, from, to, "a service is on "+store.Redacted(database))
			})
		}
		mustCopy(t, from, to)
	})
}

// A service that starts during a copy saves nothing, so no lead is left behind.
func TestSourceRefusesWritesDuringCopy(t *testing.T) {
	dbadmin.CopyAtOnce(t, 5)
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newServer func(t *testing.T) string) {
		from, to := newServer(t), storetest.NewFile(t)
		seed(t, from, 40)
		s := storetest.Open(t, from)
		reports := 0
		_, err := dbadmin.CopyTo(t.Context(), from, to, func(db.Progress) {
			if reports++; reports > 1 {
				return
			}
			l := consentedLead("lead_late", lead.Collected)
			if _, err := s.SaveLead(t.Context(), &l, nil, noon); storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("a lead that came in the middle: %v", err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.AcquireInstance(t.Context()); err == nil || !strings.Contains(err.Error(), "moved to ") {
			t.Errorf("it takes leads that nobody would find: %v", err)
		}
		wantSame(t, from, to)
	})
}

func TestCopyErrors(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		wantCopyRefused(t, from, from, "there is nothing to copy")
		wantCopyRefused(t, "sqlite:"+t.TempDir()+"/none.db", to, "there is nothing to copy at")
		wantCopyRefused(t, "mysql:x", to, "only sqlite")
		wantCopyRefused(t, from, "mysql:x", "only sqlite")
		wantCopyRefused(t, from, "postgres://postgres@127.0.0.1:1/none", "cannot open")
		storetest.MustExec(t, from, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, '1')`)
		wantCopyRefused(t, from, to, "a newer foyer")
		storetest.MustExec(t, from, `DELETE FROM goose_db_version WHERE version_id > 4`)
		wantCopyRefused(t, from, to, "lacks migrations", "foyer db migrate")
	})
}

// SQLite stores texts that PostgreSQL does not. A copy reports such a text before it writes the row.
func TestCopyRefusesUnstorableText(t *testing.T) {
	t.Parallel()
	from := storetest.Database(t)
	seed(t, from, 3)
	storetest.MustExec(t, from, `UPDATE offers SET buyer_ref = 'a' || char(0) || 'b' WHERE id = 'offer_of_lead_lost'`)
	for _, newTarget := range storetest.Engines {
		if _, err := dbadmin.CopyTo(t.Context(), from, newTarget(t), nil); err == nil || !strings.Contains(err.Error(), "of offers holds a text with a NUL") {
			t.Errorf("got %v", err)
		}
	}
}

// A service that was started once on an empty database has stored its consent texts and key ids, and nothing else.
func TestTargetThatAServiceStartedOnce(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		later := lead.ConsentText{Version: "shown-2", Text: "Newer words."}
		withStore(t, to, func(s *store.Store) {
			if err := s.KeepConsentTexts(t.Context(), noon.Add(time.Hour), consentText, later); err != nil {
				t.Fatal(err)
			}
			if _, err := s.RegisterKeys(t.Context(), nil, []string{"index.2", "form-token.1"}, noon.Add(time.Hour)); err != nil {
				t.Fatal(err)
			}
		})
		mustCopy(t, from, to)
		wantSame(t, from, to)
	})
}

// A copy reads back what it wrote, and detects a target that stored something else.
func TestCopyDetectsAlteredRows(t *testing.T) {
	t.Parallel()
	from, to := storetest.Database(t), storetest.NewFile(t)
	seed(t, from, 3)
	if _, err := dbadmin.Migrate(t.Context(), to, nil); err != nil {
		t.Fatal(err)
	}
	storetest.MustExec(t, to, `CREATE TRIGGER careless AFTER INSERT ON history BEGIN UPDATE history SET reason = '' WHERE seq = NEW.seq; END`)
	_, err := dbadmin.CopyTo(t.Context(), from, to, nil)
	if err == nil || !strings.Contains(err.Error(), "history: ") || !strings.Contains(err.Error(), "sha256") {
		t.Errorf("got %v", err)
	}
	if half, err := dbadmin.Inspect(t.Context(), to); err != nil || !half.Copying {
		t.Errorf("it counts as finished (%v)", err)
	}
}
