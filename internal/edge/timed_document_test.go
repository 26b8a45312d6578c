package edge_test

import (
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/edge"
)

// A document that says when it was made is made again when it is too old, and not before.
func TestTimed(t *testing.T) {
	noon := time.Date(2027, time.March, 15, 12, 0, 0, 0, time.UTC)
	now := noon
	page := edge.NewTimed(time.Minute, func() time.Time { return now }, func(at time.Time) *edge.Document {
		return edge.NewDocument("text/plain", "no-cache", []byte(at.Format(time.TimeOnly)))
	})
	for _, x := range []struct {
		after time.Duration
		want  string
	}{
		{0, "12:00:00"},
		{59 * time.Second, "12:00:00"},
		{time.Minute, "12:01:00"},
		{90 * time.Second, "12:01:00"},
		{30 * time.Hour, "18:00:00"},
		{29 * time.Hour, "17:00:00"}, // the clock was set back
	} {
		now = noon.Add(x.after)
		w := httptest.NewRecorder()
		if err := page.Get(w, httptest.NewRequest("GET", "/", nil)); err != nil || w.Body.String() != x.want {
			t.Errorf("after %s: %q %v, want %q", x.after, w.Body, err, x.want)
		}
	}
}

// However many ask at once, it is written once.
func TestTimedIsWrittenOnce(t *testing.T) {
	var written atomic.Int32
	page := edge.NewTimed(time.Hour, time.Now, func(time.Time) *edge.Document {
		written.Add(1)
		return edge.NewDocument("text/plain", "no-cache", []byte("page"))
	})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { _ = page.Get(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)) })
	}
	all.Wait()
	if n := written.Load(); n != 1 {
		t.Errorf("written %d times", n)
	}
}
