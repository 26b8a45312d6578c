package store

import (
	"context"
	"slices"
	"strings"
	"time"
)

// ageLimit is a table whose rows are forgotten when they are too old. An index finds them by their age.
type ageLimit struct {
	table, age string
	keys       []string
}

var (
	oldIdempotencyKeys = ageLimit{"idempotency_keys", "created_at", []string{"key_hash"}}
	oldFingerprints    = ageLimit{"prints", "at", []string{"print", "lead_seq"}}
	oldSales           = ageLimit{"sold", "at", []string{"print", "buyer_id"}}
	oldWebhookIDs      = ageLimit{"webhook_ids", "at", []string{"id"}}
)

// selectQuery is the question for the next rows that are too old. It begins where the last one ended: what was deleted since would
// be walked over again and again.
func (a ageLimit) selectQuery() string {
	return `SELECT ` + strings.Join(a.keys, ", ") + `, ` + a.age + ` FROM ` + a.table + ` WHERE ` + a.age + ` >= $1 AND ` + a.age + ` < $2 ORDER BY ` + a.age + ` LIMIT $3`
}

// deleteQuery forgets a row, unless it was used again since it was found. In its condition + 0 keeps an engine from looking among all
// that is old.
func (a ageLimit) deleteQuery() string {
	var keys []string
	for i, k := range a.keys {
		keys = append(keys, k+` = `+placeholders(i+1, 1))
	}
	return `DELETE FROM ` + a.table + ` WHERE ` + strings.Join(keys, " AND ") + ` AND ` + a.age + ` + 0 < ` + placeholders(len(keys)+1, 1)
}

// deleteOld forgets the rows of a table that are older than a time, a few at once.
func (s *Store) deleteOld(ctx context.Context, a ageLimit, before int64) error {
	deletion, oldest, from := a.deleteQuery(), a.selectQuery(), int64(0)
	for x := s.newBoundedJob(); ; {
		old, err := s.queryRecords(ctx, len(a.keys)+1, oldest, from, before, maxStepRows)
		if err != nil || len(old) == 0 {
			return err
		}
		from = old[len(old)-1][len(a.keys)].(int64)
		for _, r := range old {
			r[len(a.keys)] = before
		}
		slices.SortFunc(old, tableSpec{keys: len(a.keys)}.compare) // whoever else takes several does so in this order, too
		if err := x.run(ctx, len(old), func(h *dbTx, i int) error { return h.exec(deletion, old[i]...) }); err != nil {
			return err
		}
	}
}

// queryRecords reads rows of numbers and texts.
func (s *Store) queryRecords(ctx context.Context, columns int, query string, args ...any) ([]record, error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	list, err := collect(ctx, e.DB, func(r scanner) (record, error) {
		values, into := make(record, columns), make([]any, columns)
		for i := range values {
			into[i] = &values[i]
		}
		err := r.Scan(into...)
		return values, err
	}, query, args...)
	return list, s.readError(e, err)
}

// DeleteOldIdempotencyKeys drops the keys that were used before a time.
func (s *Store) DeleteOldIdempotencyKeys(ctx context.Context, before time.Time) error {
	return s.deleteOld(ctx, oldIdempotencyKeys, micros(before)+1)
}

// DeleteOldWebhookIDs drops the ids of messages that were signed so long ago that they are refused anyway.
func (s *Store) DeleteOldWebhookIDs(ctx context.Context, before time.Time) error {
	return s.deleteOld(ctx, oldWebhookIDs, micros(before))
}

// DeleteOldCounts drops the counts of clients who may do everything again. No index finds them, and none is worth its price to
// those who are counted, so they are walked through in the order of their keys.
func (s *Store) DeleteOldCounts(ctx context.Context, now time.Time) error {
	last := ""
	for x := s.newBoundedJob(); ; {
		some, err := s.queryRecords(ctx, 2, `SELECT key, spent_at FROM allowances WHERE key > $1 ORDER BY key LIMIT $2`, last, maxStepRows)
		if err != nil || len(some) == 0 {
			return err
		}
		last = some[len(some)-1][0].(string)
		spent := slices.DeleteFunc(some, func(r record) bool { return r[1].(int64) >= now.UnixNano() })
		if err := x.run(ctx, len(spent), func(h *dbTx, i int) error {
			return h.exec(`DELETE FROM allowances WHERE key = $1 AND spent_at < $2`, spent[i][0], now.UnixNano())
		}); err != nil {
			return err
		}
	}
}
