package edge_test

import (
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/edge"
)

// The document is rendered again when it is too old, and not before.
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

// Concurrent requests render the document once.
func TestTimedIsRenderedOnce(t *testing.T) {
	var renders atomic.Int32
	page := edge.NewTimed(time.Hour, time.Now, func(time.Time) *edge.Document {
		renders.Add(1)
		return edge.NewDocument("text/plain", "no-cache", []byte("page"))
	})
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() { _ = page.Get(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil)) })
	}
	all.Wait()
	if n := renders.Load(); n != 1 {
		t.Errorf("rendered %d times", n)
	}
}
