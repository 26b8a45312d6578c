package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestBallastTakesNoMemory touches all pages of the ballast, as the runtime sometimes does.
func TestBallastTakesNoMemory(t *testing.T) {
	before := resident(t)
	ballast := make([]byte, ballastSize)
	for i := 0; i < len(ballast); i += os.Getpagesize() {
		ballast[i] = 0
	}
	if touched := resident(t) - before; touched < ballastSize/2 {
		t.Fatalf("%d MB of the ballast were touched, want all", touched>>20)
	}
	giveBack(ballast)
	if kept := resident(t) - before; kept > 8<<20 {
		t.Errorf("the ballast takes %d MB", kept>>20)
	}
	runtime.KeepAlive(ballast)
}

// resident is the memory of the machine that this process uses, in bytes.
func resident(t *testing.T) int {
	t.Helper()
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skipf("no /proc to read the memory from: %v", err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(statm))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}
