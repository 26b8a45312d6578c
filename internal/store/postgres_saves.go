package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/internal/lead"
)

// commitSaves saves a group of leads in one transaction, which is a single statement if no lead has an idempotency key.
func (w *writer) commitSaves(group []*writeRequest) error {
	c, unkeyed := w.tx.conn.(*postgresConn), make([]*save, 0, len(group))
	var keyed []*save
	for _, req := range group {
		if req.err = req.checkSave(); req.err != nil {
			continue
		}
		if req.save.earlier = nil; req.save.idempotency != nil {
			keyed = append(keyed, req.save)
		} else {
			unkeyed = append(unkeyed, req.save)
		}
	}
	c.setDeadline(time.Now().Add(c.timeout)) // for all steps: a key takes three round trips, and each could be slow
	defer c.setDeadline(time.Time{})
	newest, err := c.saveAll(unkeyed, keyed)
	if err == nil {
		w.recordCommitted(newest)
	}
	return err
}

// checkSave returns why a lead is not saved at all: its caller is gone, or it cannot be stored.
func (req *writeRequest) checkSave() error {
	if err := req.ctx.Err(); err != nil {
		return err
	}
	return checkText(req.save.args)
}

// saveAll saves the leads without a key and those whose key is unused. It returns the id of the last one.
func (c *postgresConn) saveAll(unkeyed, keyed []*save) (newest string, err error) {
	if len(keyed) == 0 {
		if err := c.ensureConnected(); err != nil {
			return "", err
		}
		return c.saveLeads(unkeyed)
	}
	if err := c.begin(); err != nil {
		return "", err
	}
	unused, err := c.claimKeys(keyed)
	if err == nil {
		newest, err = c.saveLeads(append(unkeyed, unused...))
	}
	if err == nil {
		err = c.commit()
	}
	if err != nil {
		c.rollback()
	}
	return newest, err
}

const insertLeads = `WITH kept AS (
	INSERT INTO leads (` + leadColumns + `) SELECT ` + leadColumns + ` FROM unnest($1::new_lead[]) RETURNING seq, status)
INSERT INTO new_leads (lead_seq) SELECT seq FROM kept WHERE status = 'received'`

// saveLeads inserts leads and queues the received ones for delivery, in one statement. All leads are one parameter: ten arrays,
// one for each column, cost a third more.
func (c *postgresConn) saveLeads(leads []*save) (newest string, err error) {
	if len(leads) == 0 {
		return "", nil
	}
	ctx, cancel := c.ctx()
	defer cancel()
	oid, err := c.prepareInserts(ctx)
	if err == nil {
		buf := appendLeads(c.buf[:0], oid, leads)
		if cap(buf) <= maxKeptBuf {
			c.buf = buf // for the next group
		}
		err = c.conn.PgConn().ExecPrepared(ctx, saveLeadsStatement, [][]byte{buf}, []int16{pgx.BinaryFormatCode}, nil).Read().Err
	}
	return leads[len(leads)-1].id, c.outcome(err)
}

// maxKeptBuf is the largest buffer that a writer keeps between groups.
const maxKeptBuf = 1 << 20

// saveLeadsStatement is the name of the prepared insertLeads.
const saveLeadsStatement = "save leads"

// prepareInserts prepares insertLeads once for each connection and returns the OID of its row type. That takes two round trips,
// for which the first lead to a distant server waits.
func (c *postgresConn) prepareInserts(ctx context.Context) (oid uint32, err error) {
	if c.insertsPrepared == c.conn {
		return c.newLeadOID, nil
	}
	if err := c.conn.QueryRow(ctx, `SELECT 'new_lead'::regtype::oid`, pgx.QueryExecModeSimpleProtocol).Scan(&c.newLeadOID); err != nil {
		return 0, err
	}
	if _, err := c.conn.Prepare(ctx, saveLeadsStatement, insertLeads); err != nil {
		return 0, err
	}
	c.insertsPrepared = c.conn
	return c.newLeadOID, nil
}

// claimKeysQuery waits if another process is using one of the keys, until that process commits or rolls back.
const claimKeysQuery = `INSERT INTO idempotency_keys AS k (key_hash, request_hash, answer, created_at)
	SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[])
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		WHERE k.created_at <= $5
	RETURNING key_hash`

// claimKeys claims the keys that are unused and finds the answers of the others. The keys are sorted, so that two groups never
// deadlock.
func (c *postgresConn) claimKeys(keyed []*save) (unused []*save, err error) {
	slices.SortStableFunc(keyed, func(a, b *save) int { return cmp.Compare(a.idempotency.Key, b.idempotency.Key) })
	first := slices.CompactFunc(slices.Clone(keyed), func(a, b *save) bool { return a.idempotency.Key == b.idempotency.Key })
	var keys, requests []string
	var answers [][]byte
	var times []int64
	since := first[0].since
	for _, s := range first {
		keys, requests = append(keys, s.idempotency.Key), append(requests, s.idempotency.Request)
		answers, times = append(answers, s.idempotency.Answer), append(times, micros(s.at))
		if s.since.Before(since) {
			since = s.since
		}
	}
	taken := make(map[string]bool)
	if err := c.query(claimKeysQuery, []any{keys, requests, answers, times, micros(since)}, func(r row) error {
		taken[r.text(0)] = true
		return nil
	}); err != nil {
		return nil, err
	}
	for _, s := range first {
		if taken[s.idempotency.Key] {
			unused = append(unused, s)
		}
	}
	return unused, c.readAnswers(keyed, unused, keys, since)
}

// idempotencyKeysQuery is idempotencyQuery for many keys.
const idempotencyKeysQuery = `SELECT key_hash, request_hash, answer FROM idempotency_keys WHERE key_hash = ANY($1) AND created_at + 0 > $2`

// readAnswers finds the stored answers of leads that are not saved. Leads of one group with the same key get the answer of the
// first of them.
func (c *postgresConn) readAnswers(keyed, unused []*save, keys []string, since time.Time) error {
	if len(unused) == len(keyed) {
		return nil
	}
	found := make(map[string]lead.Idempotency)
	if err := c.query(idempotencyKeysQuery, []any{keys, micros(since)}, func(r row) error {
		found[r.text(0)] = lead.Idempotency{Key: r.text(0), Request: r.text(1), Answer: []byte(r.text(2))}
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
			return pgx.ErrNoRows
		}
		s.earlier = &earlier
	}
	return nil
}
