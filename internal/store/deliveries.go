package store

import (
	"context"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/queue"
	"foyer/internal/store/rows"
)

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

// Due lists the deliveries in a buyer's queue that are due, the longest due first, then the oldest lead. It also reads their
// leads, because the caller asks for these next. New leads are always due: if a process whose clock is ahead accepted the lead,
// or if it arrived while this transaction waited for another process, it is due from now on, not from its own time. On PostgreSQL, Due locks
// their rows until the transaction ends, and skips those that others have locked (SKIP LOCKED): the SQL is in store/queue.
func (tx *Tx) Due(buyerQueue string, now time.Time, limit int) ([]buyer.Delivery, error) {
	var due []buyer.Delivery
	query, args := queue.Due(buyerQueue, now, limit, tx.queueStart.Load().Start, tx.locks.Shared)
	err := tx.query(query, args, func(r db.Row) error {
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
	if d, found, err = one(tx, tx.scanDelivery, queue.Delivery, seq); err == nil && !found {
		d, found, err = one(tx, tx.scanDelivery, queue.NewDelivery, seq)
	}
	if err == nil && !found {
		tx.newLeads[seq] = false
	}
	return d, found, err
}

// PutDelivery stores the current state of a delivery.
func (tx *Tx) PutDelivery(d buyer.Delivery) error {
	isNew, err := tx.isNew(d.Lead)
	if err != nil {
		return err
	}
	query := queue.Update
	if isNew {
		if err := tx.leaveNewLeads(d.Lead); err != nil {
			return err
		}
		query = queue.Insert
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
		lock = queue.SkipLocked
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

// Pending is what there is to do for the forwarder.
type Pending = queue.Pending

// Pending looks for what there is to do.
func (s *Store) Pending(ctx context.Context, now time.Time) (Pending, error) {
	return read(ctx, s, func(tx *Tx) (Pending, error) {
		known := s.queueStart.Load()
		if age := now.Sub(known.at); !s.engine.IsServer() || age >= 0 && age < fullScanInterval {
			return queue.ReadPending(tx.conn, now, known.Start)
		}
		from, err := queue.FindStart(tx.conn, now)
		if err != nil {
			return Pending{}, err
		}
		s.queueStart.Store(&queueStart{from, now})
		return queue.ReadPending(tx.conn, now, queue.Start{})
	})
}

// fullScanInterval is how often Pending scans the queue from its very beginning.
const fullScanInterval = 10 * time.Second

// queueStart is where the rows of the queue begin, as of a time. It is zero, and everything is scanned, on SQLite and at the start.
type queueStart struct {
	queue.Start
	at time.Time
}

// Waiting counts the deliveries that wait for a buyer's slot, or for a buyer: at most most of each.
func (s *Store) Waiting(ctx context.Context, buyerQueue string, now time.Time, most int) (int, error) {
	return read(ctx, s, func(tx *Tx) (int, error) {
		return queue.Waiting(tx.conn, buyerQueue, now, s.queueStart.Load().Start, most)
	})
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
