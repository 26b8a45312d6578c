package store

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// In the questions below, at + 0 keeps an engine from looking among all that is recent: there is an index for that too.

// maxLeadsOfPhone bounds how many leads of one phone number are looked at. With the limits of the defaults there are fewer than a
// hundred; whoever switches them off and goes beyond this may see a repeat on the market.
const maxLeadsOfPhone = `LIMIT 1000`

const phoneLeadsQuery = `SELECT p.print, p.lead_seq, p.at, l.status FROM prints p JOIN leads l ON l.seq = p.lead_seq WHERE `

// LeadsOfPhone lists the leads since a time whose prints lie in a range and that were put on the market, and says whether one of them
// is the lead of a row. Its own print is looked for in the form of older versions too, while there are such.
func (p *Tx) LeadsOfPhone(print, from, to, unkeyed string, seq int64, since time.Time) (others []lead.OtherLead, entered bool, err error) {
	query, args := phoneLeadsQuery+`p.print >= $1 AND p.print < $2 AND p.at + 0 > $3 `+maxLeadsOfPhone, []any{from, to, micros(since)}
	read := func(r row) error {
		if r.number(1) == seq {
			entered = true
			return nil
		}
		x := lead.OtherLead{Fingerprint: r.text(0), At: fromMicros(r.number(2)), Status: lead.Status(r.text(3))}
		if x.Fingerprint == unkeyed {
			x.Fingerprint = print
		}
		others = append(others, x)
		return nil
	}
	if err := p.db.query(query, args, read); err != nil || !p.db.unkeyed.Load() {
		return others, entered, err
	}
	err = p.db.query(phoneLeadsQuery+`p.print = $1 AND p.at + 0 > $2 `+maxLeadsOfPhone, []any{unkeyed, micros(since)}, read)
	return others, entered, err
}

// EnterMarket notes that a lead is put on the market.
func (p *Tx) EnterMarket(print string, seq int64, at time.Time) error {
	return p.db.exec(`INSERT INTO prints (print, lead_seq, at) VALUES ($1, $2, $3) ON CONFLICT (print, lead_seq) DO NOTHING`, print, seq, micros(at))
}

// SoldTo lists who accepted a lead with this print since a time. However often somebody asks, there are no more of them
// than buyers.
func (p *Tx) SoldTo(print, unkeyed string, since time.Time) ([]string, error) {
	var owners []string
	err := p.db.query(`SELECT buyer_id FROM sold WHERE print IN ($1, $2) AND at + 0 > $3`, []any{print, unkeyed, micros(since)},
		func(r row) error { owners = append(owners, r.text(0)); return nil })
	return owners, err
}

// RecordSale notes that a buyer accepted a lead with this print.
func (p *Tx) RecordSale(print, buyer string, at time.Time) error {
	return p.db.exec(`INSERT INTO sold (print, buyer_id, at) VALUES ($1, $2, $3) ON CONFLICT (print, buyer_id) DO UPDATE SET at = excluded.at
		WHERE excluded.at > sold.at`,
		print, buyer, micros(at))
}

// deleteFingerprint forgets by what a lead's person could be known again.
func (h *dbTx) deleteFingerprint(seq int64, prints ...string) error {
	for _, print := range prints {
		if err := h.exec(`DELETE FROM sold WHERE print = $1`, print); err != nil {
			return err
		}
		if err := h.exec(`DELETE FROM prints WHERE print = $1 AND lead_seq = $2`, print, seq); err != nil {
			return err
		}
	}
	return nil
}

// DeleteOldFingerprints drops the prints that are too old to be compared with.
func (s *Store) DeleteOldFingerprints(ctx context.Context, before time.Time) error {
	if err := s.deleteOld(ctx, oldFingerprints, micros(before)); err != nil {
		return err
	}
	return s.deleteOld(ctx, oldSales, micros(before))
}
