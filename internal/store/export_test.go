package store

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/saves"
	"foyer/internal/store/sqlite"
)

// Limits of the writer, for the tests.
const (
	QueueLength = commit.MaxQueue
	GroupSize   = commit.MaxGroup
	BatchSize   = sqlite.MaxBatchRows
)

// CountOne counts a request of one client, and translates the error as that of every other write.
func (s *Store) CountOne(ctx context.Context, charges []lead.Charge, now time.Time) error {
	_, _, _, err := s.counts.CountAt(ctx, charges, 1, now)
	return translateWrite(err)
}

// WaitingSaves returns how many saves wait for a writer.
func (s *Store) WaitingSaves() int { return s.saves.Waiting() }

// WaitingUpdates returns how many updates wait for a writer.
func (s *Store) WaitingUpdates() int { return s.updates.Waiting() }

// Pragma reads a pragma of the writer's connection.
func (s *Store) Pragma(ctx context.Context, name string) (value string, err error) {
	err = s.write(ctx, func(tx *Tx) (err error) {
		value, _, err = one(tx, db.FirstText, "PRAGMA "+name)
		return err
	})
	return value, err
}

// BreakConnection gives the writer a storage failure after which it must reopen its connection.
func (s *Store) BreakConnection(ctx context.Context) error {
	return s.write(ctx, func(*Tx) error { return sql.ErrConnDone })
}

// HangUp closes the connection of the writer of updates, in the middle of a transaction.
func (s *Store) HangUp(ctx context.Context) error {
	return s.write(ctx, func(tx *Tx) error { return errors.Join(bump(tx, "buyers"), tx.conn.Close()) })
}

// Exec runs a statement on a writer's connection.
func (s *Store) Exec(ctx context.Context, query string) error {
	return s.write(ctx, func(tx *Tx) error { return tx.exec(query) })
}

// Exec tries a statement on a read-only connection.
func (r *Reader) Exec(ctx context.Context, query string) error {
	_, err := r.pool.ExecContext(ctx, query)
	return err
}

// Hold blocks the writer until release is called, so that later requests form a group.
func (s *Store) Hold() (release func()) {
	blocked, released := make(chan struct{}), make(chan struct{})
	reached := sync.OnceFunc(func() { close(blocked) })
	go s.write(context.Background(), func(*Tx) error { reached(); <-released; return nil })
	<-blocked
	return sync.OnceFunc(func() { close(released) })
}

// GroupSave is a lead to save, for a caller whose context may be canceled, and the result.
type GroupSave struct {
	Context     context.Context // nil for one that is not canceled
	Lead        lead.Lead
	Idempotency *lead.Idempotency
	Earlier     *lead.Idempotency // result of SaveLead
	Err         error
}

// SaveGroup saves leads in one group, with an additional PostgreSQL writer, and sets the result of each.
func (s *Store) SaveGroup(ctx context.Context, letters []GroupSave) error {
	t, err := s.newTarget(ctx, db.RoleSave)
	if err != nil {
		return err
	}
	q := commit.NewQueue[work]("leads", s.log)
	start := q.AddWriter(t, commit.Options{})
	var all sync.WaitGroup
	for i := range letters {
		l := &letters[i]
		if l.Context == nil {
			l.Context = ctx
		}
		sv := saves.New(&l.Lead, l.Idempotency, l.Lead.CreatedAt.Add(-lead.IdempotencyWindow))
		all.Go(func() {
			l.Err = translateWrite(q.Submit(l.Context, work{save: sv}, commit.Normal))
			l.Earlier = sv.Earlier
		})
		for q.Waiting() <= i {
			runtime.Gosched()
		}
	}
	start()
	all.Wait()
	q.Stop()
	q.Wait()
	return t.tx.conn.Close()
}

// Settings reads a server setting on the connection of each role.
func Settings(ctx context.Context, database, name string) (map[string]string, error) {
	e, err := EngineFor(database)
	if err != nil {
		return nil, err
	}
	found := make(map[string]string)
	for _, t := range e.Roles() {
		c, err := e.Write(ctx, t)
		if err != nil {
			return nil, err
		}
		err = c.Query("SELECT current_setting($1)", []any{name}, func(r db.Row) error { found[t.String()] = r.Text(0); return nil })
		if err != nil {
			return nil, err
		}
		if err := c.Close(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// DownWriters returns how many writers of leads are down.
func (s *Store) DownWriters() int { return s.saves.WritersDown() }

// PanicOverARow panics while a row is being read.
func (s *Store) PanicOverARow(ctx context.Context) error {
	return s.write(ctx, func(tx *Tx) error {
		return tx.query(`SELECT seq FROM leads`, nil, func(db.Row) error { panic("a bad row") })
	})
}

// FollowJob is what a follower gets of a job.
func FollowJob(j *Job) follow.Job { return followJob{j.store, j, j.steps()} }
