package store

import "time"

// What the log says of a sick writer, and whether anybody at a door feels it: docs/operations.md explains each line.

func (w *writer) logDown(cause error) {
	if w.queue.isDown() {
		w.store.log.Error("the store refuses "+w.role.String()+" until the database recovers", "cause", oneLine(cause))
		return
	}
	w.store.log.Warn("a writer of "+w.role.String()+" waits for the database; another goes on", "cause", oneLine(cause))
}

func (w *writer) logStillDown(cause error) {
	if w.queue.isDown() {
		w.store.log.Warn("the store still refuses "+w.role.String(), "cause", oneLine(cause))
		return
	}
	w.store.log.Warn("a writer of "+w.role.String()+" still waits for the database", "cause", oneLine(cause))
}

func (w *writer) logRecovered(ailed bool, after time.Duration) {
	took := after.Round(time.Millisecond).String()
	if ailed {
		w.store.log.Info("the store takes "+w.role.String()+" again", "after", took)
		return
	}
	w.store.log.Info("a writer of "+w.role.String()+" is at work again", "after", took)
}
