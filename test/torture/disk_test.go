package torture

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// disk is a file system of our own, to be broken.
type disk struct {
	t      *testing.T
	image  string // the image file, if there is one
	folder string // where it is mounted
}

// imageDisk creates a file system in a sparse file and mounts it through a loop device.
func imageDisk(t *testing.T, size int64, mkfs ...string) *disk {
	t.Helper()
	wantRoot(t)
	want(t, mkfs[0], "mount", "umount")
	d := &disk{t: t, image: filepath.Join(t.TempDir(), "image"), folder: t.TempDir()}
	if err := os.WriteFile(d.image, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(d.image, size); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(mkfs[0], append(mkfs[1:], d.image)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", mkfs[0], err, out)
	}
	if out, err := exec.Command("mount", "-o", "loop", d.image, d.folder).CombinedOutput(); err != nil {
		skipOrFail(t, "no image can be mounted here: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.folder, syscall.MNT_DETACH) })
	return d
}

func xfs(t *testing.T, size int64) *disk {
	t.Helper()
	return imageDisk(t, size, "mkfs.xfs", "-q")
}

func ext4(t *testing.T) *disk {
	t.Helper()
	return imageDisk(t, 64<<20, "mkfs.ext4", "-q", "-F", "-e", "remount-ro") // what Debian's installer chooses
}

// smallDisk mounts a file system in memory that is soon full.
func smallDisk(t *testing.T, size string) *disk {
	t.Helper()
	wantRoot(t)
	d := &disk{t: t, folder: t.TempDir()}
	if err := syscall.Mount("tmpfs", d.folder, "tmpfs", 0, "size="+size); err != nil {
		skipOrFail(t, "no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.folder, syscall.MNT_DETACH) })
	return d
}

// cutPower makes an xfs forget everything that was not synced: nothing reaches the disk from here on, not even its own log.
// This is what "xfs_io -x -c shutdown" does, without the time to start a program.
func (d *disk) cutPower() {
	d.t.Helper()
	const goingDown, withoutFlushingTheLog = 0x8004587d, 2
	f, err := os.Open(d.folder)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	how := uint32(withoutFlushingTheLog)
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), goingDown, uintptr(unsafe.Pointer(&how))); errno != 0 {
		d.t.Fatalf("cutting the power: %v", errno)
	}
}

// restorePower mounts the disk again, as a booting machine does.
func (d *disk) restorePower() {
	d.t.Helper()
	d.unmount()
	d.mount()
}

func (d *disk) mount() {
	d.t.Helper()
	d.run("mount", "-o", "loop", d.image, d.folder)
}

// unmount waits for the last user of the disk to release it.
func (d *disk) unmount() {
	d.t.Helper()
	err := syscall.Unmount(d.folder, 0)
	for deadline := time.Now().Add(5 * time.Second); errors.Is(err, syscall.EBUSY) && time.Now().Before(deadline); {
		time.Sleep(20 * time.Millisecond)
		err = syscall.Unmount(d.folder, 0)
	}
	if err != nil {
		d.t.Fatalf("unmounting: %v", err)
	}
}

func (d *disk) run(name string, args ...string) {
	d.t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v: %s", name, err, out)
	}
}

// fill leaves no space; the returned function frees it again.
func (d *disk) fill() (empty func()) {
	d.t.Helper()
	path := filepath.Join(d.folder, "filler")
	f, err := os.Create(path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	for block := make([]byte, 4096); err == nil; {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatal(err)
	}
	return func() { _ = os.Remove(path) }
}

// freeze makes the database and its log immutable; the returned function undoes that. The kernel then refuses every write,
// even through open files. The index beside the log is mapped memory, and has a test of its own.
func (d *disk) freeze() (thaw func()) {
	d.t.Helper()
	files := []string{filepath.Join(d.folder, "foyer.db"), filepath.Join(d.folder, "foyer.db-wal")}
	d.run("chattr", append([]string{"+i"}, files...)...)
	return func() { d.run("chattr", append([]string{"-i"}, files...)...) }
}

func wantRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		skipOrFail(t, "only root can mount a disk to break")
	}
}

// want skips the test unless these programs are installed.
func want(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			skipOrFail(t, "%s is not installed (Debian has it in xfsprogs, e2fsprogs, strace or util-linux)", p)
		}
	}
}
