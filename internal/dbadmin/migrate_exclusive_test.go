package dbadmin_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/dbadmin"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// earlier is the version before the first migration that must run alone, and lastEarlier the last migration of its tables.
const (
	earlier     = "7960e37"
	lastEarlier = 10
)

// saveAsEarlier saves a received lead with the statements of the earlier version.
func saveAsEarlier(ctx context.Context, db *sql.DB, id string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence)
			SELECT '` + id + `', status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence FROM leads WHERE seq = 22`,
		`INSERT INTO fresh (lead_seq) SELECT seq FROM leads WHERE id = '` + id + `'`,
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

// runEarlier holds the instance lock and saves leads as a service of the earlier version does. stop ends it and returns how many it
// saved.
func runEarlier(t *testing.T, database string) (stop func() int) {
	t.Helper()
	release, db := storetest.HoldInstance(t, database), storetest.Raw(t, database)
	stopped, saved := make(chan struct{}), 0
	var done sync.WaitGroup
	done.Go(func() {
		for {
			select {
			case <-stopped:
				return
			case <-time.After(time.Millisecond):
			}
			if err := saveAsEarlier(context.Background(), db, fmt.Sprint("lead_beside", saved)); err != nil {
				t.Errorf("beside the migration, a lead was not saved: %v", err)
				return
			}
			saved++
		}
	})
	return func() int {
		close(stopped)
		done.Wait()
		release()
		return saved
	}
}

// TestMigrationBesideAService refuses to rename tables while an earlier service saves leads, and renames them once it has stopped.
func TestMigrationBesideAService(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Empty, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		restoreFixture(t, database, earlier, lastEarlier)
		stop := runEarlier(t, database)
		for name, open := range map[string]func() error{
			"migrate": func() error { _, err := dbadmin.Migrate(t.Context(), database, nil); return err },
			"open":    func() error { return openAndClose(store.Open(t.Context(), database, storetest.NoLog)) },
			"command": func() error { return openAndClose(store.OpenExisting(t.Context(), database, storetest.NoLog)) },
			"reader":  func() error { return openAndClose(store.OpenReader(t.Context(), database)) },
		} {
			err := open()
			if err == nil || !strings.Contains(err.Error(), "migration 11 (plain_names)") || !strings.Contains(err.Error(), "stop every foyer that uses it") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %v", name, err)
			}
		}
		if now, err := dbadmin.Inspect(t.Context(), database); err != nil || now.Pending() == 0 || now.Migrations[lastEarlier].Applied {
			t.Errorf("a refused migration left %+v, %v", now, err)
		}
		saved := stop()
		if done, err := dbadmin.Migrate(t.Context(), database, nil); err != nil || len(done) == 0 || done[0].Version != lastEarlier+1 {
			t.Fatalf("after the service stopped: %+v, %v", done, err)
		}
		if n := storetest.QueryInt(t, storetest.Raw(t, database), `SELECT count(*) FROM new_leads`); saved == 0 || n != 2+saved {
			t.Errorf("%d new leads, want 2 and the %d that were saved meanwhile", n, saved)
		}
		wantNoFindings(t, database)
	})
}

func openAndClose[T io.Closer](opened T, err error) error {
	if err != nil {
		return err
	}
	return opened.Close()
}

// TestEarlierCommandAfterTheRename has an earlier command, which holds no lock, write on a connection from before the migration: it
// fails and changes nothing.
func TestEarlierCommandAfterTheRename(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Empty, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		restoreFixture(t, database, earlier, lastEarlier)
		db := storetest.Raw(t, database)
		db.SetMaxOpenConns(1)
		if err := saveAsEarlier(t.Context(), db, "lead_before"); err != nil {
			t.Fatal(err)
		}
		if _, err := dbadmin.Migrate(t.Context(), database, nil); err != nil {
			t.Fatal(err)
		}
		if err := saveAsEarlier(t.Context(), db, "lead_after"); err == nil || !strings.Contains(err.Error(), "fresh") {
			t.Errorf("got %v", err)
		}
		if n := storetest.QueryInt(t, db, `SELECT count(*) FROM leads WHERE id = 'lead_after'`); n != 0 {
			t.Error("a part of what failed was kept")
		}
		wantNoFindings(t, database)
	})
}

// TestStartsAtOnce starts several services at the same time, on a new database and on one to upgrade. One of them migrates, and none
// is refused because another was faster.
func TestStartsAtOnce(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, database string){
		"new":     func(*testing.T, string) {},
		"earlier": func(t *testing.T, database string) { restoreFixture(t, database, earlier, lastEarlier) },
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachEngine(t, storetest.Empty, func(t *testing.T, newDatabase func(t *testing.T) string) {
				database := newDatabase(t)
				prepare(t, database)
				var started sync.WaitGroup
				for range 4 {
					started.Go(func() {
						s, err := store.Open(t.Context(), database, storetest.NoLog)
						if err != nil {
							t.Error(err)
							return
						}
						if _, err := s.AcquireInstance(t.Context()); err != nil {
							t.Error(err)
						}
						t.Cleanup(func() { s.Close() })
					})
				}
				started.Wait()
				wantNoFindings(t, database)
			})
		})
	}
}

// TestStartBesideAMigration has a newer program change the tables after this one opened them and before it took its lock.
func TestStartBesideAMigration(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		s := storetest.Open(t, database)
		if _, err := s.AcquireInstance(t.Context()); err != nil {
			t.Fatal(err)
		}
		storetest.MustExec(t, database, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, '1')`)
		if _, err := s.AcquireInstance(t.Context()); err == nil || !strings.Contains(err.Error(), "newer foyer") {
			t.Errorf("got %v", err)
		}
	})
}

// TestCopyIntoEarlierTables copies into a target with the tables of the earlier version and no leads. The copy holds the shared lock of
// the target, and needs it exclusively to migrate.
func TestCopyIntoEarlierTables(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		source, target := storetest.SQLite(t), newDatabase(t)
		seed(t, source, 3)
		storetest.Open(t, target)
		storetest.MigrateTo(t, target, lastEarlier)
		if _, err := dbadmin.CopyTo(t.Context(), source, target, nil); err != nil {
			t.Fatal(err)
		}
		wantNoFindings(t, target)
	})
}
