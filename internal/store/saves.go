package store

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// leadBatch inserts leads and queues the received ones for delivery: each gets a row in table new_leads.
var leadBatch = db.Batch{
	Table: "leads", Columns: rows.LeadColumns, Returning: "seq, status",
	Then: `INSERT INTO new_leads (lead_seq) SELECT seq FROM inserted WHERE status = 'received'`,
}

// saveLeads inserts leads whose idempotency keys, if any, are stored already. It returns the id of the last one.
func (w *writer) saveLeads(leads []*save) (newest string, err error) {
	if len(leads) == 0 {
		return "", nil
	}
	w.rows = w.rows[:0]
	for _, s := range leads {
		w.rows = append(w.rows, s.args)
	}
	return leads[len(leads)-1].id, w.tx.conn.InsertBatch(leadBatch, w.rows)
}

// commitSaves saves a group of leads in one transaction, which is a single statement if no lead has an idempotency key. Its
// statements need an engine with arrays.
func (w *writer) commitSaves(group []*request) (newest string, err error) {
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
	w.tx.conn.SetDeadline(time.Now().Add(db.SaveTimeout)) // for all steps: a key takes three round trips, and each could be slow
	defer w.tx.conn.SetDeadline(time.Time{})
	if len(keyed) == 0 {
		return w.saveLeads(unkeyed)
	}
	return w.saveKeyed(unkeyed, keyed)
}

// saveKeyed saves the leads without a key and those whose key is unused.
func (w *writer) saveKeyed(unkeyed, keyed []*save) (newest string, err error) {
	err = db.InTx(w.tx.conn, func() error {
		unused, err := w.claimKeys(keyed)
		if err == nil {
			newest, err = w.saveLeads(append(unkeyed, unused...))
		}
		return err
	})
	return newest, err
}

// claimKeysQuery waits if another process is using one of the keys, until that process commits or rolls back.
const claimKeysQuery = `INSERT INTO idempotency_keys AS k (key_hash, request_hash, answer, created_at)
	SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[])
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		WHERE k.created_at <= $5
	RETURNING key_hash`

// claimKeys claims the keys that are unused and finds the answers of the others. The keys are sorted, so that two groups never
// deadlock.
func (w *writer) claimKeys(keyed []*save) (unused []*save, err error) {
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
	if err := w.tx.query(claimKeysQuery, []any{keys, requests, answers, times, rows.Micros(since)}, func(r db.Row) error {
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
	return unused, w.readAnswers(keyed, unused, keys, since)
}

var errKeyDeleted = errors.New("an idempotency key was deleted between two statements")

// idempotencyKeysQuery is idempotencyQuery for many keys.
const idempotencyKeysQuery = `SELECT key_hash, request_hash, answer FROM idempotency_keys WHERE key_hash = ANY($1) AND created_at + 0 > $2`

// readAnswers finds the stored answers of leads that are not saved. Leads of one group with the same key get the answer of the
// first of them.
func (w *writer) readAnswers(keyed, unused []*save, keys []string, since time.Time) error {
	if len(unused) == len(keyed) {
		return nil
	}
	found := make(map[string]lead.Idempotency)
	if err := w.tx.query(idempotencyKeysQuery, []any{keys, rows.Micros(since)}, func(r db.Row) error {
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
