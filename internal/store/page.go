package store

import "context"

// Page is one transaction in the books of the forwarder. It reads and writes rows; what they mean is decided above.
type Page struct{ h *hand }

// Turn opens a page, lets do write on it, and commits it together with whatever else is waiting. It may be done again
// when a neighbour failed, so it must begin by forgetting what it found before.
func (s *Store) Turn(ctx context.Context, do func(*Page) error) error {
	return s.turns.put(ctx, work{do: func(h *hand) error { return do(&Page{h}) }, patient: true})
}

// TurnNow is Turn for somebody at a door.
func (s *Store) TurnNow(ctx context.Context, do func(*Page) error) error {
	return s.writeNow(ctx, func(h *hand) error { return do(&Page{h}) })
}
