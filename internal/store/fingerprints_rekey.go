package store

import (
	"context"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// rekeyBatch is how many fingerprints one commit rekeys.
const rekeyBatch = 200

// unkeyedQuery finds fingerprints of older versions: they are hex digits, and sort before all keyed ones.
const unkeyedQuery = `SELECT fingerprint, lead_seq, at FROM fingerprints WHERE fingerprint < 'g' ORDER BY fingerprint LIMIT $1`

// RekeyFingerprints replaces the fingerprints that older versions stored without a key. Every process calls it before it looks
// for fingerprints. None of those versions can still run beside it: they do not know today's tables.
func (s *Store) RekeyFingerprints(ctx context.Context, fingerprint func(lead.Request) string) error {
	for {
		old, err := s.rows(ctx, unkeyedQuery, int64(rekeyBatch))
		if err != nil || len(old) == 0 {
			return err
		}
		err = s.Update(ctx, func(tx *Tx) error {
			for _, r := range old {
				if err := tx.rekey(r, fingerprint); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// rekey replaces a row of fingerprints, and its sales, by the keyed form. If the lead is erased or gone, nothing replaces them.
func (tx *Tx) rekey(row db.Row, fingerprint func(lead.Request) string) error {
	old, seq, at := row.Text(0), row.Int(1), row.Int(2)
	l, err := tx.LeadBySeq(seq)
	if err == nil && !l.Erased() {
		keyed := fingerprint(l.Request)
		if err := tx.exec(`INSERT INTO fingerprints (fingerprint, lead_seq, at) VALUES ($1, $2, $3) ON CONFLICT (fingerprint, lead_seq) DO NOTHING`, keyed, seq, at); err != nil {
			return err
		}
		if err := tx.exec(`INSERT INTO sales (fingerprint, buyer_id, at) SELECT $1, buyer_id, at FROM sales WHERE fingerprint = $2
			ON CONFLICT (fingerprint, buyer_id) DO NOTHING`, keyed, old); err != nil {
			return err
		}
	}
	if err := tx.exec(`DELETE FROM sales WHERE fingerprint = $1`, old); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM fingerprints WHERE fingerprint = $1 AND lead_seq = $2`, old, seq)
}
