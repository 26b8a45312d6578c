package store

import (
	"context"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/persons"
	"foyer/internal/store/rows"
)

// In the queries below, at + 0 keeps an engine from using the index on at, which would read all recent rows.

// LeadsOfPhone lists the leads that were put on the market since a time and whose fingerprints are in a range, and reports
// whether lead seq is one of them.
func (tx *Tx) LeadsOfPhone(from, to string, seq int64, since time.Time) (others []lead.OtherLead, entered bool, err error) {
	found, known := tx.others[seq]
	if !known {
		found, err = persons.Read(tx.conn, PersonOf{Lead: seq, From: from, To: to, Since: since})
	}
	return found.Leads, found.Entered, err
}

// EnterMarket records that a lead, which arrived at a time, is put on the market.
func (tx *Tx) EnterMarket(fingerprint string, seq int64, at time.Time) error {
	if err := tx.locks.CheckPerson(fingerprint); err != nil {
		return err
	}
	return persons.Enter(tx.conn, fingerprint, seq, at)
}

// Unsold lists the leads with a fingerprint that were put on the market and are received or held, oldest first.
func (tx *Tx) Unsold(fingerprint string, limit int) ([]int64, error) {
	return all(tx, db.FirstInt, `SELECT f.lead_seq FROM fingerprints f JOIN leads l ON l.seq = f.lead_seq
		WHERE f.fingerprint = $1 AND l.status IN ('received', 'collected') ORDER BY f.lead_seq LIMIT $2`, fingerprint, int64(limit))
}

// SoldTo lists the buyers that accepted a lead with this fingerprint since a time. However often a person sends a request, the
// list is no longer than that of the buyers.
func (tx *Tx) SoldTo(fingerprint string, since time.Time) ([]string, error) {
	return all(tx, db.FirstText, `SELECT buyer_id FROM sales WHERE fingerprint = $1 AND at + 0 > $2`, fingerprint, rows.Micros(since))
}

// RecordSale records that a buyer accepted a lead with this fingerprint.
func (tx *Tx) RecordSale(fingerprint, buyer string, at time.Time) error {
	if err := tx.locks.CheckPerson(fingerprint); err != nil {
		return err
	}
	return tx.exec(`INSERT INTO sales (fingerprint, buyer_id, at) VALUES ($1, $2, $3) ON CONFLICT (fingerprint, buyer_id) DO UPDATE SET at = excluded.at
		WHERE excluded.at > sales.at`,
		fingerprint, buyer, rows.Micros(at))
}

// checkTogether makes all repeats under a fingerprint due for a check if one of them is. Without the sale that held them, the check
// would let an older one follow than the newest.
const checkTogether = `UPDATE withheld SET check_at = (SELECT MIN(w.check_at) FROM withheld w WHERE w.fingerprint = $1 AND w.check_at > 0)
	WHERE fingerprint = $1 AND reason = '` + string(lead.Duplicate) + `' AND EXISTS (SELECT 1 FROM withheld w WHERE w.fingerprint = $1 AND w.check_at > 0)`

// deleteFingerprint deletes the fingerprint of a lead, and the sales under it.
func (tx *Tx) deleteFingerprint(seq int64, fingerprint string) error {
	if err := tx.exec(`DELETE FROM sales WHERE fingerprint = $1`, fingerprint); err != nil {
		return err
	}
	if err := tx.exec(checkTogether, fingerprint); err != nil {
		return err
	}
	return tx.exec(`DELETE FROM fingerprints WHERE fingerprint = $1 AND lead_seq = $2`, fingerprint, seq)
}

// rekeyBatch is how many fingerprints one commit rekeys.
const rekeyBatch = 200

// RekeyFingerprints replaces the fingerprints that older versions stored without a key. Every process calls it before it looks
// for fingerprints. None of those versions can still run beside it: they do not know today's tables.
func (s *Store) RekeyFingerprints(ctx context.Context, fingerprint func(lead.Request) string) error {
	for {
		old, err := s.rows(ctx, persons.Unkeyed, int64(rekeyBatch))
		if err != nil || len(old) == 0 {
			return err
		}
		err = s.Update(ctx, func(tx *Tx) error {
			for _, r := range old {
				if err := persons.Rekey(tx.conn, r, fingerprint); err != nil {
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
