package store_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/stopwatch"
)

// These tests need a disk of their own to break.

// saveUntilRefused saves leads until one is refused, and returns the ids of those that were saved.
func saveUntilRefused(t *testing.T, s *store.Store) (kept []string, refused string) {
	t.Helper()
	for i := range 1000 {
		l := storetest.Lead(fmt.Sprintf("lead_%d", i))
		watch := stopwatch.Start()
		_, err := s.SaveLead(t.Context(), &l, nil, l.CreatedAt)
		if took := watch.Stop(); took > 3*time.Second {
			t.Errorf("the caller waited %v for an answer", took)
		}
		switch {
		case err == nil:
			kept = append(kept, l.ID)
		case storetest.KindOf(err) == lead.Unavailable:
			return kept, l.ID
		default:
			t.Fatalf("got %v, want kind %s", err, lead.Unavailable)
		}
	}
	t.Fatal("the disk takes everything")
	return nil, ""
}

func TestFailingDisk(t *testing.T) {
	for _, tc := range []struct {
		name     string
		disk     func(t *testing.T) (dir, below string)
		spoil    func(t *testing.T, dir, below string) (repair func())
		persists bool // until the repair; a failed sync may recover before, because reopening frees the blocks of the log
	}{
		{
			name:     "full",
			disk:     func(t *testing.T) (string, string) { dir := storetest.SmallDisk(t, "2m"); return dir, dir },
			spoil:    func(t *testing.T, dir, _ string) func() { return storetest.FillDisk(t, dir) },
			persists: true,
		},
		{
			name: "read-only",
			disk: func(t *testing.T) (string, string) {
				below := storetest.SmallDisk(t, "40m")
				return storetest.ImageDisk(t, below), below
			},
			spoil:    func(t *testing.T, dir, _ string) func() { return freeze(t, dir) },
			persists: true,
		},
		{
			name: "failing to sync",
			disk: func(t *testing.T) (string, string) {
				below := storetest.SmallDisk(t, "8m")
				return storetest.ImageDisk(t, below), below
			},
			spoil: func(t *testing.T, _, below string) func() { return storetest.FillDisk(t, below) },
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			dir, below := tc.disk(t)
			s, logText := openWithLog(t, "sqlite:"+filepath.Join(dir, "foyer.db"))
			before := storetest.FullLead("lead_before")
			storetest.Save(t, s, before)

			repair := tc.spoil(t, dir, below)
			kept, refused := saveUntilRefused(t, s)
			if tc.persists {
				storetest.Eventually(t, "a first retry fails", func() bool { return strings.Contains(logText(), "still refuses") })
				if err := s.Ping(t.Context()); storetest.KindOf(err) != lead.Unavailable {
					t.Errorf("ping: got %v, want kind %s", err, lead.Unavailable)
				}
			}
			// While the database is reopened, reads are refused for a moment.
			storetest.Eventually(t, "a kept lead can be looked up", func() bool { _, err := s.LeadSummary(t.Context(), before.ID); return err == nil })

			repair()
			awaitRecovery(t, s)
			storetest.Save(t, s, storetest.Lead("lead_after"))
			for _, id := range append(kept, before.ID, "lead_after") {
				if !storetest.HasLead(t, s, id) {
					t.Errorf("%s was acknowledged and is lost", id)
				}
			}
			if storetest.HasLead(t, s, refused) {
				t.Errorf("%s was refused and is kept", refused)
			}
			t.Log(logText())
		})
	}
}

// freeze makes the database's files immutable. The kernel then refuses every write, also through open files, as on a disk that
// became read-only. A remount cannot do that while a process writes. The index of the log stays writable: it is mapped memory,
// and the kernel kills a process that writes to a read-only mapping.
func freeze(t *testing.T, dir string) (thaw func()) {
	t.Helper()
	files := []string{filepath.Join(dir, "foyer.db"), filepath.Join(dir, "foyer.db-wal")}
	chattr := func(flag string) {
		if out, err := exec.Command("chattr", append([]string{flag}, files...)...).CombinedOutput(); err != nil {
			t.Fatalf("chattr: %v: %s", err, out)
		}
	}
	chattr("+i")
	thawed := false
	thaw = func() {
		if !thawed {
			thawed = true
			chattr("-i")
		}
	}
	t.Cleanup(thaw)
	return thaw
}
