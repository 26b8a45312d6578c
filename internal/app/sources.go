package app

import (
	"context"
	"strings"
	"sync/atomic"

	"foyer/internal/source"
	"foyer/internal/store"
)

// sourceList keeps the sources of leads in memory: every request that names one is looked up. Another process may change them, so a job
// looks every second whether it did.
type sourceList struct {
	view    func(ctx context.Context, do func(*store.Tx) error) error
	version int64 // of what was loaded; only refresh uses it
	byKey   atomic.Pointer[map[string]*source.Source]
}

// newSourceList loads the sources.
func newSourceList(ctx context.Context, view func(ctx context.Context, do func(*store.Tx) error) error) (*sourceList, error) {
	l := &sourceList{view: view}
	return l, l.refresh(ctx)
}

// refresh loads the sources if they have changed.
func (l *sourceList) refresh(ctx context.Context) error {
	return l.view(ctx, func(tx *store.Tx) error {
		version, err := tx.Sources().Version()
		if err != nil || version == l.version && l.byKey.Load() != nil {
			return err
		}
		all, err := tx.Sources().List()
		if err != nil {
			return err
		}
		byKey := make(map[string]*source.Source, len(all))
		for _, s := range all {
			byKey[s.Key] = &s
		}
		l.version = version
		l.byKey.Store(&byKey)
		return nil
	})
}

// find finds a source by its key, or returns nil. Keys have small letters; a letter on paper may not.
func (l *sourceList) find(key string) *source.Source { return (*l.byKey.Load())[strings.ToLower(key)] }
