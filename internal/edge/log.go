package edge

import (
	"context"
	"io"
	"log/slog"
	"strconv"
	"sync"
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

var lineBuffers = sync.Pool{New: func() any { b := make([]byte, 0, 256); return &b }}

// logRequest writes the one line of a request. None of its values comes from the client, so none needs quoting. Formatting it here
// costs a sixth of what the standard handler takes (0.36 µs against 2.2), which was a tenth of a small request.
func (l *Log) logRequest(ctx context.Context, began time.Time, id, method, route string, status int) {
	now := time.Now()
	took := float64(now.Sub(began).Microseconds()) / 1000
	if l.jsonLines == nil {
		l.LogAttrs(ctx, slog.LevelInfo, "request", slog.String("id", id), slog.String("method", method),
			slog.String("route", route), slog.Int("status", status), slog.Float64("took_ms", took))
		return
	}
	buffer := lineBuffers.Get().(*[]byte)
	b := append((*buffer)[:0], `{"time":"`...)
	b = now.AppendFormat(b, time.RFC3339Nano)
	b = append(b, `","level":"INFO","msg":"request","id":"`...)
	b = append(append(b, id...), `","method":"`...)
	b = append(append(b, method...), `","route":"`...)
	b = append(append(b, route...), `","status":`...)
	b = strconv.AppendInt(b, int64(status), 10)
	b = strconv.AppendFloat(append(b, `,"took_ms":`...), took, 'f', -1, 64)
	b = append(b, "}\n"...)
	_, _ = l.jsonLines.Write(b)
	*buffer = b
	lineBuffers.Put(buffer)
}
