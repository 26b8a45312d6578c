package dbadmin_test

import (
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
)

// wantMoved fails unless the database refuses to be opened for writing, for the given reasons. It must still be readable.
func wantMoved(t *testing.T, database string, why ...string) {
	t.Helper()
	s, err := store.OpenExisting(t.Context(), database, storetest.NoLog)
	if err == nil {
		s.Close()
		t.Fatal("it is used as before")
	}
	for _, word := range why {
		if !strings.Contains(err.Error(), word) {
			t.Errorf("refused with %q, which does not say %q", err, word)
		}
	}
	r := storetest.OpenReader(t, database)
	if list, err := r.Newest(t.Context(), 1, ""); err != nil || len(list) != 1 {
		t.Errorf("read: %d leads, %v", len(list), err)
	}
}

// A copied source cannot be used by accident: leads would be sold twice, and new ones would be lost.
func TestMovedSourceIsRefused(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		wantMoved(t, from, "moved to "+store.Redacted(to), "foyer db reopen")
		if now, err := dbadmin.Inspect(t.Context(), from); err != nil || now.MovedTo != store.Redacted(to) {
			t.Errorf("it stands as %+v, %v", now, err)
		}
		mustCopy(t, from, to)
		third := storetest.NewFile(t)
		wantCopyRefused(t, from, third, "moved to "+store.Redacted(to), "foyer db reopen")
		mustCopy(t, to, third)
		wantCopyRefused(t, from, to, "was itself moved to "+third)
		withStore(t, third, func(*store.Store) {})
		if where, err := dbadmin.Reopen(t.Context(), from); err != nil || where != store.Redacted(to) {
			t.Errorf("reopened from %q, %v", where, err)
		}
		if where, err := dbadmin.Reopen(t.Context(), from); err != nil || where != "" {
			t.Errorf("once more, from %q, %v", where, err)
		}
		withStore(t, from, func(*store.Store) {})
	})
}

// A service that opened the database just before a copy does not serve from the moved source.
func TestServiceOpenedBeforeCopy(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		s, err := store.Open(t.Context(), from, storetest.NoLog)
		if err != nil {
			t.Fatal(err)
		}
		mustCopy(t, from, to)
		if _, err := s.AcquireInstance(t.Context()); err == nil || !strings.Contains(err.Error(), "moved to "+store.Redacted(to)) {
			t.Errorf("it goes on: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// If a service takes its instance lock just before the copy marks the source, the copy notices the service and stops.
func TestServiceStartsBeforeCopyMark(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		s := storetest.Open(t, from)
		err := dbadmin.Between(t, from, to, func() { storetest.AcquireInstance(t, s) })
		if err == nil || !strings.Contains(err.Error(), "a service is on "+store.Redacted(from)) {
			t.Errorf("the copy goes on: %v", err)
		}
		storetest.Save(t, s, consentedLead("lead_after", lead.Collected))
		withStore(t, from, func(*store.Store) {}) // the mark was removed
	})
}

// If nothing has changed, copying back undoes the move.
func TestCopyBackUndoesMove(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		mustCopy(t, to, from)
		wantMoved(t, to, "moved to "+store.Redacted(from))
		withStore(t, from, func(s *store.Store) { storetest.Save(t, s, consentedLead("lead_after", lead.Collected)) })
		wantCopyRefused(t, to, from, "holds other data")
		wantMoved(t, to, "moved to "+store.Redacted(from)) // also after a refused copy
	})
}

// A process that opens the source during a copy is refused immediately, and writes nothing after the copy ends.
func TestOpenDuringCopyIsRefused(t *testing.T) {
	dbadmin.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		reports := 0
		_, err := dbadmin.CopyTo(t.Context(), from, to, func(db.Progress) {
			if reports++; reports > 1 {
				return
			}
			wantMoved(t, from, "being copied to "+store.Redacted(to))
			if _, err := dbadmin.Reopen(t.Context(), from); err == nil || !strings.Contains(err.Error(), "another copy") {
				t.Errorf("reopened in the middle: %v", err)
			}
		})
		if err != nil || reports == 0 {
			t.Fatalf("told %d times, %v", reports, err)
		}
	})
}

// A killed copy leaves its mark on the source. The copy can be resumed or abandoned.
func TestSourceOfKilledCopy(t *testing.T) {
	dbadmin.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		partialCopy(t, from, to, 3)
		withStore(t, from, func(*store.Store) {})
		storetest.MustExec(t, from, `INSERT INTO changes (topic, version) VALUES ('moving to `+store.Redacted(to)+`', 1)`)
		wantMoved(t, from, "Where that copy was killed, the same foyer db copy does it again", "foyer db reopen")
		mustCopy(t, from, to)
		wantMoved(t, from, "it was moved to")
	})
}

// The target of a copy that was killed at its very end may be in use. A later copy that is refused does not make the source
// usable again.
func TestRefusedCopyAfterKilledCopy(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		storetest.MustExec(t, from, `UPDATE changes SET topic = 'moving to `+store.Redacted(to)+`' WHERE topic LIKE 'moved to %'`)
		withStore(t, to, func(s *store.Store) { storetest.Save(t, s, consentedLead("lead_after", lead.Collected)) })
		wantCopyRefused(t, from, to, "holds other data")
		wantMoved(t, from, "it is being copied to")
	})
}

// The error says why the target cannot be created.
func TestCopyToMissingFolder(t *testing.T) {
	t.Parallel()
	from := storetest.Database(t)
	seed(t, from, 1)
	to := "sqlite:" + filepath.Join(t.TempDir(), "nowhere", "foyer.db")
	wantCopyRefused(t, from, to, "cannot open "+to, "no such file or directory")
	withStore(t, from, func(*store.Store) {})
}
