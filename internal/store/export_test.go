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

// Limits of the writer, for the tests.
const (
	QueueLength = maxQueue
	GroupSize   = maxGroup
	SheetSize   = maxBatchRows
)

// Waiting returns how many saves wait for a writer.
func (s *Store) Waiting() int { return len(s.saves.requests) }

// Turning returns how many updates wait for a writer.
func (s *Store) Turning() int { return len(s.updates.requests) }

// Pragma reads a pragma of the writer's connection.
func (s *Store) Pragma(ctx context.Context, name string) (value string, err error) {
	err = s.write(ctx, func(tx *dbTx) error {
		_, err := tx.queryRow("PRAGMA "+name, nil, func(r row) { value = fmt.Sprint(r[0]) })
		return err
	})
	return value, err
}

// FallIll gives the writer a storage failure after which it must reopen its connection.
func (s *Store) FallIll(ctx context.Context) error {
	return s.write(ctx, func(*dbTx) error { return sql.ErrConnDone })
}

// HangUp closes the connection of the writer of updates, in the middle of a transaction.
func (s *Store) HangUp(ctx context.Context) error {
	return s.write(ctx, func(tx *dbTx) error { return errors.Join(bump(tx, "buyers"), tx.conn.close()) })
}

// Exec runs a statement on a writer's connection.
func (s *Store) Exec(ctx context.Context, query string) error {
	return s.write(ctx, func(tx *dbTx) error { return tx.exec(query) })
}

// Exec tries a statement on a read-only connection.
func (r *Reader) Exec(ctx context.Context, query string) error {
	_, err := r.db.ExecContext(ctx, query)
	return err
}

// Hold blocks the writer until release is called, so that later requests form a group.
func (s *Store) Hold() (release func()) {
	blocked, released := make(chan struct{}), make(chan struct{})
	reached := sync.OnceFunc(func() { close(blocked) })
	go s.write(context.Background(), func(*dbTx) error { reached(); <-released; return nil })
	<-blocked
	return sync.OnceFunc(func() { close(released) })
}

// Letter is a lead to save, for a caller whose context may be canceled, and the result.
type Letter struct {
	Context context.Context // nil for one that is not canceled
	Lead    lead.Lead
	Ticket  *lead.Idempotency
	Earlier *lead.Idempotency // result of SaveLead
	Err     error
}

// KeepTogether saves leads in one group, with an additional PostgreSQL writer, and sets the result of each.
func (s *Store) KeepTogether(ctx context.Context, letters []Letter) error {
	c, err := s.engine.write(ctx, roleSave)
	if err != nil {
		return err
	}
	w := &writer{store: s, role: roleSave, queue: &queue{store: s, writers: 1}, tx: newDBTx(c)}
	w.commit = w.commitSaves
	group := make([]*writeRequest, len(letters))
	for i, l := range letters {
		if l.Context == nil {
			l.Context = ctx
		}
		since := l.Lead.CreatedAt.Add(-lead.IdempotencyWindow)
		group[i] = &writeRequest{ctx: l.Context, queuedAt: time.Now(), done: make(chan struct{}, 1), work: work{save: &save{
			id: l.Lead.ID, at: l.Lead.CreatedAt, args: leadArgs(&l.Lead), received: l.Lead.Status == lead.Received, idempotency: l.Ticket, since: since,
		}}}
	}
	w.commitAndReply(group)
	for i, req := range group {
		<-req.done
		letters[i].Earlier, letters[i].Err = req.save.earlier, req.err
	}
	return c.close()
}

// Settings reads a server setting on the connection of each role.
func Settings(ctx context.Context, database, name string) (map[string]string, error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	for _, t := range e.roles() {
		c, err := e.write(ctx, t)
		if err != nil {
			return nil, err
		}
		err = c.query("SELECT current_setting($1)", []any{name}, func(r row) error { found[t.String()] = r.text(0); return nil })
		if err != nil {
			return nil, err
		}
		if err := c.close(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// CountLate counts a request of a process that hung for a while before the count.
func (s *Store) CountLate(key string, p Pace, now time.Time, hung time.Duration) (granted bool, err error) {
	c := &count{charges: []Charge{{key, p}}, n: 1, now: now}
	req := &writeRequest{ctx: context.Background(), work: work{count: c}, queuedAt: time.Now().Add(-hung), done: make(chan struct{}, 1)}
	s.counts.requests <- req
	<-req.done
	return c.granted, req.err
}

// Sick returns how many writers of leads are down.
func (s *Store) Sick() int { return int(s.saves.down.Load()) }

// Overheard returns the findings about the encryption of an address, without connecting.
func Overheard(t *testing.T, address string) (found []Finding) {
	t.Helper()
	p, err := newPostgres(address)
	if err != nil {
		t.Fatal(err)
	}
	p.checkEncryption(func(f Finding) { found = append(found, f) })
	return found
}

// PoolSetting reads a server setting on a pooled connection, like the one that migrates.
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

// PanicOverARow panics while a row is being read.
func (s *Store) PanicOverARow(ctx context.Context) error {
	return s.write(ctx, func(tx *dbTx) error {
		return tx.query(`SELECT seq FROM leads`, nil, func(row) error { panic("a bad row") })
	})
}
