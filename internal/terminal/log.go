package terminal

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/lmittmann/tint"
)

// NewLogger logs text to a terminal and JSON lines elsewhere. There is no log level to set: what is logged is worth reading. The returned function flushes the log.
func NewLogger(w io.Writer) (*slog.Logger, func()) {
	if Is(w) {
		return slog.New(tint.NewTextHandler(w, &tint.Options{TimeFormat: time.TimeOnly})), func() {}
	}
	b := &logBuffer{to: w}
	return slog.New(&bufferedHandler{slog.NewJSONHandler(b, nil), b}), b.flush
}

// logBuffer is here for speed alone: it collects log lines and writes them together. With a system call for each line GET
// /v1/services takes 1.07 times the CPU (100 interleaved rounds, November 2026). Lines wait at most logBufferDelay; warnings and
// errors do not wait. To delete it: give the handler and Lines a writer that only holds a lock. It assumes nothing about slog but
// that a handler writes whole lines, which TestLogBuffer checks.
type logBuffer struct {
	to      io.Writer
	mu      sync.Mutex
	lines   bytes.Buffer
	pending bool // a flush is scheduled
}

const (
	logBufferDelay = 50 * time.Millisecond
	logBufferSize  = 64 << 10
)

func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines.Write(line)
	switch {
	case b.lines.Len() >= logBufferSize:
		b.writeLocked()
	case !b.pending:
		b.pending = true
		time.AfterFunc(logBufferDelay, b.flush)
	}
	return len(line), nil
}

func (b *logBuffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending = false
	b.writeLocked()
}

func (b *logBuffer) writeLocked() {
	_, _ = b.to.Write(b.lines.Bytes())
	b.lines.Reset()
}

// bufferedHandler flushes immediately after warnings and errors, which an operator may have to act on.
type bufferedHandler struct {
	slog.Handler
	buffer *logBuffer
}

func (h *bufferedHandler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Level >= slog.LevelWarn {
		h.buffer.flush()
	}
	return err
}

// Lines returns the writer for lines that are already JSON.
func (h *bufferedHandler) Lines() io.Writer { return h.buffer }

func (h *bufferedHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &bufferedHandler{h.Handler.WithAttrs(attrs), h.buffer}
}

func (h *bufferedHandler) WithGroup(name string) slog.Handler {
	return &bufferedHandler{h.Handler.WithGroup(name), h.buffer}
}
