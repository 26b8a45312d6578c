package store

import "context"

// Tx is one transaction in the books of the forwarder. It reads and writes rows; what they mean is decided above.
type Tx struct{ db *dbTx }

// Update opens a page, lets do write on it, and commits it together with whatever else is waiting. It may be done again
// when a neighbour failed, so it must begin by forgetting what it found before.
func (s *Store) Update(ctx context.Context, do func(*Tx) error) error {
	return s.updates.submit(ctx, work{do: func(h *dbTx) error { return do(&Tx{h}) }, background: true})
}

// UpdateUrgent is Turn for somebody at a door.
func (s *Store) UpdateUrgent(ctx context.Context, do func(*Tx) error) error {
	return s.writeUrgent(ctx, func(h *dbTx) error { return do(&Tx{h}) })
}
