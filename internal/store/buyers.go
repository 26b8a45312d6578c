package store

import (
	"context"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

const buyerColumns = `id, terms, secrets, state, why, created_at, updated_at`

func scanBuyer(r db.Row) (buyer.Buyer, error) {
	b := buyer.Buyer{
		ID: r.Text(0), State: buyer.State(r.Text(3)), Why: r.Text(4), CreatedAt: fromMicros(r.Int(5)), UpdatedAt: fromMicros(r.Int(6)),
	}
	return b, errors.Join(json.Unmarshal([]byte(r.Text(1)), &b.Terms), json.Unmarshal([]byte(r.Text(2)), &b.Secrets))
}

// Buyers lists every buyer, and the version of the list.
func (s *Store) Buyers(ctx context.Context) ([]buyer.Buyer, int64, error) {
	var version int64
	buyers, err := read(ctx, s, func(tx *Tx) (buyers []buyer.Buyer, err error) {
		// Read the version first: a change between the two reads is read again later, never missed.
		if version, err = tx.BuyersVersion(); err != nil {
			return nil, err
		}
		err = tx.query(`SELECT `+buyerColumns+` FROM buyers WHERE state <> 'removed' ORDER BY created_at, id`, nil, func(r db.Row) error {
			b, err := scanBuyer(r)
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
	b, found, err := one(tx, scanBuyer, `SELECT `+buyerColumns+` FROM buyers WHERE id = $1 AND state <> 'removed'`, id)
	if err == nil && !found {
		err = &lead.Error{Kind: lead.NotFound, Message: "There is no buyer with this id."}
	}
	return b, err
}

// PutBuyer adds or updates a buyer, and bumps the version that all processes poll. They check held leads again.
func (tx *Tx) PutBuyer(b buyer.Buyer) error {
	terms, err := json.Marshal(b.Terms)
	if err != nil {
		return err
	}
	secrets, err := json.Marshal(b.Secrets)
	if err != nil {
		return err
	}
	if err := tx.exec(`INSERT INTO buyers (`+buyerColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET terms = excluded.terms, secrets = excluded.secrets, state = excluded.state, why = excluded.why, updated_at = excluded.updated_at`,
		b.ID, string(terms), string(secrets), string(b.State), b.Why, micros(b.CreatedAt), micros(b.UpdatedAt)); err != nil {
		return err
	}
	return bump(tx, "buyers")
}

// RemoveBuyer marks a buyer as removed and deletes its secrets. Its name stays for the history of the leads.
func (tx *Tx) RemoveBuyer(id string, at time.Time) error {
	delete(tx.healths, id)
	if err := tx.exec(`UPDATE buyers SET state = 'removed', secrets = '[]', updated_at = $1 WHERE id = $2`, micros(at), id); err != nil {
		return err
	}
	if err := tx.exec(`DELETE FROM buyer_health WHERE buyer_id = $1`, id); err != nil {
		return err
	}
	return bump(tx, "buyers")
}

const healthColumns = `asked_at, failures, opened, open_until, wake_at, scan_until, quiet_until`

func scanHealth(r db.Row) (buyer.Health, error) {
	return buyer.Health{
		Asked: timeOrZero(r.Int(0)), Failures: int(r.Int(1)), Opened: int(r.Int(2)), OpenUntil: timeOrZero(r.Int(3)), WakeAt: timeOrZero(r.Int(4)),
		ScanUntil: timeOrZero(r.Int(5)), QuietUntil: timeOrZero(r.Int(6)),
	}, nil
}

// Health returns the health of a buyer.
func (tx *Tx) Health(id string) (h buyer.Health, err error) {
	if h, known := tx.healths[id]; known {
		return h, nil
	}
	h, _, err = one(tx, scanHealth, `SELECT `+healthColumns+` FROM buyer_health WHERE buyer_id = $1`, id)
	if err == nil {
		tx.healths[id] = h
	}
	return h, err
}

// PutHealth stores the health of a buyer.
func (tx *Tx) PutHealth(id string, h buyer.Health) error {
	tx.healths[id] = h
	return tx.exec(`INSERT INTO buyer_health (buyer_id, `+healthColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (buyer_id) DO UPDATE SET asked_at = excluded.asked_at, failures = excluded.failures, opened = excluded.opened,
			open_until = excluded.open_until, wake_at = excluded.wake_at, scan_until = excluded.scan_until, quiet_until = excluded.quiet_until`,
		id, microsOrZero(h.Asked), int64(h.Failures), int64(h.Opened), microsOrZero(h.OpenUntil), microsOrZero(h.WakeAt), microsOrZero(h.ScanUntil), microsOrZero(h.QuietUntil))
}

// BuyersToWake lists the buyers for which a scan of the held leads is due: their wake time has come and no scan is running, or
// the last scan has not ended in time.
func (s *Store) BuyersToWake(ctx context.Context, now time.Time) ([]string, error) {
	return read(ctx, s, func(tx *Tx) ([]string, error) {
		return all(tx, db.FirstText, `SELECT buyer_id FROM buyer_health WHERE scan_until <= $1 AND (scan_until > 0 OR wake_at > 0 AND wake_at <= $1) ORDER BY wake_at`, micros(now))
	})
}

// microsOrZero is micros for a time that may be zero, which is stored as 0. timeOrZero is its inverse.
func microsOrZero(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return micros(t)
}

func timeOrZero(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return fromMicros(us)
}

// EachBuyer calls do for every buyer of a database, with the error of reading it.
func EachBuyer(ctx context.Context, from db.Querier, do func(id string, err error) error) error {
	return db.Each(ctx, from, func(r db.Row) error {
		b, err := scanBuyer(r)
		return do(b.ID, err)
	}, `SELECT `+buyerColumns+` FROM buyers ORDER BY id`)
}
