package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// buyersVersionColumn follows the columns of a delivery, so that a reader with buyers in memory sees whether they changed.
const buyersVersionColumn = `(SELECT version FROM changes WHERE topic = 'buyers')`

// scanDelivery reads a delivery, and remembers the columns that follow it: whether it is new, and the version of the buyers.
func (tx *Tx) scanDelivery(r db.Row) (buyer.Delivery, error) {
	tx.newLeads[r.Int(0)] = r.Int(rows.DeliveryWidth) != 0
	tx.buyersVersion = r.Int(rows.DeliveryWidth + 1)
	return rows.Delivery(r), nil
}

// Queue creates a delivery for a lead that had one before. Its token starts higher than any earlier token can be, so that the
// owner of an earlier lease cannot settle it.
func (tx *Tx) Queue(seq int64, at time.Time) error {
	return tx.exec(`INSERT INTO deliveries (lead_seq, due_at, since, token) VALUES ($1, $2, $3, $4)`, seq, rows.Micros(at), rows.Micros(at), rows.Micros(at))
}

// limitClause bounds how many deliveries one query returns. SQLite makes a bare parameter after LIMIT part of its plan, and
// recompiles the statement each time it is bound: that cost twice as much as the rest of Due.
const limitClause = `LIMIT CAST($3 AS BIGINT)`

// skipLocked locks the rows that a query returns, and leaves out those that another process claims at the moment.
const skipLocked = ` FOR UPDATE SKIP LOCKED`

// dueQuery reads the leads of only those deliveries that it returns, however many are due at the same time. None of them is new.
// lock is skipLocked or nothing.
func dueQuery(lock string) string {
	return `SELECT ` + rows.DeliveryColumns + `, 0, ` + buyersVersionColumn + `, ` + rows.LeadColumns + ` FROM
	(SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 ORDER BY due_at, lead_seq ` + limitClause + lock + `) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq`
}

// The queries of Due, alone on the database and beside other processes.
var (
	dueAlone, newLeadsAlone   = dueQuery(""), newLeadsQuery("")
	dueShared, newLeadsShared = dueQuery(skipLocked), newLeadsQuery(skipLocked)
)

// Due lists the deliveries in a buyer's queue that are due, the longest due first, then the oldest lead. It also reads their
// leads, because the caller asks for these next. New leads are always due: if a process whose clock is ahead accepted the lead,
// or if it arrived while this transaction waited for another process, it is due from now on, not from its own time.
func (tx *Tx) Due(buyerQueue string, now time.Time, limit int) ([]buyer.Delivery, error) {
	query, newLeads := dueAlone, newLeadsAlone
	if tx.locks.Shared {
		query, newLeads = dueShared, newLeadsShared
	}
	if buyerQueue == "" {
		query = newLeads
	}
	var due []buyer.Delivery
	err := tx.query(query, []any{buyerQueue, rows.Micros(now), int64(limit)}, func(r db.Row) error {
		d, _ := tx.scanDelivery(r)
		if tx.newLeads[d.Lead] && d.Since.After(now) { // otherwise an offer made now would not count as made since then
			d.Since, d.DueAt = now, now
		}
		l, err := rows.Lead(r[rows.DeliveryWidth+2:])
		due, tx.leads[d.Lead] = append(due, d), leadResult{l, err}
		return nil // LeadBySeq returns err: one unreadable lead does not stop the others
	})
	return due, err
}

// Delivery finds the delivery of a lead, if it has one.
func (tx *Tx) Delivery(seq int64) (d buyer.Delivery, found bool, err error) {
	if known, ok := tx.deliveries[seq]; ok {
		delete(tx.deliveries, seq) // the next request may ask after this one has changed it
		tx.newLeads[seq], tx.buyersVersion = false, known.buyersVersion
		return known.delivery, true, nil
	}
	d, found, err = one(tx, tx.scanDelivery, deliveryQuery, seq)
	if err == nil && !found {
		tx.newLeads[seq] = false
	}
	return d, found, err
}

// updateDelivery is for a row of table deliveries, insertDelivery for one that leaves table new_leads. Both have the same parameters.
const (
	updateDelivery = `UPDATE deliveries SET buyer_queue = $1, step = $2, due_at = $3, token = $4, owner = $5, since = $6, offer_id = $7, attempts = $8, may_have_contact = $9, sent_at = $10, url = $11
		WHERE lead_seq = $12`
	insertDelivery = `INSERT INTO deliveries (buyer_queue, step, due_at, token, owner, since, offer_id, attempts, may_have_contact, sent_at, url, lead_seq)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
)

// PutDelivery stores the current state of a delivery.
func (tx *Tx) PutDelivery(d buyer.Delivery) error {
	isNew, err := tx.isNew(d.Lead)
	if err != nil {
		return err
	}
	query := updateDelivery
	if isNew {
		if err := tx.leaveNewLeads(d.Lead); err != nil {
			return err
		}
		query = insertDelivery
	}
	return tx.exec(query, d.BuyerQueue, string(d.Step), rows.Micros(d.DueAt), d.Token, d.Owner, rows.Micros(d.Since), d.Offer, int64(d.Attempts), rows.Bit(d.MayHaveContact),
		rows.MicrosOrZero(d.SentAt), d.URL, d.Lead)
}

// SetAside postpones the delivery of a lead until a time. It does not read the lead or its delivery, which may be unreadable.
func (tx *Tx) SetAside(seq int64, until time.Time) error {
	for _, statement := range []string{
		`INSERT INTO deliveries (lead_seq, due_at, since) SELECT lead_seq, $1, $1 FROM new_leads WHERE lead_seq = $2 ON CONFLICT (lead_seq) DO NOTHING`,
		`UPDATE deliveries SET due_at = $1 WHERE lead_seq = $2`,
	} {
		if err := tx.exec(statement, rows.Micros(until), seq); err != nil {
			return err
		}
	}
	return tx.leaveNewLeads(seq)
}

// BuyersVersion returns a number that changes whenever a buyer changes.
func (tx *Tx) BuyersVersion() (version int64, err error) {
	if tx.buyersVersion == 0 {
		tx.buyersVersion, err = tx.number(`SELECT version FROM changes WHERE topic = 'buyers'`)
	}
	return tx.buyersVersion, err
}

// EndDelivery deletes the delivery of a lead.
func (tx *Tx) EndDelivery(seq int64) error {
	isNew, err := tx.isNew(seq)
	if err != nil {
		return err
	}
	if isNew {
		return tx.leaveNewLeads(seq)
	}
	return tx.exec(`DELETE FROM deliveries WHERE lead_seq = $1`, seq)
}

// requeueBatch is how many deliveries Requeue moves at most, so that the intake does not notice.
const requeueBatch = 500

// Requeue moves leads that only wait in a buyer's queue back to the search for a buyer. Those beyond requeueBatch move when they become
// due.
func (tx *Tx) Requeue(buyerQueue string) error {
	lock := ""
	if tx.locks.Shared {
		lock = skipLocked
	}
	return tx.exec(`UPDATE deliveries SET buyer_queue = '' WHERE lead_seq IN (
		SELECT lead_seq FROM deliveries WHERE buyer_queue = $1 AND step = $2 AND owner = '' LIMIT $3`+lock+`)`, buyerQueue, string(buyer.StepAsk), int64(requeueBatch))
}

// MakeDueNow makes every delivery in a buyer's queue due now, except those that are leased.
func (tx *Tx) MakeDueNow(buyerQueue string, now time.Time) error {
	return tx.exec(`UPDATE deliveries SET due_at = $1 WHERE buyer_queue = $2 AND owner = ''`, rows.Micros(now), buyerQueue)
}

// ReleaseLeases ends all leases. Only a process that is the only one on the database may call it. It does not clear the owners:
// the outcome of what they were sending is unknown.
func (s *Store) ReleaseLeases(ctx context.Context, now time.Time) error {
	return s.write(ctx, func(tx *Tx) error {
		if err := tx.exec(`UPDATE deliveries SET due_at = $1 WHERE owner <> '' AND due_at > $1`, rows.Micros(now)); err != nil {
			return err
		}
		if err := tx.exec(`UPDATE jobs SET until = 0`); err != nil {
			return err
		}
		return tx.exec(`UPDATE buyer_health SET scan_until = $1 WHERE scan_until > $1`, rows.Micros(now))
	})
}

// buyerQueuesQuery steps from queue to queue through the index: its cost depends on the number of queues, not on their length.
// The query spells the steps out: asked for the smallest queue, or for whether a queue has a due row, PostgreSQL may read all rows.
const buyerQueuesQuery = `WITH RECURSIVE queues(buyer_queue) AS (
		SELECT (SELECT buyer_queue FROM deliveries WHERE buyer_queue > '' ORDER BY buyer_queue LIMIT 1)
		UNION ALL SELECT (SELECT d.buyer_queue FROM deliveries d WHERE d.buyer_queue > queues.buyer_queue ORDER BY d.buyer_queue LIMIT 1) FROM queues WHERE queues.buyer_queue IS NOT NULL)
	SELECT buyer_queue FROM queues WHERE buyer_queue IS NOT NULL
		AND (SELECT d.due_at FROM deliveries d WHERE d.buyer_queue = queues.buyer_queue ORDER BY d.due_at LIMIT 1) <= $1`

// Pending is what there is to do for the forwarder.
type Pending struct {
	BuyersVersion int64    // see Tx.BuyersVersion
	NeedBuyer     bool     // deliveries that need a buyer are due, or there are new leads
	Scans         bool     // BuyersToWake has some
	Repeats       bool     // RepeatsToCheck has some
	Queues        []string // buyers whose queue has a delivery that is due
}

// pendingQuery asks for everything but the queues. A service at rest asks it twice a second, and nothing else.
const pendingQuery = `SELECT ` + buyersVersionColumn + `,
	(SELECT COUNT(*) FROM (SELECT lead_seq FROM new_leads ORDER BY lead_seq LIMIT 1) AS n)
		+ (SELECT COUNT(*) FROM (SELECT lead_seq FROM deliveries WHERE buyer_queue = '' AND due_at <= $1 ORDER BY due_at LIMIT 1) AS d),
	(SELECT COUNT(*) FROM (SELECT buyer_id FROM buyer_health WHERE ` + wakeCondition + ` LIMIT 1) AS b),
	(SELECT COUNT(*) FROM (SELECT lead_seq FROM withheld WHERE check_at > 0 AND check_at <= $1 LIMIT 1) AS w)`

// Pending looks for what there is to do.
func (s *Store) Pending(ctx context.Context, now time.Time) (Pending, error) {
	return read(ctx, s, func(tx *Tx) (Pending, error) {
		p, _, err := one(tx, func(r db.Row) (Pending, error) {
			return Pending{BuyersVersion: r.Int(0), NeedBuyer: r.Int(1) > 0, Scans: r.Int(2) > 0, Repeats: r.Int(3) > 0}, nil
		}, pendingQuery, rows.Micros(now))
		if err == nil {
			p.Queues, err = all(tx, db.FirstText, buyerQueuesQuery, rows.Micros(now))
		}
		return p, err
	})
}

// Waiting counts the deliveries that are due in a buyer's queue, and those that need a buyer and were released or tried before: at most
// most of each.
func (s *Store) Waiting(ctx context.Context, buyerQueue string, now time.Time, most int) (int, error) {
	return read(ctx, s, func(tx *Tx) (int, error) {
		n, err := tx.number(`SELECT (SELECT COUNT(*) FROM (SELECT lead_seq FROM deliveries WHERE buyer_queue = '' AND due_at <= $2 LIMIT $3) AS n)
			+ (SELECT COUNT(*) FROM (SELECT lead_seq FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 LIMIT $3) AS w)`, buyerQueue, rows.Micros(now), int64(most))
		return int(n), err
	})
}

// A new lead has a row in table new_leads until the forwarder first takes it, and one in table deliveries from then on. Everything
// else about the delivery of a new lead follows from the lead, so the intake appends one small row and updates no index.

// newLeadDelivery has the values of rows.DeliveryColumns for a new lead. The forwarder recognizes a new lead by them.
const newLeadDelivery = `seq, '', 'ask', created_at, 0, '', created_at, '', 0, 0, 0, ''`

// deliveryQuery finds the delivery of a lead, and whether it is new. If damage left a lead in both tables, the row in deliveries
// wins, here because it comes last: it says who may have the contact. The row in new_leads is found once that delivery has ended.
const deliveryQuery = `SELECT ` + newLeadDelivery + `, 1, ` + buyersVersionColumn + ` FROM leads WHERE seq = (SELECT lead_seq FROM new_leads WHERE lead_seq = $1)
	UNION ALL SELECT ` + rows.DeliveryColumns + `, 0, ` + buyersVersionColumn + ` FROM deliveries WHERE lead_seq = $1`

// newLeadsQuery finds the leads that need a buyer, in the queue without a name: those that were tried before, and new ones. It
// has the parameters of dueQuery. With NOT EXISTS, PostgreSQL might choose a join that reads all of deliveries.
func newLeadsQuery(lock string) string {
	return `SELECT due.*, ` + buyersVersionColumn + `, ` + rows.LeadColumns + ` FROM (
		SELECT * FROM (SELECT ` + rows.DeliveryColumns + `, 0 AS is_new FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 ORDER BY due_at, lead_seq ` + limitClause + lock + `) AS again
		UNION ALL SELECT ` + newLeadDelivery + `, 1 FROM (
			SELECT lead_seq AS first FROM new_leads WHERE (SELECT d.lead_seq FROM deliveries d WHERE d.lead_seq = new_leads.lead_seq) IS NULL
			ORDER BY lead_seq ` + limitClause + lock + `) AS firsts JOIN leads ON seq = first) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq ` + limitClause
}

// isNew reports whether the delivery of a lead is in table new_leads. It is false for a lead without a delivery.
func (tx *Tx) isNew(seq int64) (bool, error) {
	if _, known := tx.newLeads[seq]; !known {
		if _, _, err := tx.Delivery(seq); err != nil {
			return false, err
		}
	}
	return tx.newLeads[seq], nil
}

// leaveNewLeads deletes a lead from table new_leads.
func (tx *Tx) leaveNewLeads(seq int64) error {
	tx.newLeads[seq] = false
	return tx.exec(`DELETE FROM new_leads WHERE lead_seq = $1`, seq)
}
