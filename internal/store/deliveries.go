package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const deliveryWidth = 12 // how many columns an errand has

const deliveryColumns = `lead_seq, lane, step, due_at, token, owner, since, offer_id, attempts, unsure, sent_at, url`

// buyersVersionColumn stands behind the columns of an errand: whoever goes by its buyers in memory sees whether they changed.
const buyersVersionColumn = `(SELECT version FROM changes WHERE topic = 'buyers')`

// scanDelivery reads an errand, and remembers what stands behind it: whether it is fresh, and the version of the buyers.
func (p *Tx) scanDelivery(r row) buyer.Delivery {
	p.db.isNew[r.number(0)] = r.number(deliveryWidth) != 0
	p.db.buyersVersion = r.number(deliveryWidth + 1)
	return buyer.Delivery{
		Lead: r.number(0), BuyerQueue: r.text(1), Step: buyer.Step(r.text(2)), DueAt: fromMicros(r.number(3)), Token: r.number(4), Owner: r.text(5),
		Since: fromMicros(r.number(6)), Offer: r.text(7), Attempts: int(r.number(8)), MayHaveContact: r.number(9) != 0,
		SentAt: timeOrZero(r.number(10)), URL: r.text(11),
	}
}

// Queue puts a lead on its way again. Its token begins where no earlier one can have come, so that whoever had it before
// cannot settle it.
func (p *Tx) Queue(seq int64, at time.Time) error {
	return p.db.exec(`INSERT INTO deliveries (lead_seq, due_at, since, token) VALUES ($1, $2, $3, $4)`, seq, micros(at), micros(at), micros(at))
}

// limitClause bounds what a turn takes. SQLite makes a bare parameter behind LIMIT part of its plan, and compiles the statement anew each
// time that it is bound: that cost twice as much as all the rest of Due.
const limitClause = `LIMIT CAST($3 AS BIGINT)`

// dueQuery looks up the leads of those errands only that are taken, however many are due at the same time. None of them is fresh.
const dueQuery = `SELECT ` + deliveryColumns + `, 0, ` + buyersVersionColumn + `, ` + leadColumns + ` FROM
	(SELECT ` + deliveryColumns + ` FROM deliveries WHERE lane = $1 AND due_at <= $2 ORDER BY due_at, lead_seq ` + limitClause + `) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq`

// Due lists the errands of a lane that may be taken, the longest due first; among equals the oldest lead. The leads are read
// on the way: whoever takes an errand asks for its lead next. What is fresh is always due: where it was taken in by a clock that
// is ahead of ours, or while we waited for another process, it is so from now on, and not from then.
func (p *Tx) Due(lane string, now time.Time, limit int) ([]buyer.Delivery, error) {
	query := dueQuery
	if lane == "" {
		query = newLeadsQuery
	}
	var due []buyer.Delivery
	err := p.db.query(query, []any{lane, micros(now), int64(limit)}, func(r row) error {
		e := p.scanDelivery(r)
		if p.db.isNew[e.Lead] && e.Since.After(now) { // else an offer that is made now would not count as made since
			e.Since, e.DueAt = now, now
		}
		l, err := scanLead(r[deliveryWidth+2:])
		due, p.db.leads[e.Lead] = append(due, e), leadResult{l, err}
		return nil // a lead that cannot be read is told when it is asked for: the others go on
	})
	return due, err
}

// Delivery finds the errand of a lead, if it has one.
func (p *Tx) Delivery(seq int64) (e buyer.Delivery, found bool, err error) {
	found, err = p.db.queryRow(deliveryQuery, []any{seq}, func(r row) { e = p.scanDelivery(r) })
	if err == nil && !found {
		p.db.isNew[seq] = false
	}
	return e, found, err
}

// The first is for what stands in deliveries, the other for what leaves fresh; both take the same.
const (
	updateDelivery = `UPDATE deliveries SET lane = $1, step = $2, due_at = $3, token = $4, owner = $5, since = $6, offer_id = $7, attempts = $8, unsure = $9, sent_at = $10, url = $11
		WHERE lead_seq = $12`
	insertDelivery = `INSERT INTO deliveries (lane, step, due_at, token, owner, since, offer_id, attempts, unsure, sent_at, url, lead_seq)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
)

// PutDelivery writes an errand down as it stands.
func (p *Tx) PutDelivery(e buyer.Delivery) error {
	fresh, err := p.isNew(e.Lead)
	if err != nil {
		return err
	}
	query := updateDelivery
	if fresh {
		if err := p.leaveNewLeads(e.Lead); err != nil {
			return err
		}
		query = insertDelivery
	}
	return p.db.exec(query, e.BuyerQueue, string(e.Step), micros(e.DueAt), e.Token, e.Owner, micros(e.Since), e.Offer, int64(e.Attempts), bit(e.MayHaveContact),
		microsOrZero(e.SentAt), e.URL, e.Lead)
}

// SetAside has a lead left alone until a time, whatever is wrong with it. Nothing of it is read.
func (p *Tx) SetAside(seq int64, until time.Time) error {
	for _, statement := range []string{
		`INSERT INTO deliveries (lead_seq, due_at, since) SELECT lead_seq, $1, $1 FROM fresh WHERE lead_seq = $2 ON CONFLICT (lead_seq) DO NOTHING`,
		`UPDATE deliveries SET due_at = $1 WHERE lead_seq = $2`,
	} {
		if err := p.db.exec(statement, micros(until), seq); err != nil {
			return err
		}
	}
	return p.db.exec(`DELETE FROM fresh WHERE lead_seq = $1`, seq)
}

// IDOf is the id of a lead by its row, or "" where there is none.
func (p *Tx) IDOf(seq int64) (id string, err error) {
	_, err = p.db.queryRow(`SELECT id FROM leads WHERE seq = $1`, []any{seq}, func(r row) { id = r.text(0) })
	return id, err
}

// BuyersVersion changes when a buyer does.
func (p *Tx) BuyersVersion() (int64, error) {
	if p.db.buyersVersion != 0 {
		return p.db.buyersVersion, nil
	}
	_, err := p.db.queryRow(`SELECT version FROM changes WHERE topic = 'buyers'`, nil, func(r row) { p.db.buyersVersion = r.number(0) })
	return p.db.buyersVersion, err
}

// EndDelivery takes a lead off its way.
func (p *Tx) EndDelivery(seq int64) error {
	fresh, err := p.isNew(seq)
	if err != nil {
		return err
	}
	if fresh {
		return p.leaveNewLeads(seq)
	}
	return p.db.exec(`DELETE FROM deliveries WHERE lead_seq = $1`, seq)
}

// Requeue sends what only waits for its turn in a lane to look for somebody else: so much at once that the intake does
// not notice. The rest goes when its turn comes.
func (p *Tx) Requeue(lane string) error {
	return p.db.exec(`UPDATE deliveries SET lane = '' WHERE lead_seq IN (
		SELECT lead_seq FROM deliveries WHERE lane = $1 AND step = $2 AND owner = '' LIMIT $3)`, lane, string(buyer.StepAsk), int64(heldBatch))
}

// MakeDueNow makes everything in a lane due now that nobody has taken.
func (p *Tx) MakeDueNow(lane string, now time.Time) error {
	return p.db.exec(`UPDATE deliveries SET due_at = $1 WHERE lane = $2 AND owner = ''`, micros(now), lane)
}

// ReleaseLeases ends all leases at once. Only a process that is alone on the database may call it. Who had them stays: what was
// being sent then has an unknown outcome.
func (s *Store) ReleaseLeases(ctx context.Context, now time.Time) error {
	return s.write(ctx, func(h *dbTx) error {
		if err := h.exec(`UPDATE deliveries SET due_at = $1 WHERE owner <> '' AND due_at > $1`, micros(now)); err != nil {
			return err
		}
		return h.exec(`UPDATE standings SET walk_until = $1 WHERE walk_until > $1`, micros(now))
	})
}

// buyerQueuesQuery steps from lane to lane through the index: it costs as much as there are lanes, however long they are. It says so
// step by step: asked for the least lane, or whether one is due, PostgreSQL may read them all.
const buyerQueuesQuery = `WITH RECURSIVE lanes(lane) AS (
		SELECT (SELECT lane FROM deliveries WHERE lane > '' ORDER BY lane LIMIT 1)
		UNION ALL SELECT (SELECT d.lane FROM deliveries d WHERE d.lane > lanes.lane ORDER BY d.lane LIMIT 1) FROM lanes WHERE lanes.lane IS NOT NULL)
	SELECT lane FROM lanes WHERE lane IS NOT NULL
		AND (SELECT d.due_at FROM deliveries d WHERE d.lane = lanes.lane ORDER BY d.due_at LIMIT 1) <= $1`

// BuyerQueues lists the buyers for whom something waits that may be taken.
func (s *Store) BuyerQueues(ctx context.Context, now time.Time) ([]string, error) {
	return s.queryStrings(ctx, buyerQueuesQuery, micros(now))
}

// queryStrings reads a list of single texts.
func (s *Store) queryStrings(ctx context.Context, query string, args ...any) ([]string, error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	words, err := collect(ctx, e.DB, scanOne[string], query, args...)
	return words, s.readError(e, err)
}

// HeldAfter lists held leads behind a row, in their order, without those that are kept off the market.
func (s *Store) HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error) {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	held, err := collect(ctx, e.DB, func(r scanner) (x buyer.Held, err error) {
		err = r.Scan(&x.Lead, &x.Service, &x.ZIP)
		return x, err
	}, `SELECT seq, service_type, zip_code FROM leads WHERE status = 'collected' AND seq > $1
		AND (SELECT w.lead_seq FROM withheld w WHERE w.lead_seq = seq) IS NULL ORDER BY seq LIMIT $2`, seq, limit)
	return held, s.readError(e, err)
}

// LeadBySeq finds a lead by its row.
func (p *Tx) LeadBySeq(seq int64) (l lead.Lead, err error) {
	if x, known := p.db.leads[seq]; known {
		delete(p.db.leads, seq) // once: what is done with it may change it
		return x.lead, x.err
	}
	there, scanErr := p.db.queryRow(`SELECT `+leadColumns+` FROM leads WHERE seq = $1`, []any{seq}, func(r row) { l, err = scanLead(r) })
	switch {
	case scanErr != nil:
		return l, scanErr
	case !there:
		return l, noLead()
	}
	return l, err
}

// SeqOf is the row of a lead.
func (p *Tx) SeqOf(id string) (seq int64, err error) {
	found, err := p.db.queryRow(`SELECT seq FROM leads WHERE id = $1`, []any{id}, func(r row) { seq = r.number(0) })
	if err == nil && !found {
		err = noLead()
	}
	return seq, err
}

// Change gives a lead another status, and a line in its history. A move that statuses do not make is refused.
func (p *Tx) Change(seq int64, from lead.Status, c lead.Change) error {
	return p.db.move(seq, from, c)
}

// Mark writes the marks of a lead.
func (p *Tx) Mark(seq int64, marks []lead.Mark) error {
	return p.db.exec(`UPDATE leads SET marks = $1 WHERE seq = $2`, joinMarks(marks), seq)
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
