package dbadmin_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/migrations"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

func TestMigrate(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Empty, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		done, err := dbadmin.Migrate(t.Context(), database, nil)
		if err != nil || len(done) < 5 || done[0] != (migrations.Migration{Version: 1, Name: "leads", Applied: true}) {
			t.Fatalf("a new database: %+v, %v", done, err)
		}
		if done, err := dbadmin.Migrate(t.Context(), database, nil); err != nil || len(done) != 0 {
			t.Errorf("once more: %+v, %v", done, err)
		}
		storetest.MigrateTo(t, database, 4)
		now, err := dbadmin.Inspect(t.Context(), database)
		if err != nil || now.Pending() == 0 || now.Leads != nil || now.Migrations[4].Applied {
			t.Errorf("with one pending: %+v, %v", now, err)
		}
		if done, err := dbadmin.Migrate(t.Context(), database, nil); err != nil || len(done) == 0 || done[0].Version != 5 {
			t.Errorf("with one pending: %+v, %v", done, err)
		}
		storetest.Open(t, database)
	})
}

// Migrations can be undone one by one. Leads that were queued stay queued.
func TestMigrateDown(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		seed(t, database, 1)
		storetest.MigrateTo(t, database, 6)
		withStore(t, database, func(*store.Store) {})
		wantNoFindings(t, database) // every received lead is queued
		storetest.MigrateTo(t, database, 0)
		if done, err := dbadmin.Migrate(t.Context(), database, nil); err != nil || done[0].Version != 1 {
			t.Errorf("all anew: %+v, %v", done, err)
		}
	})
}

// A database from before there were legal holds is read as before, and its leads can be put under one.
func TestLegalHoldsComeToAnOldDatabase(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		const before = 23
		database := newDatabase(t)
		seed(t, database, 1)
		storetest.MigrateTo(t, database, before)
		done, err := dbadmin.Migrate(t.Context(), database, nil)
		if err != nil || len(done) == 0 || done[0] != (migrations.Migration{Version: before + 1, Name: "legal_holds", Applied: true}) {
			t.Fatalf("upgraded by %+v, %v", done, err)
		}
		withStore(t, database, func(s *store.Store) {
			operators := storetest.Operator(s, noon)
			operators.NewID = func(prefix string) string { return prefix + "0123456789" }
			if _, err := operators.Erase(t.Context(), "cli:ada", "lead_lost"); err != nil {
				t.Errorf("without holds: %v", err)
			}
			if _, err := operators.AddLegalHold(t.Context(), "cli:ada", "lead_sold", "matter 17"); err != nil {
				t.Error(err)
			}
			if _, err := operators.Erase(t.Context(), "cli:ada", "lead_sold"); err == nil {
				t.Error("a lead under a legal hold was erased")
			}
		})
		wantNoFindings(t, database)
	})
}

// An old program refuses newer tables and leaves them unchanged.
func TestNewerTablesAreRefused(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		seed(t, database, 1)
		storetest.MustExec(t, database, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, '1')`)
		_, migrated := dbadmin.Migrate(t.Context(), database, nil)
		s, opened := store.Open(t.Context(), database, storetest.NoLog)
		if opened == nil {
			s.Close()
		}
		files, err := filepath.Glob("../store/migrations/*.sql")
		if err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("the tables are of a newer foyer (version 99, this one knows %d)", len(files))
		for _, err := range []error{migrated, opened} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
		}
		if now, err := dbadmin.Inspect(t.Context(), database); err != nil || now.Newer() == nil {
			t.Errorf("it stands as %+v, %v", now, err)
		}
	})
}

func TestInspect(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Empty, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		if _, err := dbadmin.Inspect(t.Context(), database); err == nil {
			t.Error("a database that is not there stands somehow")
		}
		seed(t, database, 30)
		now, err := dbadmin.Inspect(t.Context(), database)
		if err != nil || now.Pending() != 0 || now.Copying || now.Size < 4096 || now.Engine == "" || now.Database != store.Redacted(database) || now.Deliveries != 2 {
			t.Errorf("got %+v, %v", now, err)
		}
		for status, want := range map[lead.Status]int64{
			lead.Received: 2, lead.Forwarded: 1, lead.Collected: 30, lead.CallToConnect: 1, lead.Rejected: 1, lead.Errored: 1,
		} {
			if now.Leads[status] != want {
				t.Errorf("%s: %d, want %d", status, now.Leads[status], want)
			}
		}
		storetest.MustExec(t, database, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, '1')`)
		storetest.MustExec(t, database, `INSERT INTO changes (topic, version) VALUES ('copying', 1)`)
		now, err = dbadmin.Inspect(t.Context(), database)
		if last := now.Migrations[len(now.Migrations)-1]; err != nil || !now.Copying || last.Version != 99999 || last.Name != "" || now.Pending() != 0 || now.Newer() == nil {
			t.Errorf("half a copy, by a newer program: %+v, %v", now, err)
		}
	})
}

// The migration replaces an index that misled PostgreSQL's planner.
func TestMigrationReplacesDueIndex(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	database := storetest.PostgreSQL(t)
	name := database[strings.LastIndex(database, "/")+1:]
	storetest.MigrateTo(t, database, 5)
	if _, err := server.Exec(name, "DROP INDEX deliveries_due; CREATE INDEX deliveries_due ON deliveries (lane, due_at, lead_seq)"); err != nil {
		t.Fatal(err)
	}
	if _, err := dbadmin.Migrate(t.Context(), database, nil); err != nil {
		t.Fatal(err)
	}
	index, err := server.Exec(name, "SELECT pg_get_indexdef('deliveries_due'::regclass)")
	if err != nil || !strings.Contains(index, "(buyer_queue, due_at)") {
		t.Errorf("it is %s, %v", index, err)
	}
}
