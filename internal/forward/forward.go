// Package forward takes leads to buyers: it finds who covers a lead, asks one at a time, hands the contact to the one
// that accepts, and holds what nobody takes. Every decision is taken inside the transaction that writes it down, so that
// several processes can run and any of them can die.
//
// It speaks no SQL and no HTTP, and it shows a contact to no buyer that has not accepted, one-step buyers apart. It never
// decides twice: a lead that a buyer may have stays with that buyer until the operator says otherwise.
package forward

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Forwarder takes leads to buyers.
type Forwarder struct {
	Store      Store
	Send       func(context.Context, Message) Reply
	Suppressed func(phone string) bool
	Persons    PersonRules
	LeadIDKey  []byte                                                 // makes the ids by which buyers know leads
	Consent    func(ctx context.Context, hash string) (string, error) // the exact words that were agreed to
	Now        func() time.Time
	NewID      func(prefix string, at time.Time) string
	Chance     func() float64 // from 0 to 1
	Busy       func() bool    // whether the intake needs the machine
	Owner      string         // names this process in its leases
	Log        *slog.Logger
	Changed    func() // is called when coverage changed

	coverage atomic.Pointer[known]
	stale    atomic.Bool // a buyer was withdrawn here: the coverage is to be read at once
	reading  sync.Mutex  // of two reads at once, the one with the older list could win
	slots    slots
	scans    heldScans
	woken    chan struct{}
	working  sync.WaitGroup
}

// known is the coverage of one version of the buyers.
type known struct {
	version  int64
	coverage *buyer.Coverage
}

const (
	pollInterval    = 250 * time.Millisecond // how often the queue is looked at when nobody calls
	refreshInterval = 500 * time.Millisecond // how often buyers are looked at for changes
	maxBatch        = 64                     // how many leads one transaction finds buyers for
	busyBatch       = 1                      // how many at a time while the intake needs the machine: a hundred a second
	busyInterval    = 10 * time.Millisecond  // and how often
	settleInterval  = 500 * time.Millisecond // how often somebody tries to write an answer down while the books are out of reach
	shutdownGrace   = 5 * time.Second        // what is under way may take so long when the service stops
)

// MaxStaleness is how long it takes until every process knows of a change of a buyer: some glances, because one may fail.
const MaxStaleness = 4 * refreshInterval

// Start reads the buyers. Nothing is sent before Run.
func (f *Forwarder) Start(ctx context.Context) error {
	f.woken = make(chan struct{}, 1)
	f.slots = slots{inside: make(map[string]int), limit: make(map[string]bool), busy: f.Busy}
	return f.Refresh(ctx)
}

// Coverage is who covers what, as far as this process knows.
func (f *Forwarder) Coverage() *buyer.Coverage {
	if k := f.coverage.Load(); k != nil {
		return k.coverage
	}
	return nil
}

// Refresh reads the buyers again, if they changed.
func (f *Forwarder) Refresh(ctx context.Context) error {
	f.reading.Lock()
	defer f.reading.Unlock()
	version, err := f.Store.BuyersVersion(ctx)
	before := f.coverage.Load()
	if err != nil || before != nil && before.version == version {
		return err
	}
	buyers, version, err := f.Store.Buyers(ctx)
	if err != nil {
		return err
	}
	f.coverage.Store(&known{version: version, coverage: buyer.NewCoverage(buyers, f.Coverage())})
	if f.Changed != nil {
		f.Changed()
	}
	return nil
}

// Notify says that there may be something to do.
func (f *Forwarder) Notify() {
	select {
	case f.woken <- struct{}{}:
	default:
	}
}

// Run takes leads to buyers until the context ends, and then ends what is under way.
func (f *Forwarder) Run(ctx context.Context) {
	sending, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	defer hangUp()
	var loops sync.WaitGroup
	loops.Go(func() { f.every(ctx, refreshInterval, f.Refresh) })
	loops.Go(func() { f.every(ctx, refreshInterval, f.wake) })
	loops.Go(func() { f.every(ctx, refreshInterval, f.checkRepeats) })
	f.dispatch(ctx, sending)
	loops.Wait()
	timer := time.AfterFunc(shutdownGrace, hangUp)
	defer timer.Stop()
	f.working.Wait()
}

// logError logs what went wrong, but not that the books are closed for a while: whoever keeps them says so, once.
func (f *Forwarder) logError(ctx context.Context, what string, err error) {
	if ctx.Err() == nil && lead.KindOf(err) != lead.Unavailable {
		f.Log.Warn(what, "cause", err)
	}
}

func (f *Forwarder) every(ctx context.Context, pause time.Duration, do func(context.Context) error) {
	tick := time.NewTicker(pause)
	defer tick.Stop()
	for {
		if err := do(ctx); err != nil {
			f.logError(ctx, "the forwarder was held up", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}
