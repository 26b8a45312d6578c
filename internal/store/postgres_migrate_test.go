package store_test

import (
	"context"
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// TestMigrationLetsOthersPass has a reader that does not end, such as a dump, while a newer version starts. The older one takes leads all the
// same, and the migration is done when the reader has ended.
func TestMigrationLetsOthersPass(t *testing.T) {
	t.Parallel()
	postgres.Shared(t)
	database := storetest.PostgreSQL(t)
	storetest.MigrateTo(t, database, 16)
	db := openRaw(t, database)
	reader, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback() }()
	if _, err := reader.ExecContext(t.Context(), `SELECT 1 FROM leads LIMIT 1`); err != nil {
		t.Fatal(err)
	}
	opened := make(chan error, 1)
	go func() {
		s, err := store.Open(context.Background(), database, storetest.NoLog)
		if err == nil {
			err = s.Close()
		}
		opened <- err
	}()
	storetest.Eventually(t, "the migration waits for the reader", func() bool {
		return storetest.QueryInt(t, db, `SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock' AND relation = 'leads'::regclass`) > 0
	})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // without the migration's timeout, the reader would have to end first
	defer cancel()
	if _, err := db.ExecContext(ctx, `INSERT INTO leads (id, status, created_at, updated_at, service_type, zip_code, marks, job, contact, evidence) VALUES ('lead_1', 'collected', 1, 1, 'hvac', '33139', '', '{}', '{}', '{}')`); err != nil {
		t.Errorf("while the migration waits: %v", err)
	}
	select {
	case err := <-opened:
		t.Fatalf("the migration has ended before the reader: %v", err)
	default:
	}
	if err := reader.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-opened; err != nil {
		t.Fatal(err)
	}
	if n := storetest.QueryInt(t, db, `SELECT count(*) FROM leads WHERE id = 'lead_1' AND source = ''`); n != 1 {
		t.Errorf("the lead is there %d times", n)
	}
}
