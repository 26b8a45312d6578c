package edge

import (
	"io"
	"log/slog"
	"sync/atomic"
	"time"
)

// Log is the log of requests and of what went wrong with them.
type Log struct {
	*slog.Logger
	jsonLines   io.Writer    // where ready-made JSON lines go; nil if the handler takes none
	lastCauseAt atomic.Int64 // when the cause of a refusal was last logged
}

// NewLog wraps a logger. A handler with a Lines method writes JSON lines to its writer, and gets request lines ready-made.
func NewLog(l *slog.Logger) *Log {
	log := &Log{Logger: l}
	if h, ok := l.Handler().(interface{ Lines() io.Writer }); ok {
		log.jsonLines = h.Lines()
	}
	return log
}

// mayLog permits one cause a second: a full disk refuses thousands of requests for the same reason.
func (l *Log) mayLog(now time.Time) bool {
	last := l.lastCauseAt.Load()
	return now.UnixNano()-last > int64(time.Second) && l.lastCauseAt.CompareAndSwap(last, now.UnixNano())
}
