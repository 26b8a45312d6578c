package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/legalholds"
	"foyer/internal/store/rows"
)

// AgingTable is a table whose rows are deleted when they are too old, a table with a TTL. It has an index on their age. How long each
// is kept (retention) is in app/retention.go.
type AgingTable struct {
	name, age string
	keys      []string
	unless    string // a condition on rows that stay all the same, or ""
}

// The tables whose rows DeleteOld deletes.
var (
	IdempotencyKeys = AgingTable{name: "idempotency_keys", age: "created_at", keys: []string{"key_hash"}}
	Fingerprints    = AgingTable{name: "fingerprints", age: "at", keys: []string{"fingerprint", "lead_seq"}}
	Sales           = AgingTable{name: "sales", age: "at", keys: []string{"fingerprint", "buyer_id"}}
	WebhookIDs      = AgingTable{name: "webhook_ids", age: "at", keys: []string{"id"}}
	UserLinks       = AgingTable{name: "user_links", age: "expires_at", keys: []string{"hash"}}
	Sessions        = AgingTable{name: "sessions", age: "seen_at", keys: []string{"id"}}
	AlertMessages   = AgingTable{name: "alert_messages", age: "at", keys: []string{"id"}}
	AuditTrail      = AgingTable{name: "audit", age: "at", keys: []string{"seq"}, unless: legalholds.KeepsAudit}
)

// selectQuery finds the next rows that are too old. It starts where the last query ended: otherwise it would step over the
// deleted rows again and again.
func (a AgingTable) selectQuery() string {
	return `SELECT ` + strings.Join(a.keys, ", ") + `, ` + a.age + ` FROM ` + a.name + ` WHERE ` + a.age + ` >= $1 AND ` + a.age + ` < $2` + a.andNotKept() + ` ORDER BY ` + a.age + ` LIMIT $3`
}

// deleteQuery deletes a row, unless it was used again, or has to be kept, after it was found. The + 0 in its condition keeps an engine from using the
// index on age, which would read all old rows.
func (a AgingTable) deleteQuery() string {
	n := len(a.keys)
	return `DELETE FROM ` + a.name + ` WHERE (` + strings.Join(a.keys, ", ") + `) = (` + db.Placeholders(1, n) + `)
		AND ` + a.age + ` + 0 < ` + db.Placeholders(n+1, 1) + a.andNotKept()
}

// andNotKept leaves out the rows that stay. Both queries need it: the first would find them for ever, and the second may meet a legal hold
// that was added meanwhile.
func (a AgingTable) andNotKept() string {
	if a.unless == "" {
		return ""
	}
	return ` AND NOT ` + a.unless
}

// DeleteOld deletes (purges) the expired rows of a table, those older than a time, in small transactions.
func (j *Job) DeleteOld(ctx context.Context, a AgingTable, before time.Time) error {
	deletion, oldest, from := a.deleteQuery(), a.selectQuery(), int64(0)
	for steps := j.steps(); ; {
		old, err := j.store.rows(ctx, oldest, from, rows.Micros(before), commit.MaxStepRows)
		if err != nil || len(old) == 0 {
			return err
		}
		from = old[len(old)-1].Int(len(a.keys))
		for _, r := range old {
			r[len(a.keys)] = rows.Micros(before)
		}
		slices.SortFunc(old, compareKeys)
		if err := steps.Run(ctx, len(old), func(tx *Tx, i int) error { return tx.exec(deletion, old[i]...) }, nil); err != nil {
			return err
		}
	}
}

// compareKeys orders rows by their keys, as texts: all transactions with several keys lock them in this order.
func compareKeys(x, y db.Row) int {
	return cmp.Or(strings.Compare(x.Text(0), y.Text(0)), strings.Compare(x.Text(1), y.Text(1)))
}

// rows reads whole rows.
func (s *Store) rows(ctx context.Context, query string, args ...any) ([]db.Row, error) {
	return read(ctx, s, func(tx *Tx) ([]db.Row, error) {
		return all(tx, func(r db.Row) (db.Row, error) { return r, nil }, query, args...)
	})
}

// DeleteOldCounts deletes the counts of clients whose limits are fully available again. An index on spent_at would slow down
// every counted request, so DeleteOldCounts reads all counts in the order of their keys.
func (j *Job) DeleteOldCounts(ctx context.Context, now time.Time) error {
	last := ""
	for steps := j.steps(); ; {
		some, err := j.store.rows(ctx, `SELECT key, spent_at FROM allowances WHERE key > $1 ORDER BY key LIMIT $2`, last, commit.MaxStepRows)
		if err != nil || len(some) == 0 {
			return err
		}
		last = some[len(some)-1].Text(0)
		spent := slices.DeleteFunc(some, func(r db.Row) bool { return r.Int(1) >= now.UnixNano() })
		if err := steps.Run(ctx, len(spent), func(tx *Tx, i int) error {
			return tx.exec(`DELETE FROM allowances WHERE key = $1 AND spent_at < $2`, spent[i][0], now.UnixNano())
		}, nil); err != nil {
			return err
		}
	}
}
