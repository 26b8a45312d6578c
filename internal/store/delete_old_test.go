package store_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// backlog lists the tables that long jobs delete from: how to write row number n, and what deletes all rows below 5,000.
var backlog = []struct {
	table, columns, row string
	delete              func(*store.Job, context.Context) error
}{
	{"idempotency_keys", "key_hash, request_hash, answer, created_at", "'key' || (n * 7919 % 5011), '', '', n", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.IdempotencyKeys, time.UnixMicro(5_000))
	}},
	{"fingerprints", "fingerprint, lead_seq, at", "'print' || n % 100, n, n", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.Fingerprints, time.UnixMicro(5_000))
	}},
	{"sales", "fingerprint, buyer_id, at", "'print' || n, 'buyer_1', n", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.Sales, time.UnixMicro(5_000))
	}},
	{"webhook_ids", "id, at", "'msg_' || n, n", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.WebhookIDs, time.UnixMicro(5_000))
	}},
	{"user_links", "hash, user_id, created_at, expires_at", "substr('0000000000000000000000000000000000000000000000000000000000000000' || n, length('' || n) + 1, 64), '', 1, n + 1", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.UserLinks, time.UnixMicro(5_001))
	}},
	{"sessions", "id, hash, user_id, device, created_at, seen_at, expires_at", "'ses_' || n, substr('0000000000000000000000000000000000000000000000000000000000000000' || n, length('' || n) + 1, 64), 'usr_1', '', 1, n + 1, 1", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.Sessions, time.UnixMicro(5_001))
	}},
	{"alert_messages", "id, way_id, kind, rule, subject, title, text, path, since, at", "'alert_' || n, 'way_1', 'fired', '', '', '', '', '', 0, n + 1", func(j *store.Job, ctx context.Context) error {
		return j.DeleteOld(ctx, store.AlertMessages, time.UnixMicro(5_001))
	}},
	{"allowances", "key, spent_at, step, burst, granted", "'client' || n, n, 1, 1, 1", func(j *store.Job, ctx context.Context) error { return j.DeleteOldCounts(ctx, time.Unix(0, 5_000)) }},
}

// insertBacklog inserts 5,010 rows.
func insertBacklog(t *testing.T, database, table, columns, row string) {
	t.Helper()
	numbers := "generate_series(0, 5009) AS all_of_them(n)"
	if strings.HasPrefix(database, "sqlite") {
		numbers = "(WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 5009) SELECT n FROM c)"
	}
	storetest.MustExec(t, database, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", table, columns, row, numbers))
}

// A backlog is deleted in small steps: other requests run between them, and new rows stay.
func TestBacklogIsDeletedInSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("it fills large tables")
	}
	t.Parallel()
	engines := map[string]func(t *testing.T) string{"SQLite": storetest.SQLite, "PostgreSQL": storetest.PostgreSQL}
	storetest.OnEachEngine(t, engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		for _, b := range backlog {
			t.Run(b.table, func(t *testing.T) {
				storetest.Parallel(t) // it mostly pauses
				database := newDatabase(t)
				s := storetest.Open(t, database)
				insertBacklog(t, database, b.table, b.columns, b.row)
				updates := updatesDuring(t, s, func() {
					if err := b.delete(storetest.Job(t, s), t.Context()); err != nil {
						t.Error(err)
					}
				})
				if updates < 5_000/500 {
					t.Errorf("there were %d updates meanwhile", updates)
				}
				var left int
				if err := storetest.Raw(t, database).QueryRow(`SELECT count(*) FROM ` + b.table).Scan(&left); err != nil || left != 10 {
					t.Errorf("%d are left, %v", left, err)
				}
			})
		}
	})
}

// updatesDuring returns how many updates another caller makes while do runs. The caller pauses between two: steps become shorter and
// pauses longer on a machine without a free core.
func updatesDuring(t *testing.T, s *store.Store, do func()) (updates int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var other sync.WaitGroup
	other.Go(func() {
		for ; ctx.Err() == nil; time.Sleep(time.Millisecond) {
			if err := s.Update(t.Context(), func(*store.Tx) error { return nil }); err != nil {
				t.Error(err)
			}
			updates++
		}
	})
	do()
	stop()
	other.Wait()
	return updates
}

// A row that is used again after it was found too old is not deleted. On SQLite no other process can write in between.
func TestRowsUsedAgainAreNotDeleted(t *testing.T) {
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	storetest.MustExec(t, database, `INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ('a', '', '', 1), ('b', '', '', 1)`)
	release := s.Hold()
	deleted := make(chan error)
	go func() {
		deleted <- storetest.Job(t, s).DeleteOld(t.Context(), store.IdempotencyKeys, time.UnixMicro(10))
	}()
	for deadline := time.Now().Add(5 * time.Second); s.WaitingUpdates() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("no deletion waits for the writer")
		}
	}
	storetest.MustExec(t, database, `UPDATE idempotency_keys SET created_at = 20 WHERE key_hash = 'a'`)
	release()
	if err := <-deleted; err != nil {
		t.Fatal(err)
	}
	var left string
	if err := storetest.Raw(t, database).QueryRow(`SELECT string_agg(key_hash, ',') FROM idempotency_keys`).Scan(&left); err != nil || left != "a" {
		t.Errorf("left are %q, %v", left, err)
	}
}

// A long job ends when its context is canceled.
func TestBoundedJobEndsWithItsContext(t *testing.T) {
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	b := backlog[0]
	insertBacklog(t, database, b.table, b.columns, b.row)
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := b.delete(storetest.Job(t, s), ctx); ctx.Err() == nil || err == nil {
		t.Errorf("it ended with %v", err)
	}
}

// A long job on SQLite moves the log itself, so that the log never becomes so long that the commit of a lead has to.
func TestABoundedJobKeepsTheLogShort(t *testing.T) {
	if testing.Short() {
		t.Skip("the job pauses for many seconds")
	}
	const autoCheckpoint = 1000 * (4096 + 24) // SQLite's default: the commit that makes the log longer than 1,000 pages moves it
	storetest.Parallel(t)                     // it mostly pauses
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	for _, prefix := range []string{"a", "b", "c"} { // enough of them to fill more than 1,000 pages of the log
		insertBacklog(t, database, "idempotency_keys", "key_hash, request_hash, answer, created_at",
			"'"+prefix+"' || (n * 7919 % 5011), '', printf('%3000d', n), n")
	}
	storetest.MustExec(t, database, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err := storetest.Job(t, s).DeleteOld(t.Context(), store.IdempotencyKeys, time.UnixMicro(5_000)); err != nil {
		t.Fatal(err)
	}
	log, err := os.Stat(strings.TrimPrefix(database, "sqlite:") + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	if log.Size() == 0 || log.Size() >= autoCheckpoint {
		t.Errorf("the log grew to %d bytes; a commit moves it at %d", log.Size(), autoCheckpoint)
	}
}
