package torture

import (
	"fmt"
	"testing"
	"time"
)

// outcome is what became of the leads of a test.
type outcome struct {
	auditResult
	acknowledged        int
	refused, unanswered int
	came, known         int           // clients with a key that retried; of these, already stored
	slowest, bound      time.Duration // the longest wait for a refusal, and its bound if larger than usual
	recovered           time.Duration // the longest that a process took to accept leads again
}

// How soon a service refuses when its database is on a server. If the server works, but slowly, a client waits for those
// before it: to be counted, to be stored, and for the count to be undone.
const (
	farRefusal  = 3 * time.Second
	slowRefusal = 6 * time.Second
)

// judgeAnswers wants an answer for every client: no process was killed.
func (o outcome) judgeAnswers(t *testing.T) {
	t.Helper()
	if o.unanswered > 0 {
		t.Errorf("%d got no answer", o.unanswered)
	}
}

// judge reports what is wrong with an outcome.
func (o outcome) judge(t *testing.T) {
	t.Helper()
	if o.lost > 0 {
		t.Errorf("%d acknowledged leads are lost", o.lost)
	}
	if most := max(farRefusal, o.bound); o.slowest > most {
		t.Errorf("a refusal took %v, want at most %v", o.slowest, most)
	}
	if o.acknowledged == 0 {
		t.Error("nothing was acknowledged: the test proves nothing")
	}
}

// String counts what was promised.
func (o outcome) String() string {
	text := fmt.Sprintf("%s acknowledged, %d lost", thousands(o.acknowledged), o.lost)
	if o.refused > 0 {
		text += fmt.Sprintf("; %s refused, each within %v", thousands(o.refused), o.slowest.Round(time.Millisecond))
	}
	if o.came > 0 {
		text += fmt.Sprintf("; %s came again with their key, %s of them known, no lead twice", thousands(o.came), thousands(o.known))
	}
	return text
}
