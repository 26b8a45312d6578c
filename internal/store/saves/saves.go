// Package saves inserts new leads with their idempotency keys, many at a time. It does not decide which leads are committed together. Insert
// is part of its caller's transaction, or a statement that commits by itself; only InsertKeyed, for PostgreSQL, begins and commits one.
package saves

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Save is a lead to be saved.
type Save struct {
	Earlier *lead.Idempotency // the answer of an earlier request with the same key; if there is one, the lead is not saved

	id    string
	at    time.Time
	args  []any             // one for each of rows.LeadColumns
	key   *lead.Idempotency // nil if the sender gave none
	since time.Time         // an earlier use of the key does not count
}

// New returns the save of a lead.
func New(l *lead.Lead, key *lead.Idempotency, since time.Time) *Save {
	return &Save{id: l.ID, at: l.CreatedAt, args: rows.LeadArgs(l), key: key, since: since}
}

// HasKey reports whether the sender gave an idempotency key.
func (s *Save) HasKey() bool { return s.key != nil }

// CheckText returns an error for text that a database cannot store.
func (s *Save) CheckText() error { return db.CheckText(s.args) }

// UseKey reports whether the lead is to be saved, and if so stores its key. If the key was used before, UseKey sets Earlier.
func (s *Save) UseKey(c db.Conn) (isNew bool, err error) {
	s.Earlier = nil
	if s.key == nil {
		return true, nil
	}
	if s.Earlier, err = Answer(c, s.key.Key, s.since); err != nil || s.Earlier != nil {
		return false, err
	}
	return true, c.Exec(insertKey, []any{s.key.Key, s.key.Request, s.key.Answer, rows.Micros(s.at)})
}

// insertKey stores a key. It overwrites an expired key that was not deleted yet.
const insertKey = `INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`

// idempotencyQuery finds one key: + 0 keeps an engine from using the index on created_at, which would read all recent keys.
const idempotencyQuery = `SELECT request_hash, answer FROM idempotency_keys WHERE key_hash = $1 AND created_at + 0 > $2`

// Answer finds the answer for a key that was used since a time, or nil.
func Answer(c db.Conn, key string, since time.Time) (*lead.Idempotency, error) {
	answer, _, err := db.One(c, func(r db.Row) (*lead.Idempotency, error) {
		return &lead.Idempotency{Key: key, Request: r.Text(0), Answer: []byte(r.Text(1))}, nil
	}, idempotencyQuery, key, rows.Micros(since))
	return answer, err
}

// batch inserts leads and queues the received ones for delivery: each gets a row in table new_leads. The transaction around it is that of
// commitTogether or commitSaves, in store/group_commit.go.
var batch = db.Batch{
	Table: "leads", Columns: rows.LeadColumns, Returning: "seq, status",
	Then: `INSERT INTO new_leads (lead_seq) SELECT seq FROM inserted WHERE status = 'received'`,
}

// Insert inserts leads whose idempotency keys, if any, are stored already: a bulk insert, with a multi-row INSERT on SQLite and arrays
// on PostgreSQL (InsertBatch). It returns the id of the last one.
func Insert(c db.Conn, leads []*Save) (newest string, err error) {
	if len(leads) == 0 {
		return "", nil
	}
	list := make([][]any, len(leads))
	for i, s := range leads {
		list[i] = s.args
	}
	return leads[len(leads)-1].id, c.InsertBatch(batch, list)
}

// InsertKeyed inserts the leads without a key and those whose key is unused, in a transaction of its own. Unlike UseKey, it asks for all
// keys at once.
func InsertKeyed(c db.Conn, unkeyed, keyed []*Save) (newest string, err error) {
	err = db.InTx(c, func() error {
		unused, err := reserveKeys(c, keyed)
		if err == nil {
			newest, err = Insert(c, append(unkeyed, unused...))
		}
		return err
	})
	return newest, err
}

// reserveKeysQuery waits if another process is using one of the keys, until that process commits or rolls back.
const reserveKeysQuery = `INSERT INTO idempotency_keys AS k (key_hash, request_hash, answer, created_at)
	SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[])
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		WHERE k.created_at <= $5
	RETURNING key_hash`

// reserveKeys stores the keys that are unused and finds the answers of the others. The keys are sorted, so that two groups never
// deadlock.
func reserveKeys(c db.Conn, keyed []*Save) (unused []*Save, err error) {
	slices.SortStableFunc(keyed, func(a, b *Save) int { return cmp.Compare(a.key.Key, b.key.Key) })
	first := slices.CompactFunc(slices.Clone(keyed), func(a, b *Save) bool { return a.key.Key == b.key.Key })
	var keys, requests []string
	var answers [][]byte
	var times []int64
	since := first[0].since
	for _, s := range first {
		keys, requests = append(keys, s.key.Key), append(requests, s.key.Request)
		answers, times = append(answers, s.key.Answer), append(times, rows.Micros(s.at))
		if s.since.Before(since) {
			since = s.since
		}
	}
	taken := make(map[string]bool)
	if err := c.Query(reserveKeysQuery, []any{keys, requests, answers, times, rows.Micros(since)}, func(r db.Row) error {
		taken[r.Text(0)] = true
		return nil
	}); err != nil {
		return nil, err
	}
	for _, s := range first {
		if taken[s.key.Key] {
			unused = append(unused, s)
		}
	}
	return unused, readAnswers(c, keyed, unused, keys, since)
}

var errKeyDeleted = errors.New("an idempotency key was deleted between two statements")

// idempotencyKeysQuery is idempotencyQuery for many keys.
const idempotencyKeysQuery = `SELECT key_hash, request_hash, answer FROM idempotency_keys WHERE key_hash = ANY($1) AND created_at + 0 > $2`

// readAnswers finds the stored answers of leads that are not saved. Leads of one group with the same key get the answer of the
// first of them.
func readAnswers(c db.Conn, keyed, unused []*Save, keys []string, since time.Time) error {
	if len(unused) == len(keyed) {
		return nil
	}
	found := make(map[string]lead.Idempotency)
	if err := c.Query(idempotencyKeysQuery, []any{keys, rows.Micros(since)}, func(r db.Row) error {
		found[r.Text(0)] = lead.Idempotency{Key: r.Text(0), Request: r.Text(1), Answer: []byte(r.Text(2))}
		return nil
	}); err != nil {
		return err
	}
	for _, s := range keyed {
		if slices.Contains(unused, s) {
			continue
		}
		earlier, ok := found[s.key.Key]
		if !ok { // deleted between the two statements: the group is retried one by one
			return errKeyDeleted
		}
		s.Earlier = &earlier
	}
	return nil
}

// Keys are the idempotency keys as one transaction sees them, for changes that are no new leads.
type Keys struct{ Conn db.Conn }

// claimKey waits if another process is using the key, until that process commits or rolls back.
const claimKey = `INSERT INTO idempotency_keys AS k (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		WHERE k.created_at <= $5`

// Claim stores a key that was not used since a time, and reports whether it did. It is committed together with the change that it stands
// for, or not at all. The answer follows with PutAnswer.
func (k Keys) Claim(key lead.Idempotency, at, since time.Time) (bool, error) {
	n, err := k.Conn.ExecCount(claimKey, []any{key.Key, key.Request, []byte{}, rows.Micros(at), rows.Micros(since)})
	return n == 1, err
}

// PutAnswer stores the answer of a key that was claimed.
func (k Keys) PutAnswer(key lead.Idempotency) error {
	return k.Conn.Exec(`UPDATE idempotency_keys SET answer = $1 WHERE key_hash = $2 AND request_hash = $3`, []any{key.Answer, key.Key, key.Request})
}

// Forget deletes a key that was claimed for a change that was not made after all.
func (k Keys) Forget(key lead.Idempotency) error {
	return k.Conn.Exec(`DELETE FROM idempotency_keys WHERE key_hash = $1 AND request_hash = $2`, []any{key.Key, key.Request})
}

// Find finds what a key was used for since a time, or nil. Its answer is empty until it is known.
func (k Keys) Find(key string, since time.Time) (*lead.Idempotency, error) {
	return Answer(k.Conn, key, since)
}
