package store_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestFilesArePrivate checks the permissions of the database, its log and its index.
func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "foyer.db")
	s := storetest.Open(t, "sqlite:"+path)
	if _, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_1")), nil, time.Time{}); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		info, err := os.Stat(file)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", filepath.Base(file), info.Mode(), err)
		}
	}
}

// TestOpenExistingCreatesNoDatabase checks that a command in the wrong directory does not suppress a number in an empty database.
func TestOpenExistingCreatesNoDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "foyer.db")
	if _, err := store.OpenExisting(t.Context(), "sqlite:"+path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "there is no database at") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("a file was made: %v", err)
	}
}
