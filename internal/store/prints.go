package store

import (
	"context"
	"time"
)

// In the questions below, at + 0 keeps an engine from looking among all that is recent: there is an index for that too.

// Twin says whether an earlier lead has the same print since a time, and notes the print of this one.
func (p *Page) Twin(print string, seq int64, at, since time.Time) (bool, error) {
	twin, err := p.h.one(`SELECT 1 FROM prints WHERE print = $1 AND lead_seq < $2 AND at + 0 > $3 LIMIT 1`, []any{print, seq, micros(since)}, func(row) {})
	if err != nil {
		return false, err
	}
	return twin, p.h.exec(`INSERT INTO prints (print, lead_seq, at) VALUES ($1, $2, $3) ON CONFLICT (print, lead_seq) DO NOTHING`, print, seq, micros(at))
}

// Owners lists who accepted a lead with this print since a time. However often somebody asks, there are no more of them
// than buyers.
func (p *Page) Owners(print string, since time.Time) ([]string, error) {
	var owners []string
	err := p.h.each(`SELECT buyer_id FROM sold WHERE print = $1 AND at + 0 > $2`, []any{print, micros(since)},
		func(r row) error { owners = append(owners, r.text(0)); return nil })
	return owners, err
}

// Sold notes that a buyer accepted a lead with this print.
func (p *Page) Sold(print, buyer string, at time.Time) error {
	return p.h.exec(`INSERT INTO sold (print, buyer_id, at) VALUES ($1, $2, $3) ON CONFLICT (print, buyer_id) DO UPDATE SET at = excluded.at
		WHERE excluded.at > sold.at`,
		print, buyer, micros(at))
}

// forgetPrint forgets by what a lead's person could be known again.
func (h *hand) forgetPrint(seq int64, print string) error {
	if err := h.exec(`DELETE FROM sold WHERE print = $1`, print); err != nil {
		return err
	}
	return h.exec(`DELETE FROM prints WHERE print = $1 AND lead_seq = $2`, print, seq)
}

// ForgetPrints drops the prints that are too old to be compared with.
func (s *Store) ForgetPrints(ctx context.Context, before time.Time) error {
	if err := s.forgetAged(ctx, agedPrints, micros(before)); err != nil {
		return err
	}
	return s.forgetAged(ctx, agedSold, micros(before))
}
