package store

import (
	"context"
	"slices"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
)

// CloseHeldSuppressed makes a change to every held lead whose number is suppressed, and says how many there were. It reads
// through what is held once, however many numbers there are.
func (s *Store) CloseHeldSuppressed(ctx context.Context, change lead.Change) (closed int, err error) {
	held, err := s.heldSuppressed(ctx)
	for some := range slices.Chunk(held, heldBatch) {
		if err != nil {
			break
		}
		var here int
		err = s.write(ctx, func(h *dbTx) error {
			here = 0
			for _, seq := range some {
				moved, err := h.tryMove(seq, lead.Collected, change) // it may have gone on its way since it was found
				if err != nil {
					return err
				}
				if moved {
					here++
				}
			}
			return nil
		})
		closed += here
	}
	return closed, err
}

func (s *Store) heldSuppressed(ctx context.Context) (held []int64, err error) {
	e := s.readPool.Load() // it may take long
	err = each(ctx, e.DB, func(r scanner) error {
		var seq int64
		var sealed []byte
		if err := r.Scan(&seq, &sealed); err != nil {
			return err
		}
		var contact lead.Contact
		if err := json.Unmarshal(sealed, &contact); err != nil {
			return err
		}
		if s.Suppressed(contact.Phone) {
			held = append(held, seq)
		}
		return nil
	}, `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL`)
	return held, s.readError(e, err)
}
