package main

import (
	"os"
	"runtime"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// ballastSize is memory that is allocated but never touched, so that it takes none of the machine's.
const ballastSize = 192 << 20

// tuneGC makes the collector run rarely while the heap is small, and soon enough when thousands of clients connect at once.
// The collector runs when the live heap has grown by 30 %; the ballast counts as live, so that even 30 % of an almost empty
// heap has room for some thousand requests. With a memory limit instead, the collector took all CPU time once the limit was
// reached. The returned function releases the ballast.
func tuneGC() func() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {} // the operator's settings win
	}
	debug.SetGCPercent(30)
	ballast := make([]byte, ballastSize)
	giveBack(ballast)
	return func() { runtime.KeepAlive(ballast) }
}

// giveBack returns the pages of cleared memory to the system. The runtime clears what it allocates, and so touches all of it, when
// it begins in a page that was used before: about one start in five would take the whole ballast from the machine.
func giveBack(cleared []byte) {
	_ = unix.Madvise(cleared, unix.MADV_DONTNEED) // a system that cannot do this keeps the pages, and nothing else changes
}
