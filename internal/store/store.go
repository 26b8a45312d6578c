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
	// Fingerprint is what leads of one person are known again by. Whoever has the key for it sets it.
	Fingerprint func(lead.Request) string

	engine     engine
	log        *slog.Logger
	readPool   atomic.Pointer[readPool]
	unkeyed    atomic.Bool // there are prints of older versions
	saves      *queue      // leads that come in
	updates      *queue      // everything else; on SQLite the same
	counts     *queue      // what clients do; nil where each process counts for itself
	writers    []*writer
	lastCommitted      atomic.Pointer[string] // id of the newest lead that was committed
	suppressed atomic.Pointer[suppressedPhones]
	refreshMu sync.Mutex
	stopMu     sync.RWMutex  // held while stop is closed, so that nobody comes in between
	stop       chan struct{} // closed when no more work is taken
	writersDone    sync.WaitGroup
}

// Open opens the database that a setting names, brings its tables up to date and starts the writers.
func Open(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	e, err := engineFor(database)
	if err != nil {
		return nil, err
	}
	slow := time.AfterFunc(time.Second, func() {
		log.Info("the tables are being brought up to date, here or by another process: this can take minutes", "database", e.String())
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

// logBadSettings tells the operator of settings below that endanger what is kept. They are the operator's affair: it is opened all
// the same.
func (s *Store) logBadSettings(ctx context.Context) {
	err := s.engine.checkSettings(ctx, s.readPool.Load().DB, func(f Finding) { s.log.Warn(f.What, "remedy", f.Remedy) })
	if err != nil {
		s.log.Warn("the settings of the database could not be read", "cause", oneLine(err))
	}
}

// openError says in one line why a database cannot be opened: a driver may tell more than one story.
type openError struct {
	engine engine
	error
}

func (e openError) Error() string {
	return fmt.Sprintf("database: cannot open %s: %s", e.engine, oneLine(e.error))
}

// oneLine is an error in one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func (e openError) Unwrap() error { return e.error }

func cannotOpen(e engine, err error) error { return openError{e, err} }

// connect opens every connection, and reads what is kept in memory.
func (s *Store) connect(ctx context.Context) error {
	for _, t := range s.engine.roles() {
		if err := s.startWriter(ctx, t); err != nil {
			return err
		}
	}
	sight, err := openReadPool(ctx, s.engine)
	if err != nil {
		return err
	}
	s.readPool.Store(sight)
	if err := checkUsable(ctx, sight.DB); err != nil {
		return err
	}
	return errors.Join(s.reloadSuppressions(ctx), s.checkUnkeyed(ctx))
}

// startWriter opens a connection for a trade and puts a writer before its queue.
func (s *Store) startWriter(ctx context.Context, t role) error {
	l, err := s.engine.write(ctx, t)
	if err != nil {
		return err
	}
	w := &writer{store: s, role: t, tx: newDBTx(l), load: loadByTime}
	w.tx.unkeyed = &s.unkeyed
	s.writers = append(s.writers, w)
	switch t {
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

// queueFor is a queue, made where there is none.
func (s *Store) queueFor(place **queue) *queue {
	if *place == nil {
		*place = &queue{store: s, requests: make(chan *writeRequest, maxQueue), commitToken: make(chan struct{}, 1)}
		(*place).releaseCommit()
	}
	return *place
}

// OpenExisting opens a database that is there already. A command that is to change one must not make an empty one
// instead, because somebody stood in the wrong folder.
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

// Close commits what is waiting and closes the database.
func (s *Store) Close() error {
	s.stopMu.Lock()
	close(s.stop)
	s.stopMu.Unlock()
	s.writersDone.Wait()
	return s.disconnect()
}

func (s *Store) disconnect() error {
	var errs []error
	if sight := s.readPool.Load(); sight != nil {
		errs = append(errs, sight.close())
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

// readError translates the error of a look-up. While the database is being reopened or closed, or where it was since the
// look-up began, every error is only that.
func (s *Store) readError(e *readPool, err error) error {
	var told *lead.Error
	if err == nil || errors.As(err, &told) {
		return err
	}
	if s.saves.isDown() || s.readPool.Load() != e || s.stopped() {
		return errUnavailable(err)
	}
	return translateError(s.engine, err)
}

// translateError translates an error of the ground below into one that clients are told. Anything else stays what it is.
func translateError(e engine, err error) error {
	if err == nil {
		return nil
	}
	if ground, _ := e.classify(err); ground {
		return errUnavailable(err)
	}
	return err
}

// errUnavailable is the refusal of a store that cannot take or give anything at the moment. The intake finds the words for it.
func errUnavailable(cause error) *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause}
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
