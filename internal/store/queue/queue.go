// Package queue has the SQL of the forwarder's queue: the tables deliveries and new_leads, and what there is to do. It reads the queue;
// what becomes of a delivery, its callers decide. It is an outbox: a row is written in the transaction that saves the lead, and sent later.
//
// A new lead has a row in table new_leads until the forwarder first takes it, and one in table deliveries from then on. Everything
// else about the delivery of a new lead follows from the lead, so the intake appends one small row and updates no index.
package queue

import (
	"time"

	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// BuyersVersion follows the columns of a delivery, so that a reader with buyers in memory sees whether they changed.
const BuyersVersion = `(SELECT version FROM changes WHERE topic = 'buyers')`

// limitClause bounds how many deliveries one query returns. SQLite makes a bare parameter after LIMIT part of its plan, and
// recompiles the statement each time it is bound: that cost twice as much as the rest of Due. A statement that runs often has a CAST.
const limitClause = `LIMIT CAST($3 AS BIGINT)`

// SkipLocked locks the rows that a query returns, and leaves out those that another process claims at the moment.
const SkipLocked = ` FOR UPDATE SKIP LOCKED`

// dueQuery reads the leads of only those deliveries that it returns, however many are due at the same time. None of them is new.
// lock is SkipLocked or nothing.
func dueQuery(lock string) string {
	return `SELECT ` + rows.DeliveryColumns + `, 0, ` + BuyersVersion + `, ` + rows.LeadColumns + ` FROM
	(SELECT ` + rows.DeliveryColumns + ` FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 AND due_at >= $4 ORDER BY due_at, lead_seq ` + limitClause + lock + `) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq`
}

// The queries of Due, alone on the database and beside other processes.
var (
	dueAlone, newLeadsAlone   = dueQuery(""), newLeadsQuery("")
	dueShared, newLeadsShared = dueQuery(SkipLocked), newLeadsQuery(SkipLocked)
)

// Due returns the query for what is due in a queue, and its arguments: of a buyer, or of the leads that need one, whose queue has no name.
// shared says that other processes claim at the same time.
func Due(buyerQueue string, now time.Time, limit int, from Start, shared bool) (query string, args []any) {
	args = []any{buyerQueue, rows.Micros(now), int64(limit), from.Due}
	switch {
	case buyerQueue == "" && shared:
		return newLeadsShared, append(args, from.Lead)
	case buyerQueue == "":
		return newLeadsAlone, append(args, from.Lead)
	case shared:
		return dueShared, args
	}
	return dueAlone, args
}

// Start is where the rows of the queue begin: nothing has a lower number or is due earlier. On PostgreSQL, while a transaction stays open
// that began long ago, such as that of a dump, a scan of the queue steps over every row that was ever in it since then. So a scan begins
// where the last full one found something. A row that is added below the start is found by the next full scan.
type Start struct {
	Lead int64 // in new_leads
	Due  int64 // in deliveries, in microseconds
}

// How far below the first row a scan begins: by how much a clock may be slow, and how many leads a transaction may commit later than those
// with higher numbers.
const (
	slowClock = 10 * time.Second
	lateLeads = 2000
)

// startQuery finds the first row of each table, by a full scan: the deliveries are in order for each queue, so it steps from queue to queue.
const startQuery = queuesQuery + `SELECT (SELECT lead_seq FROM new_leads ORDER BY lead_seq LIMIT 1),
	(SELECT created_at FROM leads WHERE seq = (SELECT lead_seq FROM new_leads ORDER BY lead_seq LIMIT 1)),
	(SELECT MIN((SELECT d.due_at FROM deliveries d WHERE d.buyer_queue = queues.buyer_queue ORDER BY d.due_at LIMIT 1)) FROM queues WHERE queues.buyer_queue IS NOT NULL),
	(SELECT d.due_at FROM deliveries d WHERE d.buyer_queue = '' ORDER BY d.due_at LIMIT 1),
	(SELECT max(seq) FROM leads)`

// FindStart finds where the rows of the queue begin.
func FindStart(c db.Conn, now time.Time) (Start, error) {
	from, _, err := db.One(c, func(r db.Row) (Start, error) {
		from := Start{Lead: r.Int(4), Due: rows.Micros(now)}
		if r[0] != nil {
			from.Lead = r.Int(0)
		}
		for _, due := range []int{1, 2, 3} { // a new lead that finds no slot is due since it was created
			if r[due] != nil {
				from.Due = min(from.Due, r.Int(due))
			}
		}
		return Start{max(0, from.Lead-lateLeads), from.Due - slowClock.Microseconds()}, nil
	}, startQuery)
	return from, err
}

// newLeadDelivery has the values of rows.DeliveryColumns for a new lead. The forwarder recognizes a new lead by them.
const newLeadDelivery = `seq, '', 'ask', created_at, 0, '', created_at, '', 0, 0, 0, ''`

// Delivery finds the delivery of a lead, and NewDelivery that of a new lead. If damage left a lead in both tables, the row in deliveries
// wins: it says who may have the contact. So NewDelivery is for a lead that Delivery did not find.
const (
	Delivery    = `SELECT ` + rows.DeliveryColumns + `, 0, ` + BuyersVersion + ` FROM deliveries WHERE lead_seq = $1`
	NewDelivery = `SELECT ` + newLeadDelivery + `, 1, ` + BuyersVersion + ` FROM leads WHERE seq = (SELECT lead_seq FROM new_leads WHERE lead_seq = $1)`
)

// newLeadsQuery finds the leads that need a buyer, in the queue without a name: those that were tried before, and new ones. It
// has the parameters of dueQuery. With NOT EXISTS, PostgreSQL might choose a join that reads all of deliveries.
func newLeadsQuery(lock string) string {
	return `SELECT due.*, ` + BuyersVersion + `, ` + rows.LeadColumns + ` FROM (
		SELECT * FROM (SELECT ` + rows.DeliveryColumns + `, 0 AS is_new FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 AND due_at >= $4 ORDER BY due_at, lead_seq ` + limitClause + lock + `) AS again
		UNION ALL SELECT ` + newLeadDelivery + `, 1 FROM (
			SELECT lead_seq AS first FROM new_leads WHERE lead_seq >= $5 AND (SELECT d.lead_seq FROM deliveries d WHERE d.lead_seq = new_leads.lead_seq) IS NULL
			ORDER BY lead_seq ` + limitClause + lock + `) AS firsts JOIN leads ON seq = first) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq ` + limitClause
}

// Update is for a row of table deliveries, Insert for one that leaves table new_leads. Both have the same parameters.
const (
	Update = `UPDATE deliveries SET buyer_queue = $1, step = $2, due_at = $3, token = $4, owner = $5, since = $6, offer_id = $7, attempts = $8, may_have_contact = $9, sent_at = $10, url = $11
		WHERE lead_seq = $12`
	Insert = `INSERT INTO deliveries (buyer_queue, step, due_at, token, owner, since, offer_id, attempts, may_have_contact, sent_at, url, lead_seq)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`
)

// queuesQuery steps from queue to queue through the index: its cost depends on the number of queues, not on their length.
// The query spells the steps out: asked for the smallest queue, or for whether a queue has a due row, PostgreSQL may read all rows.
const queuesQuery = `WITH RECURSIVE queues(buyer_queue) AS (
		SELECT (SELECT buyer_queue FROM deliveries WHERE buyer_queue > '' ORDER BY buyer_queue LIMIT 1)
		UNION ALL SELECT (SELECT d.buyer_queue FROM deliveries d WHERE d.buyer_queue > queues.buyer_queue ORDER BY d.buyer_queue LIMIT 1) FROM queues WHERE queues.buyer_queue IS NOT NULL)
	`

const (
	buyerQueuesQuery = queuesQuery + `SELECT buyer_queue FROM queues WHERE buyer_queue IS NOT NULL
		AND (SELECT d.due_at FROM deliveries d WHERE d.buyer_queue = queues.buyer_queue ORDER BY d.due_at LIMIT 1) <= $1`

	// dueBuyersQuery is buyerQueuesQuery from a start on. It does not find the queue of a buyer that has no row any more.
	dueBuyersQuery = `SELECT id FROM buyers WHERE
		(SELECT d.due_at FROM deliveries d WHERE d.buyer_queue = id AND d.due_at >= $2 ORDER BY d.due_at LIMIT 1) <= $1`
)

// Wake finds the buyers, in table buyer_health, for which a scan of the held leads is due.
const Wake = `scan_until <= $1 AND (scan_until > 0 OR wake_at > 0 AND wake_at <= $1)`

// Pending is what there is to do for the forwarder.
type Pending struct {
	BuyersVersion int64    // see Tx.BuyersVersion
	NeedBuyer     bool     // deliveries that need a buyer are due, or there are new leads
	Scans         bool     // BuyersToWake has some
	Repeats       bool     // RepeatsToCheck has some
	Queues        []string // buyers whose queue has a delivery that is due
}

// pendingQuery asks for everything but the buyers' queues, which a second query finds. A service at rest asks these two twice a second.
const pendingQuery = `SELECT ` + BuyersVersion + `,
	(SELECT COUNT(*) FROM (SELECT lead_seq FROM new_leads WHERE lead_seq >= $3 ORDER BY lead_seq LIMIT 1) AS n)
		+ (SELECT COUNT(*) FROM (SELECT lead_seq FROM deliveries WHERE buyer_queue = '' AND due_at <= $1 AND due_at >= $2 ORDER BY due_at LIMIT 1) AS d),
	(SELECT COUNT(*) FROM (SELECT buyer_id FROM buyer_health WHERE ` + Wake + ` LIMIT 1) AS b),
	(SELECT COUNT(*) FROM (SELECT lead_seq FROM withheld WHERE check_at > 0 AND check_at <= $1 LIMIT 1) AS w)`

// ReadPending looks for what there is to do, from a start on: everywhere if that is zero.
func ReadPending(c db.Conn, now time.Time, from Start) (Pending, error) {
	p, _, err := db.One(c, func(r db.Row) (Pending, error) {
		return Pending{BuyersVersion: r.Int(0), NeedBuyer: r.Int(1) > 0, Scans: r.Int(2) > 0, Repeats: r.Int(3) > 0}, nil
	}, pendingQuery, rows.Micros(now), from.Due, from.Lead)
	if err != nil {
		return p, err
	}
	query, args := buyerQueuesQuery, []any{rows.Micros(now)}
	if from != (Start{}) {
		query, args = dueBuyersQuery, []any{rows.Micros(now), from.Due}
	}
	err = c.Query(query, args, func(r db.Row) error { p.Queues = append(p.Queues, r.Text(0)); return nil })
	return p, err
}

// Waiting counts the deliveries that are due in a buyer's queue, and those that need a buyer and were released or tried before: at most
// most of each.
func Waiting(c db.Conn, buyerQueue string, now time.Time, from Start, most int) (int, error) {
	n, _, err := db.One(c, db.FirstInt, `SELECT (SELECT COUNT(*) FROM (SELECT lead_seq FROM deliveries WHERE buyer_queue = '' AND due_at <= $2 AND due_at >= $3 LIMIT CAST($4 AS BIGINT)) AS n)
		+ (SELECT COUNT(*) FROM (SELECT lead_seq FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 AND due_at >= $3 LIMIT CAST($4 AS BIGINT)) AS w)`, buyerQueue, rows.Micros(now), from.Due, int64(most))
	return int(n), err
}
