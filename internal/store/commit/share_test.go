package commit

import (
	"log/slog"
	"testing"
	"time"
)

// groupOf returns a group of requests of clients, and of background requests that took a while together.
func groupOf(clients, background int, took time.Duration) (group []*Request[int]) {
	for range clients {
		group = append(group, &Request[int]{Kind: Timed})
	}
	for range background {
		group = append(group, &Request[int]{Kind: Background, Took: took / time.Duration(background)})
	}
	return group
}

// Background requests may use what few clients leave, and a quarter of the time while many wait.
func TestBackgroundShare(t *testing.T) {
	for clients, want := range map[float64]float64{0: 1, fewClients: 1, 20: 0.64, 32: 0.25, 500: 0.25} {
		w := &writer[int]{pressure: clients}
		if got := w.share(); got < want-0.001 || got > want+0.001 {
			t.Errorf("%v clients wait, and the share is %v, not %v", clients, got, want)
		}
	}
}

// What background requests take beyond their share, they do without later; and never while no client waits.
func TestBackgroundDebt(t *testing.T) {
	q := NewQueue[int]("tests", slog.New(slog.DiscardHandler))
	now := time.Now()
	w := &writer[int]{queue: q, Options: Options{Mixed: true}, pressure: 64, since: now}
	joins := func(clients int) bool {
		q.background <- &Request[int]{Kind: Background}
		joined := len(w.addBackground(groupOf(clients, 0, 0))) > clients
		if !joined {
			<-q.background
		}
		return joined
	}
	if !joins(64) {
		t.Error("a background request waits, although none was served before")
	}
	now = now.Add(10 * time.Millisecond)
	w.recordBackground(groupOf(64, 1, 10*time.Millisecond), now) // a quarter of them was its share
	if joins(64) || !joins(0) {
		t.Error("7.5 ms too much: it has to wait for clients, and only for them")
	}
	now = now.Add(29 * time.Millisecond)
	w.recordBackground(groupOf(64, 0, 0), now)
	if joins(64) {
		t.Error("after 29 ms a quarter of a millisecond is left to pay")
	}
	now = now.Add(2 * time.Millisecond)
	w.recordBackground(groupOf(64, 0, 0), now)
	if !joins(64) {
		t.Error("after 31 ms everything is paid")
	}
}

// While few clients and few background requests wait, a group takes fewer of the latter.
func TestBackgroundTime(t *testing.T) {
	for _, c := range []struct {
		clients    float64
		background int
		want       time.Duration
	}{
		{0, 0, shortBackground},
		{fewClients, fewBackground, shortBackground},
		{fewClients + 1, 0, maxBackground},
		{1, fewBackground + 1, maxBackground},
	} {
		q := NewQueue[int]("tests", slog.New(slog.DiscardHandler))
		for range c.background {
			q.background <- &Request[int]{Kind: Background}
		}
		w := &writer[int]{queue: q, Options: Options{Mixed: true}, pressure: c.clients, each: shortBackground / 4}
		if got := w.backgroundTime(); got != c.want {
			t.Errorf("%v clients and %d background requests wait: got %s, want %s", c.clients, c.background, got, c.want)
		}
		if got, want := len(w.addBackground(nil)), min(c.background, int(4*c.want/shortBackground)); got != want {
			t.Errorf("%v clients and %d background requests wait: a group takes %d, want %d", c.clients, c.background, got, want)
		}
	}
}
