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

// Store keeps leads in one SQLite database.
type Store struct {
	path       string
	log        *slog.Logger
	open       atomic.Pointer[handles]
	ailing     atomic.Bool // the disk refuses writes; a cure is under way
	jobs       chan *job
	acked      string       // id of the newest lead that was committed; the writer's own
	load       atomic.Int64 // what part of its time the writer works, in thousandths
	barred     atomic.Pointer[barred]
	refreshing sync.Mutex
	stop       chan struct{}
	done       chan struct{}
	presence   presence
}

// Open opens the database that a setting names, brings its tables up to date and starts the writer.
func Open(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	path, err := sqlitePath(database)
	if err != nil {
		return nil, err
	}
	if err := makePrivate(path); err != nil {
		return nil, fmt.Errorf("database: cannot open %s: %w", database, err)
	}
	if err := migrate(ctx, path); err != nil {
		return nil, fmt.Errorf("database: cannot open %s: %w", database, err)
	}
	s := &Store{path: path, log: log, jobs: make(chan *job, queueLength), stop: make(chan struct{}), done: make(chan struct{})}
	h, err := openHandles(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("database: cannot open %s: %w", database, err)
	}
	s.open.Store(h)
	if err := s.reloadBarred(ctx); err != nil {
		return nil, fmt.Errorf("database: cannot open %s: %w", database, errors.Join(err, h.close()))
	}
	go s.run()
	return s, nil
}

// OpenExisting opens a database that is there already. A command that is to change one must not make an empty one
// instead, because somebody stood in the wrong folder.
func OpenExisting(ctx context.Context, database string, log *slog.Logger) (*Store, error) {
	path, err := sqlitePath(database)
	if err != nil {
		return nil, err
	}
	if err := mustExist(path); err != nil {
		return nil, err
	}
	return Open(ctx, database, log)
}

// Close commits what is waiting and closes the database.
func (s *Store) Close() error {
	close(s.stop)
	<-s.done
	return errors.Join(s.open.Load().close(), s.presence.leave())
}

func (s *Store) stopped() bool {
	select {
	case <-s.stop:
		return true
	default:
		return false
	}
}

func sqlitePath(database string) (string, error) {
	path, found := strings.CutPrefix(database, "sqlite:")
	if !found || path == "" {
		return "", fmt.Errorf("database %q: only sqlite:PATH is supported", database)
	}
	return path, nil
}

// unavailable translates an error of the disk or the driver into one that clients are told. Anything else stays what it is.
func unavailable(err error) error {
	if err == nil {
		return nil
	}
	if disk, _ := ailment(err); disk {
		return notNow(err)
	}
	return err
}

// reading translates the error of a look-up. While the database is being reopened or closed, or where it was since the
// look-up began, every error is only that.
func (s *Store) reading(h *handles, err error) error {
	var told *lead.Error
	if err == nil || errors.As(err, &told) {
		return err
	}
	if s.ailing.Load() || s.open.Load() != h || s.stopped() {
		return notNow(err)
	}
	return unavailable(err)
}

// notNow is the refusal of a store that cannot take or give anything at the moment. The intake finds the words for it.
func notNow(cause error) *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause}
}

func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(us int64) time.Time { return time.UnixMicro(us).UTC() }
