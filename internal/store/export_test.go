package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// What the tests may see of the writer.
const (
	QueueLength = queueLength
	GroupSize   = groupSize
)

// Waiting is how many saves wait for the writer to take them.
func (s *Store) Waiting() int { return len(s.saves.jobs) }

// Pragma asks the connection that writes.
func (s *Store) Pragma(ctx context.Context, name string) (value string, err error) {
	err = s.write(ctx, func(h *hand) error {
		_, err := h.one("PRAGMA "+name, nil, func(r row) { value = fmt.Sprint(r[0]) })
		return err
	})
	return value, err
}

// FallIll makes the writer meet an error of the disk after which no connection can be trusted.
func (s *Store) FallIll(ctx context.Context) error {
	return s.write(ctx, func(*hand) error { return sql.ErrConnDone })
}

// Exec runs a statement on the connection that writes.
func (s *Store) Exec(ctx context.Context, query string) error {
	return s.write(ctx, func(h *hand) error { return h.exec(query) })
}

// Exec tries a statement on a connection that only reads.
func (r *Reader) Exec(ctx context.Context, query string) error {
	_, err := r.db.ExecContext(ctx, query)
	return err
}

// Hold keeps the writer at its work until release is called, so that what comes next waits together.
func (s *Store) Hold() (release func()) {
	held, let := make(chan struct{}), make(chan struct{})
	reached := sync.OnceFunc(func() { close(held) })
	go s.write(context.Background(), func(*hand) error { reached(); <-let; return nil })
	<-held
	return sync.OnceFunc(func() { close(let) })
}
