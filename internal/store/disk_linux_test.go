package store_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// These tests need a disk of their own to break.

// smallDisk mounts a small file system in memory.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk to spoil")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { unmount(t, dir) })
	return dir
}

func unmount(t *testing.T, dir string) {
	if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
		t.Errorf("unmounting %s: %v", dir, err)
	}
}

// imageDisk mounts a file as a disk. It has no journal, so that the kernel continues to use it after a failed write. The file is
// sparse, so that writes fail when the disk below is full.
func imageDisk(t *testing.T, below string) string {
	t.Helper()
	image, dir := filepath.Join(below, "image"), t.TempDir()
	if err := os.WriteFile(image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(image, 32<<20); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{
		{"mkfs.ext4", "-q", "-F", "-O", "^has_journal", "-E", "lazy_itable_init=0,nodiscard", "-N", "64", image},
		{"mount", "-o", "loop,errors=continue", image, dir},
	} {
		if out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("no image can be mounted here: %s: %v: %s", command[0], err, out)
		}
	}
	t.Cleanup(func() { unmount(t, dir) })
	return dir
}

// fill writes to a disk until it is full.
func fill(t *testing.T, dir string) (remove func()) {
	t.Helper()
	path := filepath.Join(dir, "filler")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	return func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}

// saveUntilRefused saves leads until one is refused, and returns the ids of those that were saved.
func saveUntilRefused(t *testing.T, s *store.Store) (kept []string, refused string) {
	t.Helper()
	for i := range 1000 {
		l := storetest.Lead(fmt.Sprintf("lead_%d", i))
		began := time.Now()
		_, err := s.SaveLead(t.Context(), &l, nil, l.CreatedAt)
		if took := time.Since(began); took > 3*time.Second {
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
			disk:     func(t *testing.T) (string, string) { dir := smallDisk(t, "2m"); return dir, dir },
			spoil:    func(t *testing.T, dir, _ string) func() { return fill(t, dir) },
			persists: true,
		},
		{
			name:     "read-only",
			disk:     func(t *testing.T) (string, string) { below := smallDisk(t, "40m"); return imageDisk(t, below), below },
			spoil:    func(t *testing.T, dir, _ string) func() { return freeze(t, dir) },
			persists: true,
		},
		{
			name:  "failing to sync",
			disk:  func(t *testing.T) (string, string) { below := smallDisk(t, "8m"); return imageDisk(t, below), below },
			spoil: func(t *testing.T, _, below string) func() { return fill(t, below) },
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
				eventually(t, "a first retry fails", func() bool { return strings.Contains(logText(), "still refuses") })
				if err := s.Ping(t.Context()); storetest.KindOf(err) != lead.Unavailable {
					t.Errorf("ping: got %v, want kind %s", err, lead.Unavailable)
				}
			}
			// While the database is reopened, reads are refused for a moment.
			eventually(t, "a kept lead can be looked up", func() bool { _, err := s.LeadSummary(t.Context(), before.ID); return err == nil })

			repair()
			awaitRecovery(t, s)
			storetest.Save(t, s, storetest.Lead("lead_after"))
			for _, id := range append(kept, before.ID, "lead_after") {
				if !storetest.Keeps(t, s, id) {
					t.Errorf("%s was acknowledged and is lost", id)
				}
			}
			if storetest.Keeps(t, s, refused) {
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
