// Package forward forwards leads to buyers: it finds the buyers that cover a lead, offers it to one at a time, sends the
// contact to the one that accepts, and holds leads that no buyer takes. Every decision is made in the transaction that
// records it, so several processes can run and any of them can crash.
//
// The package contains no SQL and no HTTP. Only a buyer that has accepted gets a contact, except for one-step buyers. A
// lead is never sold twice: one that a buyer may have stays with that buyer until the operator decides otherwise.
package forward

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// Forwarder forwards leads to buyers.
type Forwarder struct {
	Store      Store
	Send       func(context.Context, webhook.Message) webhook.Outcome
	Suppressed func(phone string) bool
	Persons    PersonRules
	LeadIDKey  []byte                                                 // derives the lead ids that buyers see
	Consent    func(ctx context.Context, hash string) (string, error) // the exact text the person agreed to
	Now        func() time.Time
	NewID      func(prefix string, at time.Time) string
	Chance     func() float64 // from 0 to 1
	Owner      string         // identifies this process in its leases
	Log        *slog.Logger
	Changed    func() // called when coverage has changed

	coverage  atomic.Pointer[buyer.Coverage]
	refreshMu sync.Mutex // serializes Refresh: of two at the same time, the one with the older list could win
	slots     *slots     // for messages
	scans     *slots
	mayNeed   atomic.Bool   // there may be deliveries that need a buyer
	notified  chan struct{} // the dispatcher has something to look at
	repeats   chan struct{} // repeats are due for a check
	inTurn    bool          // Step runs, not Run: nothing is sent while a scan waits for it
	workers   sync.WaitGroup
}

const (
	pollInterval   = 500 * time.Millisecond // how often the forwarder looks for what there is to do, and whether buyers changed
	maxBatch       = 64                     // leads for which one transaction finds buyers
	settleInterval = 500 * time.Millisecond // how often recording an answer is retried while the store is unavailable
	messageGrace   = 5 * time.Second        // how long messages in flight may take at shutdown
)

// MaxStaleness is how long it takes until every process knows that a buyer changed: several polls, because one may fail.
const MaxStaleness = 4 * pollInterval

// Start reads the buyers. The forwarder sends nothing before Run.
func (f *Forwarder) Start(ctx context.Context) error {
	f.notified, f.repeats = make(chan struct{}, 1), make(chan struct{}, 1)
	f.slots = newSlots(f.maxInFlightTo, maxInFlight)
	f.scans = newSlots(func(string) int { return 1 }, maxScans)
	return f.Refresh(ctx)
}

// maxInFlightTo returns how many messages may be in flight to a buyer.
func (f *Forwarder) maxInFlightTo(id string) int {
	if to := f.Coverage().Find(id); to != nil {
		return to.Terms.InFlight()
	}
	return buyer.DefaultMaxInFlight
}

// Coverage returns which buyers cover what, as far as this process knows.
func (f *Forwarder) Coverage() *buyer.Coverage { return f.coverage.Load() }

// Refresh reads the buyers again if they have changed.
func (f *Forwarder) Refresh(ctx context.Context) error {
	f.refreshMu.Lock()
	defer f.refreshMu.Unlock()
	version, err := f.Store.BuyersVersion(ctx)
	if before := f.Coverage(); err != nil || before != nil && before.Version == version {
		return err
	}
	buyers, version, err := f.Store.Buyers(ctx)
	if err != nil {
		return err
	}
	coverage := buyer.NewCoverage(buyers)
	coverage.Version = version
	f.coverage.Store(coverage)
	if f.Changed != nil {
		f.Changed()
	}
	return nil
}

// Notify tells the dispatcher that there may be deliveries that need a buyer.
func (f *Forwarder) Notify() {
	f.mayNeed.Store(true)
	signal(f.notified)
}

// signal wakes whoever receives from a channel of one.
func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// poll looks for what there is to do and was not noticed: what other processes left, and what became due.
func (f *Forwarder) poll(ctx context.Context) error {
	pending, err := f.Store.Pending(ctx, f.Now())
	if err != nil {
		f.Notify() // the writers have connections of their own, and may find something
		return err
	}
	if f.Coverage().Version != pending.BuyersVersion {
		if err := f.Refresh(ctx); err != nil {
			return err
		}
	}
	for _, queue := range pending.Queues {
		f.slots.markWaiting(queue)
	}
	if pending.NeedBuyer {
		f.mayNeed.Store(true)
	}
	if pending.NeedBuyer || len(pending.Queues) > 0 {
		signal(f.notified)
	}
	if pending.Repeats {
		signal(f.repeats)
	}
	if pending.Scans {
		return f.wake(ctx)
	}
	return nil
}

// Run forwards leads until ctx ends, and then waits up to messageGrace for messages in flight.
func (f *Forwarder) Run(ctx context.Context) {
	sending, cancelSending := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelSending()
	var loops sync.WaitGroup
	loops.Go(func() { onEach(ctx, f, time.Tick(pollInterval), f.poll) })
	loops.Go(func() { onEach(ctx, f, f.repeats, f.checkRepeats) })
	f.dispatch(ctx, sending)
	loops.Wait()
	timer := time.AfterFunc(messageGrace, cancelSending)
	defer timer.Stop()
	f.workers.Wait()
}

// logError logs err, unless the store is unavailable for a while: the store logs that itself, once.
func (f *Forwarder) logError(ctx context.Context, msg string, err error) {
	if ctx.Err() == nil && lead.KindOf(err) != lead.Unavailable {
		f.Log.Warn(msg, "cause", err)
	}
}

// onEach runs do at once and whenever a channel says so, until ctx ends.
func onEach[T any](ctx context.Context, f *Forwarder, when <-chan T, do func(context.Context) error) {
	for {
		if err := do(ctx); err != nil {
			f.logError(ctx, "forwarding is delayed", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-when:
		}
	}
}

// Store is what the forwarder needs of the database. It is an interface because tests fail and delay its calls.
type Store interface {
	Claim(ctx context.Context, do func(*store.Tx) error) error
	Settle(ctx context.Context, about store.Subject, do func(*store.Tx) error) error
	Update(ctx context.Context, do func(*store.Tx) error) error
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
	BuyersVersion(ctx context.Context) (int64, error)
	Pending(ctx context.Context, now time.Time) (store.Pending, error)
	BuyersToWake(ctx context.Context, now time.Time) ([]string, error)
	HeldPlaces(ctx context.Context, seq int64, limit int) ([]buyer.Held, error)
	Waiting(ctx context.Context, queue string, now time.Time, most int) (int, error)
	RepeatsToCheck(ctx context.Context, now time.Time, limit int) ([]int64, error)
	Busy() bool // clients keep the writer busy
}
