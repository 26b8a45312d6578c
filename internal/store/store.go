package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/lead"
)

// Store keeps leads in one database.
type Store struct {
	// Fingerprint computes what identifies leads of the same person. The owner of the key replaces the default, which has no key.
	Fingerprint func(lead.Request) string

	engine        engine
	log           *slog.Logger
	readPool      atomic.Pointer[readPool]
	unkeyed       atomic.Bool // whether fingerprints of older versions, without a key, remain
	saves         *queue      // new leads
	updates       *queue      // all other writes; on SQLite the same queue as saves
	counts        *queue      // rate-limit counts of clients; nil if each process counts for itself
	writers       []*writer
	lastCommitted atomic.Pointer[string] // id of the newest committed lead
	suppressed    atomic.Pointer[suppressedPhones]
	refreshMu     sync.Mutex
	stopMu        sync.RWMutex  // held while closing stop, so that no request is enqueued after that
	stop          chan struct{} // closed when the store accepts no more requests
	writersDone   sync.WaitGroup
}

// Open opens the database at the given address, migrates its tables and starts the writers.
func Open(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	slow := time.AfterFunc(time.Second, func() {
		log.Info("migrating the database, here or in another process; this can take minutes", "database", e.String())
	})
	err = e.prepare(ctx)
	slow.Stop()
	if err != nil {
		return nil, cannotOpen(e, err)
	}
	s := &Store{engine: e, log: log, stop: make(chan struct{}), Fingerprint: func(r lead.Request) string { return r.Fingerprint(nil) }}
	if err := s.connect(ctx); err != nil {
		return nil, cannotOpen(e, errors.Join(err, s.disconnect()))
	}
	s.logBadSettings(ctx)
	for _, w := range s.writers {
		s.writersDone.Add(1)
		go w.run()
	}
	return s, nil
}

// logBadSettings warns about database settings that put data at risk. The operator decides on them, so the store opens anyway.
func (s *Store) logBadSettings(ctx context.Context) {
	err := s.engine.checkSettings(ctx, s.readPool.Load().DB, func(f Finding) { s.log.Warn(f.What, "remedy", f.Remedy) })
	if err != nil {
		s.log.Warn("could not read the settings of the database", "cause", oneLine(err))
	}
}

// openError says in one line why a database cannot be opened. Drivers may report several errors on several lines.
type openError struct {
	engine engine
	error
}

func (e openError) Error() string {
	return fmt.Sprintf("database: cannot open %s: %s", e.engine, oneLine(e.error))
}

// oneLine returns the text of an error without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func (e openError) Unwrap() error { return e.error }

func cannotOpen(e engine, err error) error { return openError{e, err} }

// connect opens every connection, and loads what the store keeps in memory.
func (s *Store) connect(ctx context.Context) error {
	for _, r := range s.engine.roles() {
		if err := s.startWriter(ctx, r); err != nil {
			return err
		}
	}
	pool, err := openReadPool(ctx, s.engine)
	if err != nil {
		return err
	}
	s.readPool.Store(pool)
	if err := checkUsable(ctx, pool.DB); err != nil {
		return err
	}
	return errors.Join(s.reloadSuppressions(ctx), s.checkUnkeyed(ctx))
}

// startWriter opens a connection for a role and adds a writer to the queue of that role. Open starts its goroutine.
func (s *Store) startWriter(ctx context.Context, r role) error {
	c, err := s.engine.write(ctx, r)
	if err != nil {
		return err
	}
	w := &writer{store: s, role: r, tx: newDBTx(c), load: loadByTime, timeout: maxSaveWait}
	w.tx.unkeyed = &s.unkeyed
	s.writers = append(s.writers, w)
	switch r {
	case roleAll:
		w.commit, w.queue = w.commitEach, s.queueFor(&s.saves)
		s.updates = s.saves
	case roleSave:
		w.commit, w.queue = w.commitSaves, s.queueFor(&s.saves)
		w.load, w.timeout = loadBySize, commitTimeout-saveTimeout
	case roleUpdate:
		w.commit, w.queue = w.commitEach, s.queueFor(&s.updates)
	case roleCount:
		w.commit, w.queue = w.commitCounts, s.queueFor(&s.counts)
	}
	w.queue.writers++
	return nil
}

// queueFor returns *q, and creates the queue if it is nil.
func (s *Store) queueFor(q **queue) *queue {
	if *q == nil {
		*q = &queue{store: s, requests: make(chan *writeRequest, maxQueue), commitToken: make(chan struct{}, 1)}
		(*q).releaseCommit()
	}
	return *q
}

// OpenExisting opens a database that exists already. A command that changes a database must not create an empty one because it
// was run in the wrong directory.
func OpenExisting(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	if err := mustExist(ctx, e); err != nil {
		return nil, err
	}
	return Open(ctx, database, log)
}

// Close commits the requests that are waiting and closes the database.
func (s *Store) Close() error {
	s.stopMu.Lock()
	close(s.stop)
	s.stopMu.Unlock()
	s.writersDone.Wait()
	return s.disconnect()
}

func (s *Store) disconnect() error {
	var errs []error
	if pool := s.readPool.Load(); pool != nil {
		errs = append(errs, pool.close())
	}
	for _, w := range s.writers {
		errs = append(errs, w.tx.conn.close())
	}
	return errors.Join(append(errs, s.engine.releaseInstance())...)
}

func (s *Store) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

// readError translates the error of a read on pool. If the database is being reopened or closed, or was reopened since the read
// began, any error is a consequence of that.
func (s *Store) readError(pool *readPool, err error) error {
	var domain *lead.Error
	if err == nil || errors.As(err, &domain) {
		return err
	}
	if s.saves.isDown() || s.readPool.Load() != pool || s.stopped() {
		return errUnavailable(err)
	}
	return translateError(s.engine, err)
}

// translateError turns a storage failure into lead.Unavailable, and returns any other error as it is.
func translateError(e engine, err error) error {
	if err == nil {
		return nil
	}
	if storageFailure, _ := e.classify(err); storageFailure {
		return errUnavailable(err)
	}
	return err
}

// errUnavailable says that the store can neither write nor read at the moment. Package intake supplies the message.
func errUnavailable(cause error) *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause}
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
