package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

// ballastSize is how much memory is asked for and never touched, so that it never takes any of the machine's.
const ballastSize = 192 << 20

// steadyMemory makes the collector run rarely while little lives, and in time when thousands of clients come at once. It
// runs when what lives has grown by three tenths; the ballast counts as living, so that three tenths of almost nothing are enough
// room for some thousand requests. A limit on memory instead let the collector take all the time there was when it was reached.
// The function that is returned lets go of the ballast.
func steadyMemory() func() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {} // the operator knows better
	}
	debug.SetGCPercent(30)
	ballast := make([]byte, ballastSize)
	return func() { runtime.KeepAlive(ballast) }
}
