package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// rekeyBatch is how many fingerprints one commit rekeys, so that no lead waits long for it.
const rekeyBatch = 200

// unkeyedQuery finds fingerprints of older versions: they are hex digits, and sort before all keyed ones.
const unkeyedQuery = `SELECT f.fingerprint, f.lead_seq, f.at FROM fingerprints f WHERE f.fingerprint < 'g' ORDER BY f.fingerprint LIMIT $1`

// checkUnkeyed sets unkeyed if fingerprints of older versions remain. While they do, LeadsOfPhone looks for them too.
func (s *Store) checkUnkeyed(ctx context.Context) error {
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	var one int64
	err := pool.QueryRowContext(ctx, `SELECT 1 FROM fingerprints WHERE fingerprint < 'g' LIMIT 1`).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		s.unkeyed.Store(false)
		return nil
	}
	s.unkeyed.Store(s.unkeyed.Load() || err == nil)
	return s.readError(pool, err)
}

// RekeyFingerprints replaces the fingerprints of older versions with keyed ones, in batches, until none is left.
func (s *Store) RekeyFingerprints(ctx context.Context, fingerprint func(lead.Request) string) error {
	for {
		if err := s.checkUnkeyed(ctx); err != nil || !s.unkeyed.Load() {
			return err
		}
		began := time.Now()
		err := s.Update(ctx, func(tx *Tx) error { return tx.rekeyFingerprints(fingerprint) })
		if err == nil {
			err = s.newBoundedJob().pause(ctx, time.Since(began))
		}
		if err != nil {
			return err
		}
	}
}

func (tx *Tx) rekeyFingerprints(fingerprint func(lead.Request) string) error {
	type entry struct {
		fingerprint string
		lead        int64
		at          int64
	}
	var old []entry
	err := tx.query(unkeyedQuery, []any{int64(rekeyBatch)}, func(r db.Row) error {
		old = append(old, entry{r.Text(0), r.Int(1), r.Int(2)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range old {
		l, err := tx.LeadBySeq(e.lead)
		if err == nil && !l.Erased() {
			if err := tx.rekey(e.fingerprint, fingerprint(l.Request), e.lead, e.at); err != nil {
				return err
			}
		}
		if err := tx.exec(`DELETE FROM fingerprints WHERE fingerprint = $1 AND lead_seq = $2`, e.fingerprint, e.lead); err != nil { // also if the lead no longer exists
			return err
		}
	}
	return nil
}

// rekey stores a fingerprint and its sales in the keyed form.
func (tx *Tx) rekey(old, fingerprint string, seq, at int64) error {
	if err := tx.exec(`INSERT INTO fingerprints (fingerprint, lead_seq, at) VALUES ($1, $2, $3) ON CONFLICT (fingerprint, lead_seq) DO NOTHING`, fingerprint, seq, at); err != nil {
		return err
	}
	if err := tx.exec(`INSERT INTO sales (fingerprint, buyer_id, at) SELECT $1, buyer_id, at FROM sales WHERE fingerprint = $2
		ON CONFLICT (fingerprint, buyer_id) DO NOTHING`, fingerprint, old); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM sales WHERE fingerprint = $1`, old)
}
