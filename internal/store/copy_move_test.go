package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// turnedAway wants nobody to be able to write to a database, and to be told why. It can still be read.
func turnedAway(t *testing.T, database string, why ...string) {
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
func TestASourceHasMoved(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		copyTo(t, from, to)
		turnedAway(t, from, "moved to "+store.Redacted(to), "foyer db reopen")
		if now, err := store.Inspect(t.Context(), from); err != nil || now.MovedTo != store.Redacted(to) {
			t.Errorf("it stands as %+v, %v", now, err)
		}
		copyTo(t, from, to)
		third := newDatabase(t)
		refused(t, from, third, "moved to "+store.Redacted(to), "foyer db reopen")
		copyTo(t, to, third)
		refused(t, from, to, "was itself moved to "+third)
		serving(t, third, func(*store.Store) {})
		if where, err := store.Reopen(t.Context(), from); err != nil || where != store.Redacted(to) {
			t.Errorf("reopened from %q, %v", where, err)
		}
		if where, err := store.Reopen(t.Context(), from); err != nil || where != "" {
			t.Errorf("once more, from %q, %v", where, err)
		}
		serving(t, from, func(*store.Store) {})
	})
}

// A service that was opened a moment before a copy began serves nothing on what has moved.
func TestACopyOvertakesAService(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		s, err := store.Open(t.Context(), from, discard)
		if err != nil {
			t.Fatal(err)
		}
		copyTo(t, from, to)
		if _, err := s.OnlyInstance(t.Context()); err == nil || !strings.Contains(err.Error(), "moved to "+store.Redacted(to)) {
			t.Errorf("it goes on: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A service that takes its place while a copy is about to mark the source is seen by the copy, which then leaves it.
func TestAServiceOvertakesACopy(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		s := storetest.Open(t, from)
		err := store.Between(t, from, to, func() { storetest.Alone(t, s) })
		if err == nil || !strings.Contains(err.Error(), "a service is on "+store.Redacted(from)) {
			t.Errorf("the copy goes on: %v", err)
		}
		storetest.Save(t, s, agreed("lead_after", lead.Collected))
		serving(t, from, func(*store.Store) {}) // the mark is gone
	})
}

// While nothing has changed, a copy back undoes the move.
func TestAMoveAndBack(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		copyTo(t, from, to)
		copyTo(t, to, from)
		turnedAway(t, to, "moved to "+store.Redacted(from))
		serving(t, from, func(s *store.Store) { storetest.Save(t, s, agreed("lead_after", lead.Collected)) })
		refused(t, to, from, "holds other data")
		turnedAway(t, to, "moved to "+store.Redacted(from)) // also after a copy that was refused
	})
}

// Who comes while a copy is under way is sent away at once, and writes nothing when it has ended.
func TestWhoComesDuringACopy(t *testing.T) {
	store.CopyAtOnce(t, 5)
	across(t, 40, func(t *testing.T, from, to string) {
		told := 0
		_, err := store.CopyTo(t.Context(), from, to, func(store.Copying) {
			if told++; told > 1 {
				return
			}
			turnedAway(t, from, "being copied to "+store.Redacted(to))
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
func TestTheSourceOfAKilledCopy(t *testing.T) {
	store.CopyAtOnce(t, 5)
	across(t, 40, func(t *testing.T, from, to string) {
		halfCopy(t, from, to, 3)
		serving(t, from, func(*store.Store) {})
		spoil(t, from, `INSERT INTO changes (topic, version) VALUES ('moving to `+store.Redacted(to)+`', 1)`)
		turnedAway(t, from, "Where that copy was killed, the same foyer db copy goes on", "foyer db reopen")
		copyTo(t, from, to)
		turnedAway(t, from, "it was moved to")
	})
}

// A copy that was killed at its very end may be in use by now. One that is refused after it does not open the source again.
func TestARefusedCopyAfterAKilledOne(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		copyTo(t, from, to)
		spoil(t, from, `UPDATE changes SET topic = 'moving to `+store.Redacted(to)+`' WHERE topic LIKE 'moved to %'`)
		serving(t, to, func(s *store.Store) { storetest.Save(t, s, agreed("lead_after", lead.Collected)) })
		refused(t, from, to, "holds other data")
		turnedAway(t, from, "it is being copied to")
	})
}

// Why a place cannot be had is told as it is.
func TestAPlaceThatIsNotThere(t *testing.T) {
	t.Parallel()
	from := newDatabase(t)
	furnish(t, from, 1)
	to := "sqlite:" + filepath.Join(t.TempDir(), "nowhere", "foyer.db")
	refused(t, from, to, "cannot open "+to, "no such file or directory")
	serving(t, from, func(*store.Store) {})
}

// A service that a copy could not see takes nothing more when it looks around, which it does every second.
func TestAServiceNoticesAMove(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		s := storetest.Open(t, from) // it has not said that it is there
		copyTo(t, from, to)
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := s.SaveLead(t.Context(), new(agreed("lead_late", lead.Collected)), nil, noon); storetest.KindOf(err) != lead.Unavailable {
			t.Errorf("a lead that nobody would find: %v", err)
		}
		if err := s.Ping(t.Context()); storetest.KindOf(err) != lead.Unavailable {
			t.Errorf("it says that it is well: %v", err)
		}
		if _, err := store.Reopen(t.Context(), from); err != nil {
			t.Fatal(err)
		}
		if err := s.Refresh(t.Context()); err != nil {
			t.Fatal(err)
		}
		storetest.Save(t, s, agreed("lead_after", lead.Collected))
	})
}

// A command that was opened before a copy, and writes after it, is told that the database has moved.
func TestACommandNoticesAMove(t *testing.T) {
	t.Parallel()
	across(t, 3, func(t *testing.T, from, to string) {
		s, err := store.OpenExisting(t.Context(), from, discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		copyTo(t, from, to)
		if err := s.Suppress(t.Context(), store.Suppression{Phone: "+13055550123", Reason: "asked to", CreatedAt: noon}); err == nil || !strings.Contains(err.Error(), "moved to "+store.Redacted(to)) {
			t.Errorf("a number that is suppressed where nobody looks: %v", err)
		}
		wantSame(t, from, to)
	})
}
