// Package store keeps leads, and everything that happens to them, in SQLite or PostgreSQL. It owns the SQL and the transactions;
// its sub-packages have the engines, the tables, the rows and the queue of writes. How to read and how to write:
//
//	View             operators and background jobs   one snapshot from the read pool; no timeout
//	read             every other read of a service   the read pool, each query as of now; the engine's timeout
//	LeadSummary      a look-up of a lead's status    like read, without the context of its caller
//	Reader.View      commands beside a service       one snapshot from a pool of its own
//	Engine.Snapshot  dbadmin: check, backup, copy    the whole database at one point in time; may lock tables
//	Update           operators, jobs, forwarder      in the transaction of a group, after waiting for the writer
//	Job.Update       a job that one process does     Update, refused once another process has the job
//	write            the start of a service          Update, but not in the background
//	Claim, Settle    forwarder                       Update, but on PostgreSQL beside those of other processes: forwarding.go
//	UpdateUrgent     a client that waits             in a transaction before that of its group, or soon fails
//	SaveLead         intake                          one lead, in the transaction of a group; refused if that takes too long
//
// Apart from a Snapshot that locks tables, no read waits for the writer. All wait for a free connection of their pool: read and LeadSummary
// for as long as the engine's timeout, which SQLite does not have.
//
// A call that writes returns only after the commit that includes its row. Writes wait in a queue. A writer takes the requests that wait,
// up to commit.MaxGroup, and commits them together (group commit) on a connection of its own; SQLite appends them to its WAL. If the
// group fails because of one row, the writer commits its requests one by one, so a function passed to Update may run more than once.
// SQLite has one writer; PostgreSQL has several, each with a role. Connections of the read pool cannot write.
//
// When the database fails, the writer retries until a write succeeds. It reopens its connection first, unless the error leaves that
// intact, as a full disk does (Engine.Classify). Once all writers of a queue are down, the queue refuses new requests right away with
// lead.Unavailable: a lead is never accepted before it is committed.
//
// The package contains no business rules. The packages above decide what a row means; store reads and writes rows. It also
// translates driver errors, so its callers never learn which engine they use.
package store

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/counts"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
	"foyer/internal/store/suppressions"
)

// Store keeps leads in one database.
type Store struct {
	engine        db.Engine
	log           *slog.Logger
	readPool      atomic.Pointer[sql.DB] // read-only connections
	saves         *commit.Queue[work]    // new leads
	claims        *commit.Queue[work]    // of deliveries
	settlements   *commit.Queue[work]    // of buyers' answers
	updates       *commit.Queue[work]    // all other writes; on SQLite all queues are the same
	counts        *counts.Counter        // rate-limit counts of clients; nil if each process counts for itself
	targets       []*target
	queueStart    atomic.Pointer[queueStart]
	lastCommitted atomic.Pointer[string] // id of the newest committed lead
	suppressed    atomic.Pointer[suppressions.Phones]
	refreshMu     sync.Mutex
	instance      atomic.Bool // whether the instance lock was acquired
	closed        atomic.Bool
}

// Open opens the database at the given address, migrates its tables and starts the writers.
func Open(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	e, err := EngineFor(database)
	if err != nil {
		return nil, err
	}
	slow := time.AfterFunc(time.Second, func() {
		log.Info("migrating the database, here or in another process; this can take minutes", "database", e.String())
	})
	err = migrations.Apply(ctx, e)
	slow.Stop()
	if err != nil {
		return nil, db.CannotOpen(e, err)
	}
	s := &Store{engine: e, log: log}
	s.queueStart.Store(&queueStart{})
	start, err := s.connect(ctx)
	if err != nil {
		return nil, db.CannotOpen(e, errors.Join(err, s.disconnect()))
	}
	s.logBadSettings(ctx)
	for _, writer := range start {
		writer()
	}
	return s, nil
}

// logBadSettings warns about database settings that put data at risk. The operator decides on them, so the store opens anyway.
func (s *Store) logBadSettings(ctx context.Context) {
	err := s.engine.CheckSettings(ctx, s.readPool.Load(), func(f db.Finding) { s.log.Warn(f.What, "remedy", f.Remedy) })
	if err != nil {
		s.log.Warn("could not read the settings of the database", "cause", db.OneLine(err))
	}
}

// connect opens every connection, and loads what the store keeps in memory. It returns what starts the writers.
func (s *Store) connect(ctx context.Context) (start []func(), err error) {
	for _, r := range s.engine.Roles() {
		if r == db.RoleCount {
			if s.counts, err = counts.Open(ctx, s.engine, s.log); err != nil {
				return nil, err
			}
			continue
		}
		t, err := s.newTarget(ctx, r)
		if err != nil {
			return nil, err
		}
		start = append(start, s.assign(t))
	}
	pool, err := s.engine.Read()
	if err != nil {
		return nil, err
	}
	s.readPool.Store(pool)
	if err := migrations.CheckUsable(ctx, pool); err != nil {
		return nil, err
	}
	return start, s.Refresh(ctx)
}

// OpenExisting opens a database that exists already. A command that changes a database must not create an empty one because it
// was run in the wrong directory.
func OpenExisting(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	if _, err := ExistingEngine(ctx, database); err != nil {
		return nil, err
	}
	return Open(ctx, database, log)
}

// Close commits the requests that are waiting and closes the database.
func (s *Store) Close() error {
	s.closed.Store(true)
	queues := []*commit.Queue[work]{s.saves}
	if s.updates != s.saves {
		queues = append(queues, s.claims, s.settlements, s.updates)
	}
	for _, q := range queues {
		q.Stop()
	}
	for _, q := range queues {
		q.Wait()
	}
	return s.disconnect()
}

func (s *Store) disconnect() error {
	var errs []error
	if pool := s.readPool.Load(); pool != nil {
		errs = append(errs, pool.Close())
	}
	for _, t := range s.targets {
		errs = append(errs, t.tx.conn.Close())
	}
	if s.counts != nil {
		errs = append(errs, s.counts.Close())
	}
	return errors.Join(append(errs, s.engine.ReleaseInstance())...)
}

// Counts counts for all processes on the database, or is nil if each process counts for itself.
func (s *Store) Counts() *counts.Counter { return s.counts }

// AcquireInstance takes this process's shared lock and reports whether it is alone: no other service uses the database. It then
// checks again that the database was not moved, and that no newer program changed its tables: a copy or a migration may have
// started after it was opened.
func (s *Store) AcquireInstance(ctx context.Context) (alone bool, err error) {
	alone, err = s.engine.AcquireInstance()
	s.instance.Store(true)
	if err != nil {
		s.log.Warn("cannot tell whether another process uses the database", "cause", db.OneLine(err))
	}
	pool := s.readPool.Load()
	all, err := migrations.List(ctx, s.engine, pool)
	if err == nil {
		err = migrations.CheckNotNewer(migrations.Versions(all))
	}
	return alone, errors.Join(err, migrations.CheckUsable(ctx, pool))
}

// Refresh keeps the instance lock alive, and reloads the suppressed numbers if other processes may have changed them.
func (s *Store) Refresh(ctx context.Context) error {
	s.refreshMu.Lock() // with two concurrent reloads, the older list could win
	defer s.refreshMu.Unlock()
	s.engine.KeepInstance()
	loaded, err := read(ctx, s, func(tx *Tx) (*suppressions.Phones, error) { return tx.Suppressions().Phones(s.suppressed.Load()) })
	if err == nil {
		s.suppressed.Store(loaded)
	}
	return err
}

// Ping returns an error if the store does not answer reads or does not accept leads.
func (s *Store) Ping(ctx context.Context) error {
	if s.saves.Down() {
		return errUnavailable(commit.ErrDown)
	}
	_, err := s.Empty(ctx)
	return err
}

// Busy reports whether the intake keeps the writer busy. Work that can wait should wait.
func (s *Store) Busy() bool { return s.saves.Busy() }

// readError translates the error of a read on pool. If the database is being reopened or closed, or was reopened since the read
// began, any error is a consequence of that.
func (s *Store) readError(pool *sql.DB, err error) error {
	var domain *lead.Error
	if err == nil || errors.As(err, &domain) {
		return err
	}
	if s.saves.Down() || s.readPool.Load() != pool || s.closed.Load() {
		return errUnavailable(err)
	}
	return TranslateError(s.engine, err)
}

// TranslateError turns a storage failure into lead.Unavailable, and returns any other error as it is.
func TranslateError(e db.Engine, err error) error {
	if storageFailure, _ := e.Classify(err); storageFailure {
		return errUnavailable(err)
	}
	return err
}

// errUnavailable says that the store cannot write, or cannot read, at the moment. Package intake supplies the message.
func errUnavailable(cause error) *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause}
}
