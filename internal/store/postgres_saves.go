package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"foyer/internal/lead"
)

// commitSaves keeps a group of leads in one transaction: one statement where nobody gave an idempotency key.
func (w *writer) commitSaves(group []*writeRequest) error {
	l, unkeyed := w.tx.conn.(*postgresConn), make([]*save, 0, len(group))
	var keyed []*save
	for _, j := range group {
		if j.err = j.checkSave(); j.err != nil {
			continue
		}
		if j.save.earlier = nil; j.save.idempotency != nil {
			keyed = append(keyed, j.save)
		} else {
			unkeyed = append(unkeyed, j.save)
		}
	}
	l.setDeadline(time.Now().Add(l.timeout)) // for all steps: a key takes three, and each could be slow
	defer l.setDeadline(time.Time{})
	newest, err := l.saveAll(unkeyed, keyed)
	if err == nil {
		w.recordCommitted(newest)
	}
	return err
}

// checkSave says why a lead is not even tried: its sender has gone, or it cannot be stored.
func (j *writeRequest) checkSave() error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	return checkText(j.save.args)
}

// saveAll keeps leads without a key, and those whose key was not used. It names the last of them.
func (l *postgresConn) saveAll(unkeyed, keyed []*save) (newest string, err error) {
	if len(keyed) == 0 {
		if err := l.ensureConnected(); err != nil {
			return "", err
		}
		return l.saveLeads(unkeyed)
	}
	if err := l.begin(); err != nil {
		return "", err
	}
	unused, err := l.claimKeys(keyed)
	if err == nil {
		newest, err = l.saveLeads(append(unkeyed, unused...))
	}
	if err == nil {
		err = l.commit()
	}
	if err != nil {
		l.rollback()
	}
	return newest, err
}

const insertLeads = `WITH kept AS (
	INSERT INTO leads (` + leadColumns + `) SELECT ` + leadColumns + ` FROM unnest($1::new_lead[]) RETURNING seq, status)
INSERT INTO fresh (lead_seq) SELECT seq FROM kept WHERE status = 'received'`

// saveLeads keeps leads and puts those on their way that are to go, in one statement. All leads are one value: ten lists,
// one for each column, cost a third more.
func (l *postgresConn) saveLeads(leads []*save) (newest string, err error) {
	if len(leads) == 0 {
		return "", nil
	}
	ctx, cancel := l.ctx()
	defer cancel()
	row, err := l.prepareInserts(ctx)
	if err == nil {
		draft := appendLeads(l.buf[:0], row, leads)
		if cap(draft) <= maxKeptBuf {
			l.buf = draft // for the next group
		}
		err = l.conn.PgConn().ExecPrepared(ctx, saveLeadsStatement, [][]byte{draft}, []int16{pgx.BinaryFormatCode}, nil).Read().Err
	}
	return leads[len(leads)-1].id, l.outcome(err)
}

// maxKeptBuf is how much memory a writer keeps between two groups.
const maxKeptBuf = 1 << 20

// saveLeadsStatement is the name of insertLeads on a connection.
const saveLeadsStatement = "save leads"

// prepareInserts makes a connection ready to keep leads, once, and gives the number of their type there. It takes two round trips: the
// first lead to a server that is far away waits for them.
func (l *postgresConn) prepareInserts(ctx context.Context) (row uint32, err error) {
	if l.insertsPrepared == l.conn {
		return l.newLeadOID, nil
	}
	if err := l.conn.QueryRow(ctx, `SELECT 'new_lead'::regtype::oid`, pgx.QueryExecModeSimpleProtocol).Scan(&l.newLeadOID); err != nil {
		return 0, err
	}
	if _, err := l.conn.Prepare(ctx, saveLeadsStatement, insertLeads); err != nil {
		return 0, err
	}
	l.insertsPrepared = l.conn
	return l.newLeadOID, nil
}

// A key that is in use by another process just now makes this wait until that one has committed or given up.
const claimKeysQuery = `INSERT INTO idempotency_keys AS k (key_hash, request_hash, answer, created_at)
	SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[])
	ON CONFLICT (key_hash) DO UPDATE SET request_hash = excluded.request_hash, answer = excluded.answer, created_at = excluded.created_at
		WHERE k.created_at <= $5
	RETURNING key_hash`

// claimKeys takes the keys that were not used before, and finds what the others were used for. Keys are taken in their order,
// so that no two groups wait for each other.
func (l *postgresConn) claimKeys(keyed []*save) (unused []*save, err error) {
	slices.SortStableFunc(keyed, func(a, b *save) int { return cmp.Compare(a.idempotency.Key, b.idempotency.Key) })
	first := slices.CompactFunc(slices.Clone(keyed), func(a, b *save) bool { return a.idempotency.Key == b.idempotency.Key })
	var keys, requests []string
	var answers [][]byte
	var times []int64
	since := first[0].since
	for _, x := range first {
		keys, requests = append(keys, x.idempotency.Key), append(requests, x.idempotency.Request)
		answers, times = append(answers, x.idempotency.Answer), append(times, micros(x.at))
		if x.since.Before(since) {
			since = x.since
		}
	}
	taken := make(map[string]bool)
	if err := l.query(claimKeysQuery, []any{keys, requests, answers, times, micros(since)}, func(r row) error {
		taken[r.text(0)] = true
		return nil
	}); err != nil {
		return nil, err
	}
	for _, x := range first {
		if taken[x.idempotency.Key] {
			unused = append(unused, x)
		}
	}
	return unused, l.readAnswers(keyed, unused, keys, since)
}

// idempotencyKeysQuery is ticketQuery for many.
const idempotencyKeysQuery = `SELECT key_hash, request_hash, answer FROM idempotency_keys WHERE key_hash = ANY($1) AND created_at + 0 > $2`

// readAnswers finds the earlier tickets of what is not kept. Twins in one group find the ticket of the first of them.
func (l *postgresConn) readAnswers(keyed, unused []*save, keys []string, since time.Time) error {
	if len(unused) == len(keyed) {
		return nil
	}
	found := make(map[string]lead.Idempotency)
	if err := l.query(idempotencyKeysQuery, []any{keys, micros(since)}, func(r row) error {
		found[r.text(0)] = lead.Idempotency{Key: r.text(0), Request: r.text(1), Answer: []byte(r.text(2))}
		return nil
	}); err != nil {
		return err
	}
	for _, x := range keyed {
		if slices.Contains(unused, x) {
			continue
		}
		t, ok := found[x.idempotency.Key]
		if !ok { // forgotten between the two statements: the group is tried again, one by one
			return pgx.ErrNoRows
		}
		x.earlier = &t
	}
	return nil
}
