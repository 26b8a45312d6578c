package alerter

import (
	"context"
	"log/slog"
	"time"

	"foyer/internal/alert"
	"foyer/internal/buyer"
	"foyer/internal/store"
)

// Alerter looks for alerts, and sends messages about them.
type Alerter struct {
	Store Store
	Send  func(ctx context.Context, w alert.Way, id string, m alert.Message) error
	NewID func(prefix string) string
	Now   func() time.Time
	Host  string        // of the base URL; "" if that has no certificate
	Grace time.Duration // how long a message that is being sent may take when the service stops
	Log   *slog.Logger
}

// Update is a transaction of the job. It fails if another process took the job over.
type Update func(ctx context.Context, do func(*store.Tx) error) error

// Look evaluates the rules on a snapshot. One transaction then stores what fires and queues the messages about it, so that nothing is said
// twice and nothing is forgotten.
func (a *Alerter) Look(ctx context.Context, update Update) error {
	buyers, _, err := a.Store.Buyers(ctx)
	if err != nil {
		return err
	}
	now := a.Now().UTC().Truncate(time.Microsecond)
	var before, after []alert.State
	var say []alert.Message
	err = a.Store.View(ctx, func(tx *store.Tx) (err error) {
		before, after, say, err = a.plan(tx, buyers, now)
		return err
	})
	if err != nil {
		return err
	}
	return update(ctx, func(tx *store.Tx) error {
		if err := tx.Alerts().PutStates(before, after); err != nil {
			return err
		}
		return a.queue(tx, say)
	})
}

func (a *Alerter) plan(tx *store.Tx, buyers []buyer.Buyer, now time.Time) (before, after []alert.State, say []alert.Message, err error) {
	settings, err := tx.Alerts().Settings()
	if err != nil {
		return nil, nil, nil, err
	}
	if before, err = tx.Alerts().States(); err != nil {
		return nil, nil, nil, err
	}
	facts, err := gather(tx, buyers, a.Host, now)
	if err != nil {
		return nil, nil, nil, err
	}
	after, say = alert.Plan(before, alert.Evaluate(facts, settings, now), facts, settings, now)
	return before, after, say, nil
}

// queue adds each message for each way, in place of those that wait and say the opposite. That something is over is said even where nobody
// heard of it: the message says for how long it lasted, and one that failed may have arrived.
func (a *Alerter) queue(tx *store.Tx, say []alert.Message) error {
	if len(say) == 0 {
		return nil
	}
	ways, err := tx.Alerts().Ways()
	if err != nil {
		return err
	}
	for _, m := range say {
		if err := tx.Alerts().Withdraw(m); err != nil {
			return err
		}
		for _, w := range ways {
			if err := tx.Alerts().AddMessage(store.AlertMessage{Message: m, ID: a.NewID("alert_"), Way: w.ID, NextAt: m.At}); err != nil {
				return err
			}
		}
	}
	return nil
}

// batch is how many messages are sent in a turn.
const batch = 50

// Due reports whether there is something to send.
func (a *Alerter) Due(ctx context.Context) (due bool, err error) {
	err = a.Store.View(ctx, func(tx *store.Tx) error {
		list, err := tx.Alerts().Due(a.Now(), 1)
		due = len(list) > 0
		return err
	})
	return due, err
}

// Deliver sends what is due. After a failure, the other messages of the same way wait for the next turn.
func (a *Alerter) Deliver(ctx context.Context, update Update) error {
	var due []store.AlertMessage
	if err := a.Store.View(ctx, func(tx *store.Tx) (err error) { due, err = tx.Alerts().Due(a.Now(), batch); return err }); err != nil {
		return err
	}
	failing := make(map[string]bool)
	for _, m := range due {
		if failing[m.Way] || ctx.Err() != nil {
			continue
		}
		sent, err := a.deliver(ctx, update, m)
		if err != nil {
			return err
		}
		failing[m.Way] = !sent
	}
	return nil
}

// deliver sends one message. It is claimed first, so that no other process sends it meanwhile; and what was sent is noted even if the
// service stops, or another process took the job over. A message that a stop cut off is due at once: the next process sends it.
func (a *Alerter) deliver(ctx context.Context, update Update, m store.AlertMessage) (sent bool, err error) {
	wait, again := alert.Retry(m.Attempts+1, m.At, a.Now())
	var w alert.Way
	claimed := false
	err = update(ctx, func(tx *store.Tx) (err error) {
		var found bool
		if w, found, err = tx.Alerts().FindWay(m.Way); err != nil || !found {
			claimed = false
			return err
		}
		claimed, err = tx.Alerts().Claim(m, a.Now().Add(wait))
		return err
	})
	if err != nil || !claimed {
		return true, err
	}
	sending, cancel := withGrace(ctx, a.Grace)
	defer cancel()
	failure := a.Send(sending, w, m.ID, m.Message)
	m.NextAt, m.SentAt, m.Failure = time.Time{}, a.Now(), ""
	switch {
	case failure != nil && sending.Err() != nil:
		m.NextAt, m.SentAt, m.Failure = a.Now(), time.Time{}, failure.Error()
	case failure != nil && again:
		m.NextAt, m.SentAt, m.Failure = a.Now().Add(wait), time.Time{}, failure.Error()
	case failure != nil:
		m.SentAt, m.Failure = time.Time{}, failure.Error()
		a.Log.Error("an alert could not be sent for a day, and is given up", "way", w.ID, "kind", w.Kind, "rule", m.Rule, "cause", failure)
	}
	return failure == nil, a.Store.Update(context.WithoutCancel(ctx), func(tx *store.Tx) error { return tx.Alerts().Settle(m) })
}

// withGrace returns a context that ends some time after another.
func withGrace(ctx context.Context, grace time.Duration) (context.Context, context.CancelFunc) {
	longer, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(grace, cancel) })
	return longer, func() { stop(); cancel() }
}
