package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// SaveLead saves a lead and, if the sender gave an idempotency key, that key with its answer, in one commit. If the key was used
// since the given time, SaveLead saves nothing and returns the earlier answer.
func (s *Store) SaveLead(ctx context.Context, l *lead.Lead, key *lead.Idempotency, since time.Time) (*lead.Idempotency, error) {
	sv := &save{id: l.ID, at: l.CreatedAt, args: rows.LeadArgs(l), idempotency: key, since: since}
	if err := translateWrite(s.saves.Submit(ctx, work{save: sv}, commit.Timed)); err != nil {
		return nil, err // an earlier answer may come from the same group, of which nothing was committed
	}
	return sv.earlier, nil
}

// save is a lead to be saved.
type save struct {
	id          string
	at          time.Time
	args        []any // one for each of rows.LeadColumns
	idempotency *lead.Idempotency
	since       time.Time
	earlier     *lead.Idempotency // the earlier answer for the key; if set, the lead is not saved
}

// replay reports whether a lead is to be saved, and if so stores its idempotency key. If the key was used before, it sets earlier.
func (s *save) replay(tx *Tx) (isNew bool, err error) {
	s.earlier = nil
	if s.idempotency == nil {
		return true, nil
	}
	if s.earlier, err = tx.idempotency(s.idempotency.Key, s.since); err != nil || s.earlier != nil {
		return false, err
	}
	return true, tx.insertIdempotency(*s.idempotency, s.at)
}

// leadBatch inserts leads and queues the received ones for delivery: each gets a row in table new_leads.
var leadBatch = db.Batch{
	Table: "leads", Columns: rows.LeadColumns, Returning: "seq, status",
	Then: `INSERT INTO new_leads (lead_seq) SELECT seq FROM inserted WHERE status = 'received'`,
}

// saveLeads inserts leads whose idempotency keys, if any, are stored already: a bulk insert, with a multi-row INSERT on SQLite and
// arrays on PostgreSQL (InsertBatch). It returns the id of the last one.
func (t *target) saveLeads(leads []*save) (newest string, err error) {
	if len(leads) == 0 {
		return "", nil
	}
	t.rows = t.rows[:0]
	for _, s := range leads {
		t.rows = append(t.rows, s.args)
	}
	return leads[len(leads)-1].id, t.tx.conn.InsertBatch(leadBatch, t.rows)
}

// commitSaves is commitEach for the writers that only save leads, which PostgreSQL has: a single statement, without BEGIN and COMMIT,
// if no lead has an idempotency key.
func (t *target) commitSaves(group []*request) (newest string, err error) {
	unkeyed, keyed := make([]*save, 0, len(group)), []*save(nil)
	for _, req := range group {
		s := req.Work.save
		if req.Err = cmp.Or(req.Ctx.Err(), db.CheckText(s.args)); req.Err != nil {
			continue
		}
		if s.earlier = nil; s.idempotency != nil {
			keyed = append(keyed, s)
		} else {
			unkeyed = append(unkeyed, s)
		}
	}
	t.tx.conn.SetDeadline(time.Now().Add(db.SaveTimeout)) // for all steps: a key takes three round trips, and each could be slow
	defer t.tx.conn.SetDeadline(time.Time{})
	if len(keyed) == 0 {
		return t.saveLeads(unkeyed)
	}
	return t.saveKeyed(unkeyed, keyed)
}

// saveKeyed saves the leads without a key and those whose key is unused.
func (t *target) saveKeyed(unkeyed, keyed []*save) (newest string, err error) {
	err = db.InTx(t.tx.conn, func() error {
		unused, err := t.reserveKeys(keyed)
		if err == nil {
			newest, err = t.saveLeads(append(unkeyed, unused...))
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
func (t *target) reserveKeys(keyed []*save) (unused []*save, err error) {
	slices.SortStableFunc(keyed, func(a, b *save) int { return cmp.Compare(a.idempotency.Key, b.idempotency.Key) })
	first := slices.CompactFunc(slices.Clone(keyed), func(a, b *save) bool { return a.idempotency.Key == b.idempotency.Key })
	var keys, requests []string
	var answers [][]byte
	var times []int64
	since := first[0].since
	for _, s := range first {
		keys, requests = append(keys, s.idempotency.Key), append(requests, s.idempotency.Request)
		answers, times = append(answers, s.idempotency.Answer), append(times, rows.Micros(s.at))
		if s.since.Before(since) {
			since = s.since
		}
	}
	taken := make(map[string]bool)
	if err := t.tx.query(reserveKeysQuery, []any{keys, requests, answers, times, rows.Micros(since)}, func(r db.Row) error {
		taken[r.Text(0)] = true
		return nil
	}); err != nil {
		return nil, err
	}
	for _, s := range first {
		if taken[s.idempotency.Key] {
			unused = append(unused, s)
		}
	}
	return unused, t.readAnswers(keyed, unused, keys, since)
}

var errKeyDeleted = errors.New("an idempotency key was deleted between two statements")

// idempotencyKeysQuery is idempotencyQuery for many keys.
const idempotencyKeysQuery = `SELECT key_hash, request_hash, answer FROM idempotency_keys WHERE key_hash = ANY($1) AND created_at + 0 > $2`

// readAnswers finds the stored answers of leads that are not saved. Leads of one group with the same key get the answer of the
// first of them.
func (t *target) readAnswers(keyed, unused []*save, keys []string, since time.Time) error {
	if len(unused) == len(keyed) {
		return nil
	}
	found := make(map[string]lead.Idempotency)
	if err := t.tx.query(idempotencyKeysQuery, []any{keys, rows.Micros(since)}, func(r db.Row) error {
		found[r.Text(0)] = lead.Idempotency{Key: r.Text(0), Request: r.Text(1), Answer: []byte(r.Text(2))}
		return nil
	}); err != nil {
		return err
	}
	for _, s := range keyed {
		if slices.Contains(unused, s) {
			continue
		}
		earlier, ok := found[s.idempotency.Key]
		if !ok { // deleted between the two statements: the group is retried one by one
			return errKeyDeleted
		}
		s.earlier = &earlier
	}
	return nil
}

// idempotencyQuery finds one key: + 0 keeps an engine from using the index on created_at, which would read all recent keys.
const idempotencyQuery = `SELECT request_hash, answer FROM idempotency_keys WHERE key_hash = $1 AND created_at + 0 > $2`

// idempotency finds the answer for a key that was used since a time, or nil.
func (tx *Tx) idempotency(key string, since time.Time) (*lead.Idempotency, error) {
	t, _, err := one(tx, func(r db.Row) (*lead.Idempotency, error) {
		return &lead.Idempotency{Key: key, Request: r.Text(0), Answer: []byte(r.Text(1))}, nil
	}, idempotencyQuery, key, rows.Micros(since))
	return t, err
}

// IdempotentAnswer finds the answer for a key that was used since a time, or nil. While a writer is down, it refuses: the outcome
// of that writer's last commit is unknown, so a key that a read finds may be lost again: it may be on no other disk.
func (s *Store) IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error) {
	if s.saves.WritersDown() > 0 {
		return nil, errUnavailable(commit.ErrDown)
	}
	return read(ctx, s, func(tx *Tx) (*lead.Idempotency, error) { return tx.idempotency(key, since) })
}

// insertIdempotency stores a key. It overwrites an expired key that was not deleted yet.
func (tx *Tx) insertIdempotency(t lead.Idempotency, at time.Time) error {
	return tx.exec(`INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at`,
		t.Key, t.Request, t.Answer, rows.Micros(at))
}
