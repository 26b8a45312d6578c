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
	turns      *queue      // everything else; on SQLite the same
	counts     *queue      // what clients do; nil where each process counts for itself
	writers    []*writer
	acked      atomic.Pointer[string] // id of the newest lead that was committed
	suppressed atomic.Pointer[suppressedPhones]
	refreshing sync.Mutex
	ending     sync.RWMutex  // held while stop is closed, so that nobody comes in between
	stop       chan struct{} // closed when no more work is taken
	writing    sync.WaitGroup
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
	s.warn(ctx)
	for _, w := range s.writers {
		s.writing.Add(1)
		go w.run()
	}
	return s, nil
}

// warn tells the operator of settings below that endanger what is kept. They are the operator's affair: it is opened all
// the same.
func (s *Store) warn(ctx context.Context) {
	err := s.engine.checkSettings(ctx, s.readPool.Load().DB, func(f Finding) { s.log.Warn(f.What, "remedy", f.Remedy) })
	if err != nil {
		s.log.Warn("the settings of the database could not be read", "cause", plain(err))
	}
}

// errClosed says in one line why a database cannot be opened: a driver may tell more than one story.
type errClosed struct {
	engine engine
	error
}

func (e errClosed) Error() string {
	return fmt.Sprintf("database: cannot open %s: %s", e.engine, plain(e.error))
}

// plain is an error in one line.
func plain(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

func (e errClosed) Unwrap() error { return e.error }

func cannotOpen(e engine, err error) error { return errClosed{e, err} }

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
	return errors.Join(s.reloadSuppressions(ctx), s.noteUnkeyed(ctx))
}

// startWriter opens a connection for a trade and puts a writer before its queue.
func (s *Store) startWriter(ctx context.Context, t role) error {
	l, err := s.engine.write(ctx, t)
	if err != nil {
		return err
	}
	w := &writer{store: s, role: t, hand: newDBTx(l), load: byTime}
	w.hand.unkeyed = &s.unkeyed
	s.writers = append(s.writers, w)
	switch t {
	case roleAll:
		w.commit, w.queue = w.commitEach, s.queueAt(&s.saves)
		s.turns = s.saves
	case roleSave:
		w.commit, w.queue = w.commitSaves, s.queueAt(&s.saves)
		w.load, w.timeout = byCrowd, doorTime-saveTimeout
	case roleUpdate:
		w.commit, w.queue = w.commitEach, s.queueAt(&s.turns)
	case roleCount:
		w.commit, w.queue = w.commitCounts, s.queueAt(&s.counts)
	}
	w.queue.writers++
	return nil
}

// queueAt is a queue, made where there is none.
func (s *Store) queueAt(place **queue) *queue {
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
	if err := present(ctx, e); err != nil {
		return nil, err
	}
	return Open(ctx, database, log)
}

// Close commits what is waiting and closes the database.
func (s *Store) Close() error {
	s.ending.Lock()
	close(s.stop)
	s.ending.Unlock()
	s.writing.Wait()
	return s.disconnect()
}

func (s *Store) disconnect() error {
	var errs []error
	if sight := s.readPool.Load(); sight != nil {
		errs = append(errs, sight.close())
	}
	for _, w := range s.writers {
		errs = append(errs, w.hand.conn.close())
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
		return notNow(err)
	}
	return unavailable(s.engine, err)
}

// unavailable translates an error of the ground below into one that clients are told. Anything else stays what it is.
func unavailable(e engine, err error) error {
	if err == nil {
		return nil
	}
	if ground, _ := e.classify(err); ground {
		return notNow(err)
	}
	return err
}

// notNow is the refusal of a store that cannot take or give anything at the moment. The intake finds the words for it.
func notNow(cause error) *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause}
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
