// Package stopwatch measures how long something takes, without the time in which the machine was busy with other work. A test that
// wants an answer within three seconds means the service, not a machine that does not run it.
package stopwatch

import (
	"sync/atomic"
	"time"
)

// Stopwatch runs from Start to Stop.
type Stopwatch struct {
	began time.Time
	late  atomic.Int64 // by how much naps were too long, added up
	done  chan struct{}
}

const (
	nap    = 10 * time.Millisecond
	normal = 5 * time.Millisecond // that a nap may be longer on a machine at rest
)

// Start starts a stopwatch. It takes naps: whoever wakes up late was ready to run, and had no processor.
func Start() *Stopwatch {
	s := &Stopwatch{began: time.Now(), done: make(chan struct{})}
	go func() {
		for {
			began := time.Now()
			select {
			case <-s.done:
				return
			case <-time.After(nap):
			}
			if over := time.Since(began) - nap; over > normal {
				s.late.Add(int64(over))
			}
		}
	}()
	return s
}

// Took returns how long ago Start was, less what this program was kept waiting for a processor since then.
func (s *Stopwatch) Took() time.Duration {
	return max(0, time.Since(s.began)-time.Duration(s.late.Load()))
}

// Stop stops the stopwatch, and returns what it shows.
func (s *Stopwatch) Stop() time.Duration {
	close(s.done)
	return s.Took()
}
