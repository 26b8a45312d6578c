package store_test

import (
	"bytes"
	"log/slog"
	"sync"
	"testing"

	"foyer/internal/store"
)

// openWithLog opens a store and returns a function that returns its log so far.
func openWithLog(t *testing.T, database string) (*store.Store, func() string) {
	t.Helper()
	var (
		mu   sync.Mutex
		text bytes.Buffer
	)
	write := func(b []byte) (int, error) { mu.Lock(); defer mu.Unlock(); return text.Write(b) }
	s, err := store.Open(t.Context(), database, slog.New(slog.NewTextHandler(writer(write), nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, func() string { mu.Lock(); defer mu.Unlock(); return text.String() }
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }
