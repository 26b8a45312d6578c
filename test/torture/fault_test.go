package torture

import (
	"fmt"
	"testing"
	"time"
)

// What a service on a failing disk owes its clients.
const (
	maxRefusalTime  = time.Second     // for a refusal
	maxRecoveryTime = 5 * time.Second // from the end of a fault until leads are accepted again
)

// fault is a way for a disk to fail. It begins under load, and ends when the returned function is called.
type fault struct {
	name         string
	disk         func(t *testing.T) *disk
	begin        func(s *service, d *disk) (end func())
	intermittent bool // a log that starts over needs no space, and between two failures leads are safe
	injected     bool // strace stops the service while it attaches, which is not the service's fault
}

func faults() []fault {
	forged := func(name, what string) fault {
		return fault{name: name, disk: plainDisk, begin: func(s *service, _ *disk) func() { return s.inject(what) }, injected: true}
	}
	fits := forged("fsync fails now and then", "fsync,fdatasync:error=EIO:when=3+7")
	fits.intermittent = true
	return []fault{
		{name: "a full disk", disk: func(t *testing.T) *disk { return smallDisk(t, "16m") }, begin: func(_ *service, d *disk) func() { return d.fill() }, intermittent: true},
		{name: "read-only files", disk: ext4, begin: func(_ *service, d *disk) func() { return d.freeze() }},
		forged("a read-only disk", "pwrite64,ftruncate,unlink,unlinkat:error=EROFS"),
		forged("no room for a write", "pwrite64:error=ENOSPC"),
		forged("no room at the sync", "fsync,fdatasync:error=ENOSPC"),
		forged("fsync fails", "fsync,fdatasync:error=EIO"),
		forged("writes fail", "pwrite64:error=EIO"),
		forged("reads and writes fail", "pread64,pwrite64,fsync,fdatasync:error=EIO"),
		fits,
	}
}

// plainDisk is a folder on the disk that the tests run on: its fault is injected.
func plainDisk(t *testing.T) *disk {
	t.Helper()
	want(t, "strace")
	return &disk{t: t, folder: t.TempDir()}
}

// TestFaults breaks the disk under a running service and repairs it.
func TestFaults(t *testing.T) {
	for _, f := range faults() {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for range choose(3, 1) {
				f.run(t)
			}
		})
	}
}

func (f fault) run(t *testing.T) {
	d, told := f.disk(t), newTally()
	var end func()
	s, l := breakDisk(t, d, told, underLoad, func(s *service) { end = f.begin(s, d) })
	if f.injected {
		told.resetTimer()
	}
	untilRefused(t, s, told)
	s.wantPlumbingNumber()
	time.Sleep(100 * time.Millisecond) // earlier answers may still be in flight
	felt := time.Now()
	time.Sleep(choose(3*time.Second, 1200*time.Millisecond))
	s.wantPlumbingNumber()
	if n := told.acceptedSince(felt); n > 0 && !f.intermittent {
		t.Errorf("%d leads were accepted by a disk that takes none", n)
	}
	end()
	recovered := untilAccepted(t, s, told)
	time.Sleep(200 * time.Millisecond)
	l.stop()
	s.stopGracefully()
	checkOutcome(t, f.name, d, told, "healed after %v", recovered.Round(time.Millisecond))
}

// untilRefused waits until a fault has an effect. On a full disk, leads that fit into the log are still accepted.
func untilRefused(t *testing.T, s *service, told *tally) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if _, refused := told.counts(); refused > 0 {
			return
		}
	}
	t.Fatalf("nothing was refused: the fault is not felt\n%s", s.Remarks())
}

// untilAccepted waits until a lead is accepted again, and returns how long that took.
func untilAccepted(t *testing.T, s *service, told *tally) time.Duration {
	t.Helper()
	return untilAcceptedSince(t, s, told, time.Now())
}

func untilAcceptedSince(t *testing.T, s *service, told *tally, began time.Time) time.Duration {
	t.Helper()
	for time.Since(began) < maxRecoveryTime {
		if told.acceptedSince(began) > 0 {
			return time.Since(began)
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("not healed within %v\n%s", maxRecoveryTime, s.Remarks())
	return 0
}

// checkOutcome compares what clients were told with what is stored after a fault, and reports the counts and how the fault
// ended.
func checkOutcome(t *testing.T, name string, d *disk, told *tally, ending string, args ...any) {
	t.Helper()
	accepted, refused := told.counts()
	checkIntegrity(t, database(d.folder))
	f := audit(t, database(d.folder), told)
	if f.lost > 0 {
		t.Errorf("%d acknowledged leads are lost", f.lost)
	}
	if told.slowest > maxRefusalTime {
		t.Errorf("a refusal took %v, want at most %v", told.slowest, maxRefusalTime)
	}
	report(t, name, "%s acknowledged, %d lost; %s refused, each within %v, %d of them kept anyway; %s",
		thousands(accepted), f.lost, thousands(refused), told.slowest.Round(time.Millisecond), f.keptRefused, fmt.Sprintf(ending, args...))
}
