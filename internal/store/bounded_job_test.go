package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// backlog is what a chore forgets: how a row is written, with its number as n, and what forgets all below 5,000.
var backlog = []struct {
	table, columns, row string
	forget              func(*store.Store, context.Context) error
}{
	{"idempotency_keys", "key_hash, request_hash, answer, created_at", "'key' || (n * 7919 % 5011), '', '', n", func(s *store.Store, ctx context.Context) error {
		return s.DeleteOldIdempotencyKeys(ctx, time.UnixMicro(4_999))
	}},
	{"prints", "print, lead_seq, at", "'print' || n % 100, n, n", func(s *store.Store, ctx context.Context) error {
		return s.DeleteOldFingerprints(ctx, time.UnixMicro(5_000))
	}},
	{"sold", "print, buyer_id, at", "'print' || n, 'buyer_1', n", func(s *store.Store, ctx context.Context) error {
		return s.DeleteOldFingerprints(ctx, time.UnixMicro(5_000))
	}},
	{"webhook_ids", "id, at", "'msg_' || n, n", func(s *store.Store, ctx context.Context) error {
		return s.DeleteOldWebhookIDs(ctx, time.UnixMicro(5_000))
	}},
	{"allowances", "key, spent_at, step, burst, granted", "'client' || n, n, 1, 1, 1", func(s *store.Store, ctx context.Context) error { return s.DeleteOldCounts(ctx, time.Unix(0, 5_000)) }},
}

// insertBacklog writes 5,010 rows.
func insertBacklog(t *testing.T, database, table, columns, row string) {
	t.Helper()
	numbers := "generate_series(0, 5009) AS all_of_them(n)"
	if strings.HasPrefix(database, "sqlite") {
		numbers = "(WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 5009) SELECT n FROM c)"
	}
	mustExec(t, database, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s", table, columns, row, numbers))
}

// A backlog is worked off in small steps: others have their turn between them, and what is young stays.
func TestABacklogIsForgottenInSteps(t *testing.T) {
	onEachEngine(t, engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		for _, b := range backlog {
			t.Run(b.table, func(t *testing.T) {
				database := newDatabase(t)
				s := storetest.Open(t, database)
				insertBacklog(t, database, b.table, b.columns, b.row)
				turns := updatesDuring(t, s, func() {
					if err := b.forget(s, t.Context()); err != nil {
						t.Error(err)
					}
				})
				if turns < 5_000/500 {
					t.Errorf("others had %d turns meanwhile", turns)
				}
				var left int
				if err := store.Raw(t, database).QueryRow(`SELECT count(*) FROM ` + b.table).Scan(&left); err != nil || left != 10 {
					t.Errorf("%d are left, %v", left, err)
				}
			})
		}
	})
}

// updatesDuring counts how many turns somebody else has while something is done.
func updatesDuring(t *testing.T, s *store.Store, something func()) (turns int) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var other sync.WaitGroup
	other.Go(func() {
		for ctx.Err() == nil {
			if err := s.Update(t.Context(), func(*store.Tx) error { return nil }); err != nil {
				t.Error(err)
			}
			turns++
		}
	})
	something()
	stop()
	other.Wait()
	return turns
}

// A row that is used again after it was found too old is not forgotten. On SQLite nobody comes in between.
func TestRowsUsedAgainAreNotDeleted(t *testing.T) {
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	mustExec(t, database, `INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ('a', '', '', 1), ('b', '', '', 1)`)
	release := s.Hold()
	forgotten := make(chan error)
	go func() { forgotten <- s.DeleteOldIdempotencyKeys(t.Context(), time.UnixMicro(10)) }()
	for deadline := time.Now().Add(5 * time.Second); s.Turning() == 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing waits to be forgotten")
		}
	}
	mustExec(t, database, `UPDATE idempotency_keys SET created_at = 20 WHERE key_hash = 'a'`)
	release()
	if err := <-forgotten; err != nil {
		t.Fatal(err)
	}
	var left string
	if err := store.Raw(t, database).QueryRow(`SELECT string_agg(key_hash, ',') FROM idempotency_keys`).Scan(&left); err != nil || left != "a" {
		t.Errorf("left are %q, %v", left, err)
	}
}

// A chore ends with whoever asked for it.
func TestBoundedJobEndsWithItsContext(t *testing.T) {
	database := newDatabase(t)
	s := storetest.Open(t, database)
	b := backlog[0]
	insertBacklog(t, database, b.table, b.columns, b.row)
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	if err := b.forget(s, ctx); ctx.Err() == nil || err == nil {
		t.Errorf("it ended with %v", err)
	}
}
