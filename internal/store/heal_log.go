package store

import "time"

// What the log says of a sick writer, and whether anybody at a door feels it: docs/operations.md explains each line.

func (w *writer) tellSick(cause error) {
	if w.queue.ailing() {
		w.store.log.Error("the store refuses "+w.trade.String()+" until the database recovers", "cause", plain(cause))
		return
	}
	w.store.log.Warn("a writer of "+w.trade.String()+" waits for the database; another goes on", "cause", plain(cause))
}

func (w *writer) tellStillSick(cause error) {
	if w.queue.ailing() {
		w.store.log.Warn("the store still refuses "+w.trade.String(), "cause", plain(cause))
		return
	}
	w.store.log.Warn("a writer of "+w.trade.String()+" still waits for the database", "cause", plain(cause))
}

func (w *writer) tellWell(ailed bool, after time.Duration) {
	took := after.Round(time.Millisecond).String()
	if ailed {
		w.store.log.Info("the store takes "+w.trade.String()+" again", "after", took)
		return
	}
	w.store.log.Info("a writer of "+w.trade.String()+" is at work again", "after", took)
}
