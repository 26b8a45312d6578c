package signin

import (
	"fmt"
	"testing"
	"time"
)

// TestFailures counts attempts as wrong until they are taken back, name by name.
func TestFailures(t *testing.T) {
	noon := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	var f failures
	pat, sam := failureKey{name: "pat"}, failureKey{name: "sam"}
	for i := range FailuresAllowed {
		if wait := f.begin(pat, noon.Add(time.Duration(i)*time.Second)); wait != 0 {
			t.Fatalf("attempt %d has to wait %v", i, wait)
		}
	}
	later := noon.Add(time.Minute)
	if wait := f.begin(pat, later); wait != failuresWindow-time.Minute {
		t.Errorf("one more has to wait %v", wait)
	}
	if wait := f.begin(sam, later); wait != 0 {
		t.Errorf("another name has to wait %v", wait)
	}
	if wait := f.begin(failureKey{"pat", true}, later); wait != 0 {
		t.Errorf("a browser that is known has to wait %v", wait)
	}
	f.takeBack(pat, noon.Add(3*time.Second))
	f.takeBack(pat, noon.Add(3*time.Second)) // it is gone already
	if wait := f.begin(pat, later); wait != 0 {
		t.Errorf("after one was right another has to wait %v", wait)
	}
	if wait := f.begin(pat, later); wait == 0 {
		t.Error("the one that was taken back counts twice")
	}
	f.takeBack(sam, later)
	if _, kept := f.times[sam]; kept {
		t.Error("a name without failures is kept")
	}
	if wait := f.begin(pat, noon.Add(failuresWindow+2*time.Second)); wait != 0 {
		t.Errorf("a quarter of an hour later it has to wait %v", wait)
	}
}

// TestFailuresKeepWhoIsGuessed tries more names than are kept: the one that may not be tried any more stays so.
func TestFailuresKeepWhoIsGuessed(t *testing.T) {
	noon := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	var f failures
	pat := failureKey{name: "pat"}
	for range FailuresAllowed {
		f.begin(pat, noon)
	}
	for i := range 3 * maxNames {
		f.begin(failureKey{name: fmt.Sprint("name", i)}, noon.Add(time.Second))
	}
	if len(f.times) > maxNames {
		t.Errorf("%d names are kept", len(f.times))
	}
	if f.begin(pat, noon.Add(time.Minute)) == 0 {
		t.Error("pat may be tried again")
	}
	f.begin(failureKey{name: "sam"}, noon.Add(time.Hour))
	for i := range maxNames {
		f.begin(failureKey{name: fmt.Sprint("other", i)}, noon.Add(time.Hour))
	}
	if _, kept := f.times[pat]; kept {
		t.Error("what failed an hour ago is kept")
	}
}
