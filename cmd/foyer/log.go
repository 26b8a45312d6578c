package main

import (
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// newLogger logs text to a terminal and JSON lines elsewhere.
func newLogger(w io.Writer) *slog.Logger {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return slog.New(tint.NewTextHandler(w, &tint.Options{TimeFormat: time.TimeOnly}))
	}
	lines := &lineWriter{to: w}
	return slog.New(jsonHandler{slog.NewJSONHandler(lines, nil), lines})
}

// jsonHandler also takes lines that are already JSON: see edge.NewLog.
type jsonHandler struct {
	slog.Handler
	lines io.Writer
}

// Lines returns the writer for lines that are already JSON.
func (h jsonHandler) Lines() io.Writer { return h.lines }

// lineWriter writes one line at a time, whether it comes from the handler or is ready-made.
type lineWriter struct {
	mu sync.Mutex
	to io.Writer
}

func (w *lineWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(line)
}
