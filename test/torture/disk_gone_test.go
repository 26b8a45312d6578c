package torture

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The index beside SQLite's log is mapped memory. A program that touches a mapped page that the disk no longer takes gets a
// signal (SIGBUS) instead of an error, and that ends a Go program. Since v1.60.0 the SQLite driver turns the signal into an
// error; these tests hold it to that.
//
// No lead is in progress at the very moment when these disks break. If another thread shuts down an xfs or an ext4 during a
// sync, Linux (6.18) reports success for the sync, and drops the data. A program of ten lines that appends and syncs sees
// this, too; no program that trusts fsync can do better.

// breakTime is when a disk breaks.
type breakTime string

const (
	underLoad breakTime = "under load"
	paused    breakTime = "just after a lead" // the last write is on the disk, except the index
	atRest    breakTime = "at rest"           // everything is on the disk, and the next access to the index reads it
)

// TestDiskDisappears takes the whole disk away from a running service and brings it back.
func TestDiskDisappears(t *testing.T) {
	for _, when := range []breakTime{paused, atRest} {
		t.Run(string(when), func(t *testing.T) {
			d, told := xfs(t, 320<<20), newTally()
			s, l := breakDisk(t, d, told, when, func(*service) { d.cutPower() })
			untilRefused(t, s, told)
			s.wantPlumbingNumber()
			time.Sleep(choose(3*time.Second, 1200*time.Millisecond))
			s.wantPlumbingNumber()
			d.restorePower() // works only if the service has closed all its files
			recovered := untilAccepted(t, s, told)
			l.stop()
			s.stopGracefully()
			checkOutcome(t, "the disk goes away "+string(when), d, told, "healed after %v", recovered.Round(time.Millisecond))
		})
	}
}

// TestDiskTurnsReadOnly makes the kernel find an error in a file system, which it then protects from all writes. That can
// be repaired only while no process uses it, so the service cannot recover here; but it keeps running, and stops
// gracefully.
func TestDiskTurnsReadOnly(t *testing.T) {
	for _, when := range []breakTime{paused, atRest} {
		t.Run(string(when), func(t *testing.T) {
			d, told := ext4(t), newTally()
			want(t, "findmnt", "fsck.ext4")
			s, l := breakDisk(t, d, told, when, func(*service) { d.findError() })
			untilRefused(t, s, told)
			s.wantPlumbingNumber()
			time.Sleep(choose(3*time.Second, 1200*time.Millisecond))
			s.wantPlumbingNumber()
			l.stop()
			s.stopGracefully()
			d.unmount()
			_ = exec.Command("fsck.ext4", "-p", d.image).Run() // its exit code says that it repaired something
			d.mount()
			serve(t, program, database(d.folder))
			checkOutcome(t, "the disk turns read-only "+string(when), d, told, "ends in order")
		})
	}
}

// breakDisk starts a service and its clients on a disk, and breaks the disk. Except under load, the clients stop before
// that and come back afterwards.
func breakDisk(t *testing.T, d *disk, told *tally, when breakTime, breaks func(*service)) (*service, *load) {
	t.Helper()
	s := serve(t, program, database(d.folder))
	l := send(t, s.URL, told)
	time.Sleep(300 * time.Millisecond)
	if when == underLoad {
		breaks(s)
		return s, l
	}
	l.stop()
	if when == atRest {
		d.run("sync", "-f", d.folder)
	}
	breaks(s)
	return s, send(t, s.URL, told)
}

// findError makes the kernel find an error in an ext4. The consequences are those of a real error.
func (d *disk) findError() {
	d.t.Helper()
	device, err := exec.Command("findmnt", "-no", "SOURCE", d.folder).Output()
	if err != nil {
		d.t.Fatal(err)
	}
	trigger := filepath.Join("/sys/fs/ext4", filepath.Base(strings.TrimSpace(string(device))), "trigger_fs_error")
	if err := os.WriteFile(trigger, []byte("torture"), 0o200); err != nil {
		skipOrFail(d.t, "the kernel cannot be told to find an error: %v", err)
	}
}
