package edge

import (
	"log/slog"
	"sync/atomic"
	"time"
)

// Log is where doors write what went wrong.
type Log struct {
	*slog.Logger
	lastCause atomic.Int64 // when the cause of a refusal was logged last
}

// NewLog wraps a logger.
func NewLog(l *slog.Logger) *Log { return &Log{Logger: l} }

// mayTell lets one cause a second through: a full disk refuses thousands for the same reason.
func (l *Log) mayTell(now time.Time) bool {
	last := l.lastCause.Load()
	return now.UnixNano()-last > int64(time.Second) && l.lastCause.CompareAndSwap(last, now.UnixNano())
}
