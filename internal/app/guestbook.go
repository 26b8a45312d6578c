package app

import (
	"context"
	"sync"
	"time"
)

// guestbook knows who is in the house.
type guestbook struct {
	mu     sync.Mutex
	guests map[*guest]struct{}
}

func (b *guestbook) enter(g *guest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.guests[g] = struct{}{}
}

func (b *guestbook) leave(g *guest) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.guests, g)
}

// round looks after everybody who waits for an answer.
func (b *guestbook) round(context.Context, time.Time) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for g := range b.guests {
		g.watch.look()
	}
	return nil
}
