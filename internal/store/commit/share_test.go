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
