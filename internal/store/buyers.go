package store

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/ledger"
	"foyer/internal/store/queue"
	"foyer/internal/store/rows"
)

// Buyers lists every buyer, and the version of the list.
func (s *Store) Buyers(ctx context.Context) ([]buyer.Buyer, int64, error) {
	var version int64
	buyers, err := read(ctx, s, func(tx *Tx) (buyers []buyer.Buyer, err error) {
		// Read the version first: a change between the two reads is read again later, never missed.
		if version, err = tx.BuyersVersion(); err != nil {
			return nil, err
		}
		err = tx.query(`SELECT `+rows.BuyerColumns+` FROM buyers WHERE state <> 'removed' ORDER BY created_at, id`, nil, func(r db.Row) error {
			b, err := rows.Buyer(r)
			if err != nil { // the other buyers still receive offers
				s.log.Error("a buyer's row cannot be read; the buyer is not asked until it is fixed", "buyer", b.ID, "cause", db.OneLine(err))
				return nil
			}
			buyers = append(buyers, b)
			return nil
		})
		return buyers, err
	})
	return buyers, version, err
}

// BuyersVersion returns a number that changes whenever a buyer changes.
func (s *Store) BuyersVersion(ctx context.Context) (int64, error) {
	return read(ctx, s, (*Tx).BuyersVersion)
}

// Buyer finds a buyer by its id. It does not find removed buyers.
func (tx *Tx) Buyer(id string) (buyer.Buyer, error) {
	return existing(tx, "buyer with this id", rows.Buyer,
		`SELECT `+rows.BuyerColumns+` FROM buyers WHERE id = $1 AND state <> 'removed'`, id)
}

// PutBuyer adds or updates a buyer, but for its funds, and bumps the version that all processes poll. They check held leads again.
func (tx *Tx) PutBuyer(b buyer.Buyer) error {
	if err := tx.locks.CheckBuyer(b.ID); err != nil {
		return err
	}
	terms, err := json.Marshal(b.Terms)
	if err != nil {
		return err
	}
	secrets, err := json.Marshal(b.Secrets)
	if err != nil {
		return err
	}
	if err := tx.exec(`INSERT INTO buyers (id, terms, secrets, state, why, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET terms = excluded.terms, secrets = excluded.secrets, state = excluded.state, why = excluded.why, updated_at = excluded.updated_at`,
		b.ID, string(terms), string(secrets), string(b.State), b.Why, rows.Micros(b.CreatedAt), rows.Micros(b.UpdatedAt)); err != nil {
		return err
	}
	return bump(tx, "buyers")
}

// LedgerLines says which entries of a buyer are meant.
type LedgerLines = ledger.Lines

// Ledger returns the ledger of the transaction. Entries of the operator are added with AddFunds.
func (tx *Tx) Ledger() ledger.Ledger { return ledger.Ledger{Conn: tx.conn} }

// AddFunds adds a payment or a correction to a buyer's account, and bumps the version that all processes poll: a balance may allow more
// or fewer leads now.
func (tx *Tx) AddFunds(e buyer.Entry) error {
	if err := tx.Ledger().Add(e); err != nil {
		return err
	}
	if err := tx.execOne(`UPDATE buyers SET funds_cents = funds_cents - $1 WHERE id = $2`, int64(e.Amount), e.Buyer); err != nil {
		return err
	}
	return bump(tx, "buyers")
}

// RemoveBuyer marks a buyer as removed and deletes its secrets. Its name stays for the history of the leads.
func (tx *Tx) RemoveBuyer(id string, at time.Time) error {
	delete(tx.healths, id)
	if err := tx.exec(`UPDATE buyers SET state = 'removed', secrets = '[]', updated_at = $1 WHERE id = $2`, rows.Micros(at), id); err != nil {
		return err
	}
	if err := tx.exec(`DELETE FROM buyer_health WHERE buyer_id = $1`, id); err != nil {
		return err
	}
	return bump(tx, "buyers")
}

// Health returns the health of a buyer.
func (tx *Tx) Health(id string) (h buyer.Health, err error) {
	if h, known := tx.healths[id]; known {
		return h, nil
	}
	h, _, err = one(tx, rows.Health, `SELECT `+rows.HealthColumns+` FROM buyer_health WHERE buyer_id = $1`, id)
	if err == nil {
		tx.healths[id] = h
	}
	return h, err
}

// PutHealth stores the health of a buyer.
func (tx *Tx) PutHealth(id string, h buyer.Health) error {
	if err := tx.locks.CheckBuyer(id); err != nil {
		return err
	}
	tx.healths[id] = h
	return tx.exec(`INSERT INTO buyer_health (buyer_id, `+rows.HealthColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (buyer_id) DO UPDATE SET asked_at = excluded.asked_at, failures = excluded.failures, opened = excluded.opened,
			open_until = excluded.open_until, wake_at = excluded.wake_at, scan_until = excluded.scan_until, quiet_until = excluded.quiet_until`,
		id, rows.MicrosOrZero(h.Asked), int64(h.Failures), int64(h.Opened), rows.MicrosOrZero(h.OpenUntil), rows.MicrosOrZero(h.WakeAt), rows.MicrosOrZero(h.ScanUntil), rows.MicrosOrZero(h.QuietUntil))
}

// BuyersToWake lists the buyers for which a scan of the held leads is due: their wake time has come and no scan is running, or
// the last scan has not ended in time.
func (s *Store) BuyersToWake(ctx context.Context, now time.Time) ([]string, error) {
	return read(ctx, s, func(tx *Tx) ([]string, error) {
		return all(tx, db.FirstText, `SELECT buyer_id FROM buyer_health WHERE `+queue.Wake+` ORDER BY wake_at`, rows.Micros(now))
	})
}

// UnderWay returns how many deliveries to a buyer are at a step: offers that wait for an answer, or contacts that are being delivered.
func (tx *Tx) UnderWay(id string, step buyer.Step) (int, error) {
	n, err := tx.number(`SELECT count(*) FROM deliveries WHERE buyer_queue = $1 AND step = $2`, id, string(step))
	return int(n), err
}

// LeadsUnderWay lists the first leads, up to limit, that are being offered or delivered to a buyer.
func (tx *Tx) LeadsUnderWay(id string, limit int) ([]string, error) {
	return all(tx, db.FirstText, `SELECT l.id FROM deliveries d JOIN leads l ON l.seq = d.lead_seq WHERE d.buyer_queue = $1 AND d.step IN ($2, $3) ORDER BY d.lead_seq LIMIT $4`,
		id, string(buyer.StepOffer), string(buyer.StepDeliver), int64(limit))
}

// Sending returns how many messages to a buyer were leased for sending up to a time and may still be in flight.
func (s *Store) Sending(ctx context.Context, buyer string, until, now time.Time) (int, error) {
	n, err := read(ctx, s, func(tx *Tx) (int64, error) {
		return tx.number(`SELECT count(*) FROM deliveries WHERE buyer_queue = $1 AND owner <> '' AND sent_at > 0 AND sent_at <= $2 AND due_at > $3`,
			buyer, rows.Micros(until), rows.Micros(now))
	})
	return int(n), err
}
