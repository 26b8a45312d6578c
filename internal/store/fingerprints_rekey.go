package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"foyer/internal/lead"
)

// rekeyBatch is how many prints one commit gives their key, so that the intake never waits long behind it.
const rekeyBatch = 200

// unkeyedQuery finds prints of older versions: these are hex digits, and sort before all that have a key.
const unkeyedQuery = `SELECT p.print, p.lead_seq, p.at FROM prints p WHERE p.print < 'g' ORDER BY p.print LIMIT $1`

// checkUnkeyed sees whether there are prints of older versions. While there are, they are looked for as well.
func (s *Store) checkUnkeyed(ctx context.Context) error {
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	var one int64
	err := e.QueryRowContext(ctx, `SELECT 1 FROM prints WHERE print < 'g' LIMIT 1`).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		s.unkeyed.Store(false)
		return nil
	}
	s.unkeyed.Store(s.unkeyed.Load() || err == nil)
	return s.readError(e, err)
}

// RekeyFingerprints gives the prints of older versions the form that has a key, a few at a time, until none is left.
func (s *Store) RekeyFingerprints(ctx context.Context, print func(lead.Request) string) error {
	for {
		if err := s.checkUnkeyed(ctx); err != nil || !s.unkeyed.Load() {
			return err
		}
		began := time.Now()
		err := s.updates.submit(ctx, work{background: true, do: func(h *dbTx) error { return h.rekeyFingerprints(print) }})
		if err == nil {
			err = s.newBoundedJob().pause(ctx, time.Since(began))
		}
		if err != nil {
			return err
		}
	}
}

func (h *dbTx) rekeyFingerprints(print func(lead.Request) string) error {
	type entry struct {
		print string
		lead  int64
		at    int64
	}
	var old []entry
	err := h.query(unkeyedQuery, []any{int64(rekeyBatch)}, func(r row) error {
		old = append(old, entry{r.text(0), r.number(1), r.number(2)})
		return nil
	})
	if err != nil {
		return err
	}
	for _, x := range old {
		l, err := (&Tx{h}).LeadBySeq(x.lead)
		if err == nil && !l.Erased() {
			if err := h.rekey(x.print, print(l.Request), x.lead, x.at); err != nil {
				return err
			}
		}
		if err := h.exec(`DELETE FROM prints WHERE print = $1 AND lead_seq = $2`, x.print, x.lead); err != nil { // also of a lead that is gone
			return err
		}
	}
	return nil
}

// rekey writes a print and its sales down in the form that has a key.
func (h *dbTx) rekey(old, print string, seq, at int64) error {
	if err := h.exec(`INSERT INTO prints (print, lead_seq, at) VALUES ($1, $2, $3) ON CONFLICT (print, lead_seq) DO NOTHING`, print, seq, at); err != nil {
		return err
	}
	if err := h.exec(`INSERT INTO sold (print, buyer_id, at) SELECT $1, buyer_id, at FROM sold WHERE print = $2
		ON CONFLICT (print, buyer_id) DO NOTHING`, print, old); err != nil {
		return err
	}
	return h.exec(`DELETE FROM sold WHERE print = $1`, old)
}
