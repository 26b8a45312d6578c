package storetest

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// SmallDisk mounts a small file system in memory.
func SmallDisk(t *testing.T, size string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk to spoil")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { Unmount(t, dir) })
	return dir
}

// Unmount detaches a disk.
func Unmount(t *testing.T, dir string) {
	if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
		t.Errorf("unmounting %s: %v", dir, err)
	}
}

// ImageDisk mounts a file as a disk. It has no journal, so that the kernel continues to use it after a failed write. The file is
// sparse, so that writes fail when the disk below is full.
func ImageDisk(t *testing.T, below string) string {
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
	t.Cleanup(func() { Unmount(t, dir) })
	return dir
}

// FillDisk writes to a disk until it is full.
func FillDisk(t *testing.T, dir string) (remove func()) {
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
