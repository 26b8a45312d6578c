package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"foyer/internal/lead"
)

// What the tests may see of the writer.
const (
	QueueLength = maxQueue
	GroupSize   = maxGroup
	SheetSize   = maxBatchRows
)

// Waiting is how many saves wait for the writer to take them.
func (s *Store) Waiting() int { return len(s.saves.requests) }

// Turning is how many changes wait for the writer to take them.
func (s *Store) Turning() int { return len(s.updates.requests) }

// Pragma asks the connection that writes.
func (s *Store) Pragma(ctx context.Context, name string) (value string, err error) {
	err = s.write(ctx, func(h *dbTx) error {
		_, err := h.queryRow("PRAGMA "+name, nil, func(r row) { value = fmt.Sprint(r[0]) })
		return err
	})
	return value, err
}

// FallIll makes the writer meet an error of the disk after which no connection can be trusted.
func (s *Store) FallIll(ctx context.Context) error {
	return s.write(ctx, func(*dbTx) error { return sql.ErrConnDone })
}

// HangUp closes the connection that writes changes, in the middle of a transaction.
func (s *Store) HangUp(ctx context.Context) error {
	return s.write(ctx, func(h *dbTx) error { return errors.Join(bump(h, "buyers"), h.conn.close()) })
}

// Exec runs a statement on the connection that writes.
func (s *Store) Exec(ctx context.Context, query string) error {
	return s.write(ctx, func(h *dbTx) error { return h.exec(query) })
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
	go s.write(context.Background(), func(*dbTx) error { reached(); <-let; return nil })
	<-held
	return sync.OnceFunc(func() { close(let) })
}

// Letter is a lead that is to be kept, by a caller who may be gone.
type Letter struct {
	Context context.Context // nil for one that lasts
	Lead    lead.Lead
	Ticket  *lead.Idempotency
	Earlier *lead.Idempotency // what came of it
	Err     error
}

// KeepTogether has a further writer of PostgreSQL keep leads in one group, and tells each what came of it.
func (s *Store) KeepTogether(ctx context.Context, letters []Letter) error {
	l, err := s.engine.write(ctx, roleSave)
	if err != nil {
		return err
	}
	w := &writer{store: s, role: roleSave, queue: &queue{store: s, writers: 1}, tx: newDBTx(l)}
	w.commit = w.commitSaves
	group := make([]*writeRequest, len(letters))
	for i, x := range letters {
		if x.Context == nil {
			x.Context = ctx
		}
		since := x.Lead.CreatedAt.Add(-lead.IdempotencyWindow)
		group[i] = &writeRequest{ctx: x.Context, queuedAt: time.Now(), done: make(chan struct{}, 1), work: work{save: &save{
			id: x.Lead.ID, at: x.Lead.CreatedAt, args: leadArgs(&x.Lead), received: x.Lead.Status == lead.Received, idempotency: x.Ticket, since: since,
		}}}
	}
	w.commitAndReply(group)
	for i, j := range group {
		<-j.done
		letters[i].Earlier, letters[i].Err = j.save.earlier, j.err
	}
	return l.close()
}

// Settings asks the connection of each kind of writer how the server treats it.
func Settings(ctx context.Context, database, name string) (map[string]string, error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	for _, t := range e.roles() {
		l, err := e.write(ctx, t)
		if err != nil {
			return nil, err
		}
		err = l.query("SELECT current_setting($1)", []any{name}, func(r row) error { found[t.String()] = r.text(0); return nil })
		if err != nil {
			return nil, err
		}
		if err := l.close(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// CountLate counts for a process that hung for a while before it could.
func (s *Store) CountLate(key string, p Pace, now time.Time, hung time.Duration) (granted bool, err error) {
	x := &count{charges: []Charge{{key, p}}, n: 1, now: now}
	j := &writeRequest{ctx: context.Background(), work: work{count: x}, queuedAt: time.Now().Add(-hung), done: make(chan struct{}, 1)}
	s.counts.requests <- j
	<-j.done
	return x.granted, j.err
}

// Sick is how many writers of leads are sick.
func (s *Store) Sick() int { return int(s.saves.down.Load()) }

// Overheard is what is found about the way to a server, without going there.
func Overheard(t *testing.T, address string) (found []Finding) {
	t.Helper()
	p, err := newPostgres(address)
	if err != nil {
		t.Fatal(err)
	}
	p.checkEncryption(func(f Finding) { found = append(found, f) })
	return found
}

// PoolSetting asks a connection of those that are shared, as the one that makes tables is.
func PoolSetting(t *testing.T, database, name string) (value string) {
	t.Helper()
	p, err := newPostgres(database)
	if err != nil {
		t.Fatal(err)
	}
	db := p.pool(0)
	defer db.Close()
	if err := db.QueryRowContext(t.Context(), "SELECT current_setting($1)", name).Scan(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// PanicOverARow breaks off while a row is being read.
func (s *Store) PanicOverARow(ctx context.Context) error {
	return s.write(ctx, func(h *dbTx) error {
		return h.query(`SELECT seq FROM leads`, nil, func(row) error { panic("a bad row") })
	})
}
