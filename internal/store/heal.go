package store

import (
	"context"
	"fmt"
	"time"
)

// How a sick store is cured: a first try soon, then one every second.
const (
	firstTry   = 100 * time.Millisecond
	laterTries = time.Second
	checkTime  = 2 * time.Second // what the check of a reopened database may take
)

// heal refuses everything until the disk takes writes again. After an error that leaves the connections in doubt, a
// failed fsync above all, the database is closed, reopened and checked first.
func (s *Store) heal(cause error, reopen bool) {
	s.log.Error("the store refuses leads until the disk recovers", "cause", cause)
	began := time.Now()
	for wait := firstTry; ; wait = laterTries {
		if !s.refuseFor(wait) {
			return
		}
		err := s.cure(reopen)
		if err == nil {
			break
		}
		_, worse := ailment(err)
		reopen = reopen || worse
		s.log.Warn("the store is still unwell", "cause", err)
	}
	s.ailing.Store(false)
	s.log.Info("the store takes leads again", "after", time.Since(began).Round(time.Millisecond).String())
}

// refuseFor answers the queue with refusals for a while. It says false when the store is closed meanwhile.
func (s *Store) refuseFor(wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for {
		select {
		case j := <-s.jobs:
			refuse([]*job{j}, errAiling)
		case <-timer.C:
			return true
		case <-s.stop:
			return false
		}
	}
}

// cure reopens the database where it must, and proves with a write that the disk takes one.
func (s *Store) cure(reopen bool) error {
	if reopen {
		if err := s.reopen(); err != nil {
			return err
		}
	}
	pulse := &job{ctx: context.Background(), do: func(h *handles) error { return bump(h, "pulse") }}
	return s.commit([]*job{pulse})
}

// reopen starts over with new connections. Look-ups use them even where the check fails: reading needs no sound disk.
func (s *Store) reopen() error {
	if err := s.open.Load().close(); err != nil {
		s.log.Warn("closing the doubtful database", "cause", err)
	}
	if err := s.presence.leave(); err != nil {
		s.log.Warn("letting go of the lock beside the database", "cause", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), checkTime+time.Second)
	defer cancel()
	h, err := openHandles(ctx, s.path)
	if err != nil {
		return err
	}
	s.presence.comeBack()
	err = s.check(ctx, h)
	s.open.Store(h)
	return err
}

// check looks whether a reopened database can be trusted: what is in the log reaches the disk, the newest acknowledged
// lead is there, and the pages are sound as far as the time allows.
func (s *Store) check(ctx context.Context, h *handles) error {
	var busy, logged, moved int
	// Passive: a reader beside us keeps part of the log in use, and is not worth waiting for.
	if err := h.write.QueryRowContext(ctx, "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &logged, &moved); err != nil {
		return err
	}
	if s.acked != "" {
		var there int
		if err := h.write.QueryRowContext(ctx, "SELECT count(*) FROM leads WHERE id = $1", s.acked).Scan(&there); err != nil {
			return err
		}
		if there != 1 {
			return fmt.Errorf("the newest acknowledged lead is missing after reopening")
		}
	}
	limited, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	var verdict string
	err := h.write.QueryRowContext(limited, "PRAGMA quick_check(1)").Scan(&verdict)
	switch {
	case limited.Err() != nil:
		s.log.Warn("the database is too large to be checked in full; run a check by hand", "looked_for", checkTime.String())
		return nil
	case err != nil:
		return err
	case verdict != "ok":
		return fmt.Errorf("the database is damaged: %s", verdict)
	}
	return nil
}

// Ping says whether the store answers and takes leads.
func (s *Store) Ping(ctx context.Context) error {
	if s.ailing.Load() {
		return notNow(errAiling)
	}
	var leads int
	h := s.open.Load()
	return s.reading(h, h.read.QueryRowContext(ctx, "SELECT count(*) FROM (SELECT 1 FROM leads LIMIT 1) AS one").Scan(&leads))
}
