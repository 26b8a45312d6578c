package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// wantMoved wants nobody to be able to write to a database, and to be told why. It can still be read.
func wantMoved(t *testing.T, database string, why ...string) {
	t.Helper()
	s, err := store.OpenExisting(t.Context(), database, discard)
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

// What was copied is used no more by accident: leads would be sold twice, and what comes in would be lost.
func TestMovedSourceIsRefused(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		wantMoved(t, from, "moved to "+store.Redacted(to), "foyer db reopen")
		if now, err := store.Inspect(t.Context(), from); err != nil || now.MovedTo != store.Redacted(to) {
			t.Errorf("it stands as %+v, %v", now, err)
		}
		mustCopy(t, from, to)
		third := newDatabase(t)
		wantCopyRefused(t, from, third, "moved to "+store.Redacted(to), "foyer db reopen")
		mustCopy(t, to, third)
		wantCopyRefused(t, from, to, "was itself moved to "+third)
		withStore(t, third, func(*store.Store) {})
		if where, err := store.Reopen(t.Context(), from); err != nil || where != store.Redacted(to) {
			t.Errorf("reopened from %q, %v", where, err)
		}
		if where, err := store.Reopen(t.Context(), from); err != nil || where != "" {
			t.Errorf("once more, from %q, %v", where, err)
		}
		withStore(t, from, func(*store.Store) {})
	})
}

// A service that was opened a moment before a copy began serves nothing on what has moved.
func TestServiceOpenedBeforeCopy(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		s, err := store.Open(t.Context(), from, discard)
		if err != nil {
			t.Fatal(err)
		}
		mustCopy(t, from, to)
		if _, err := s.OnlyInstance(t.Context()); err == nil || !strings.Contains(err.Error(), "moved to "+store.Redacted(to)) {
			t.Errorf("it goes on: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A service that takes its place while a copy is about to mark the source is seen by the copy, which then leaves it.
func TestServiceStartsBeforeCopyMark(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		s := storetest.Open(t, from)
		err := store.Between(t, from, to, func() { storetest.Alone(t, s) })
		if err == nil || !strings.Contains(err.Error(), "a service is on "+store.Redacted(from)) {
			t.Errorf("the copy goes on: %v", err)
		}
		storetest.Save(t, s, consentedLead("lead_after", lead.Collected))
		withStore(t, from, func(*store.Store) {}) // the mark is gone
	})
}

// While nothing has changed, a copy back undoes the move.
func TestCopyBackUndoesMove(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		mustCopy(t, to, from)
		wantMoved(t, to, "moved to "+store.Redacted(from))
		withStore(t, from, func(s *store.Store) { storetest.Save(t, s, consentedLead("lead_after", lead.Collected)) })
		wantCopyRefused(t, to, from, "holds other data")
		wantMoved(t, to, "moved to "+store.Redacted(from)) // also after a copy that was refused
	})
}

// Who comes while a copy is under way is sent away at once, and writes nothing when it has ended.
func TestOpenDuringCopyIsRefused(t *testing.T) {
	store.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		told := 0
		_, err := store.CopyTo(t.Context(), from, to, func(store.Copying) {
			if told++; told > 1 {
				return
			}
			wantMoved(t, from, "being copied to "+store.Redacted(to))
			if _, err := store.Reopen(t.Context(), from); err == nil || !strings.Contains(err.Error(), "another copy") {
				t.Errorf("reopened in the middle: %v", err)
			}
		})
		if err != nil || told == 0 {
			t.Fatalf("told %d times, %v", told, err)
		}
	})
}

// A copy that was killed could not say that the source stays. It goes on, or is given up.
func TestSourceOfKilledCopy(t *testing.T) {
	store.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		partialCopy(t, from, to, 3)
		withStore(t, from, func(*store.Store) {})
		mustExec(t, from, `INSERT INTO changes (topic, version) VALUES ('moving to `+store.Redacted(to)+`', 1)`)
		wantMoved(t, from, "Where that copy was killed, the same foyer db copy goes on", "foyer db reopen")
		mustCopy(t, from, to)
		wantMoved(t, from, "it was moved to")
	})
}

// A copy that was killed at its very end may be in use by now. One that is refused after it does not open the source again.
func TestRefusedCopyAfterKilledCopy(t *testing.T) {
	t.Parallel()
	betweenEngines(t, 3, func(t *testing.T, from, to string) {
		mustCopy(t, from, to)
		mustExec(t, from, `UPDATE changes SET topic = 'moving to `+store.Redacted(to)+`' WHERE topic LIKE 'moved to %'`)
		withStore(t, to, func(s *store.Store) { storetest.Save(t, s, consentedLead("lead_after", lead.Collected)) })
		wantCopyRefused(t, from, to, "holds other data")
		wantMoved(t, from, "it is being copied to")
	})
}

// Why a place cannot be had is told as it is.
func TestCopyToMissingFolder(t *testing.T) {
	t.Parallel()
	from := newDatabase(t)
	seed(t, from, 1)
	to := "sqlite:" + filepath.Join(t.TempDir(), "nowhere", "foyer.db")
	wantCopyRefused(t, from, to, "cannot open "+to, "no such file or directory")
	withStore(t, from, func(*store.Store) {})
}
