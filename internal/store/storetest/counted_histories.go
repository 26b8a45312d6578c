package storetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// countedLead is a lead as the test knows it.
type countedLead struct {
	lead.Lead
	seq      int64
	standing buyer.Standing
	offered  time.Time
	sold     time.Time
	offer    buyer.Offer // that was delivered
	given    buyer.Return
	revenue  buyer.Cents
}

// countWorld makes up histories of leads.
type countWorld struct {
	t     *testing.T
	rng   *rand.Rand
	store *store.Store
	leads []*countedLead
	rules []string
}

func (c Contract) countRandomly(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, zone := range []string{"UTC", "America/New_York", "Asia/Kathmandu"} {
		location, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		w := &countWorld{
			t: t, rng: rand.New(rand.NewPCG(seed, 2)), store: c.store(t),
			rules: []string{buyer.RuleCap, buyer.RuleBalance, buyer.RuleHours, buyer.RuleDeclined, buyer.RuleState, buyer.RuleDemands, buyer.RuleBreaker, buyer.RuleTried},
		}
		w.addSources()
		for range 500 {
			switch n := w.rng.IntN(60); {
			case n < 8:
				w.save()
			case n < 52:
				w.change()
			case n < 58:
				w.failWhileCounting(location)
			default:
				CountLeads(t, w.store, zone)
			}
		}
		CountLeads(t, w.store, zone)
		w.compareCaps(location)
		w.compare(zone, "src_a") // which leads found room under a cap depends on when they were counted
		update(t, w.store, func(tx *store.Tx) error { return tx.LeadCounts().Rebuild(location) })
		for range 5 {
			w.failWhileCounting(location)
		}
		CountLeads(t, w.store, zone)
		w.compareCaps(location)
		w.compare(zone, "src_a", "src_b", "src_c")
	}
}

// countInTxThatRunsAgain has another transaction of each of several runs be rolled back once and run again.
func (c Contract) countInTxThatRunsAgain(t *testing.T) {
	w := &countWorld{t: t, rng: rand.New(rand.NewPCG(5, 2)), store: c.store(t), rules: []string{buyer.RuleCap}}
	w.addSources()
	for transactions := range 9 {
		for range 10 {
			w.save()
			w.change()
		}
		w.failAfter(transactions, ranAgain, time.UTC)
		CountLeads(t, w.store, "UTC")
	}
	w.compare("UTC", "src_a")
}

// save stores a lead around midnight, or at the end of a month.
func (w *countWorld) save() {
	l := Lead(fmt.Sprintf("lead_%03d", len(w.leads)))
	l.CreatedAt = time.Date(2026, 10, 30, 0, 0, 0, 0, time.UTC).Add(time.Duration(w.rng.IntN(5*24*60)) * time.Minute)
	l.Status = pick(w.rng, []lead.Status{lead.Received, lead.Received, lead.Collected, lead.CallToConnect})
	l.Request.Service, l.Request.ZIP = pick(w.rng, searchServices), pick(w.rng, append([]string{"00000"}, searchZIPs...))
	l.Source = pick(w.rng, countedFrom)
	l.Evidence.Campaign = pick(w.rng, []lead.Campaign{{}, {Source: "letter", Name: "spring"}, {Source: "letter", Name: "pat@example.com", Content: "private"}})
	if w.rng.IntN(5) == 0 {
		l.Marks = []lead.Mark{lead.Automated}
	}
	Save(w.t, w.store, l)
	counted := &countedLead{Lead: l, standing: buyer.Standing{Status: l.Status, Marks: l.Marks}}
	update(w.t, w.store, func(tx *store.Tx) (err error) { counted.seq, err = tx.LeadOf(l.ID); return err })
	w.leads = append(w.leads, counted)
}

// change takes a lead one step further.
func (w *countWorld) change() {
	if len(w.leads) == 0 {
		return
	}
	l := pick(w.rng, w.leads)
	from := l.standing.Status
	at := l.CreatedAt.Add(time.Duration(1+w.rng.IntN(100_000)) * time.Second / 10)
	change := lead.Change{At: at, Actor: lead.ByService}
	var passed []buyer.PassedOver
	switch from {
	case lead.Received:
		change.Status = pick(w.rng, []lead.Status{lead.Forwarded, lead.Collected, lead.Collected, lead.Collected, lead.Collected, lead.Errored})
		if change.Status == lead.Collected {
			if change.Reason = pick(w.rng, []string{"nobody who covers it took it", lead.WithholdReasons[lead.Duplicate]}); w.rng.IntN(3) > 0 {
				passed = []buyer.PassedOver{{Buyer: "buyer_1", Rule: pick(w.rng, w.rules)}, {Buyer: "buyer_2", Rule: pick(w.rng, w.rules)}}
			}
		}
	case lead.Collected:
		if change.Status = pick(w.rng, []lead.Status{lead.Received, lead.Received, lead.Rejected}); change.Status == lead.Rejected {
			change.Reason = pick(w.rng, []string{lead.ExpiredReason, "sold elsewhere"})
		}
	case lead.Forwarded:
		w.giveBack(l, at)
		return
	default:
		return
	}
	declined, price := from == lead.Received && change.Status != lead.Forwarded && w.rng.IntN(2) == 0, buyer.Cents(1+w.rng.IntN(100))
	update(w.t, w.store, func(tx *store.Tx) error {
		if from == lead.Received {
			if err := tx.EndDelivery(l.seq); err != nil {
				return err
			}
			o := buyer.Offer{ID: fmt.Sprintf("offer_%s_%d", l.ID, at.UnixNano()), Lead: l.seq, Buyer: "buyer_1", At: at, State: buyer.OfferOpen, Price: price}
			if err := tx.AddOffer(o); err != nil {
				return err
			}
			switch {
			case change.Status == lead.Forwarded:
				o.State = buyer.OfferDelivered
				entry, _ := o.Charge(l.Lead, at)
				if err := tx.Ledger().Add(entry); err != nil {
					return err
				}
			case declined:
				o.State = buyer.OfferDeclined
			}
			if o.State != buyer.OfferOpen {
				if err := tx.PutOffer(o, buyer.OfferOpen); err != nil {
					return err
				}
			}
			l.offer = o
		}
		if err := tx.Change(l.seq, from, change, passed...); err != nil {
			return err
		}
		if change.Status == lead.Received {
			return tx.Queue(l.seq, at)
		}
		return nil
	})
	if l.standing.Status = change.Status; from == lead.Received && (l.offered.IsZero() || at.Before(l.offered)) {
		l.offered = at
	}
	l.standing.Declined = l.standing.Declined || declined
	switch change.Status {
	case lead.Collected:
		l.standing.Held, l.standing.Reason, l.standing.PassedOver = true, change.Reason, passed
	case lead.Forwarded:
		l.sold, l.revenue = at, price
	case lead.Rejected:
		l.standing.Expired = change.Reason == lead.ExpiredReason
	}
}

// giveBack has the buyer of a lead give it back, or decides what becomes of that.
func (w *countWorld) giveBack(l *countedLead, at time.Time) {
	if l.offer.State != buyer.OfferDelivered || l.given.State == buyer.ReturnDenied {
		return
	}
	if l.given.State == "" {
		l.given = buyer.Return{Offer: l.offer.ID, Buyer: l.offer.Buyer, At: at, Code: pick(w.rng, lead.ReturnCodes), State: buyer.ReturnWaiting}
	} else {
		l.given.State, l.given.DecidedAt = pick(w.rng, []buyer.ReturnState{buyer.ReturnApproved, buyer.ReturnDenied}), at
	}
	update(w.t, w.store, func(tx *store.Tx) error {
		if err := tx.Returns().Put(l.given); err != nil || l.given.State != buyer.ReturnApproved {
			return err
		}
		l.offer.State, l.revenue = buyer.OfferReturned, 0
		entry, _ := l.offer.Credit(l.Lead, at)
		return errors.Join(tx.PutOffer(l.offer, buyer.OfferDelivered), tx.Ledger().Add(entry))
	})
}

// compare counts the leads of the test, and compares that with the counts of the store.
func (w *countWorld) compare(zone string, costsOf ...string) {
	w.t.Helper()
	location, err := time.LoadLocation(zone)
	if err != nil {
		w.t.Fatal(err)
	}
	want, got := make(map[string]int64), make(map[string]int64)
	for _, days := range countRanges {
		w.money(want, days, location, costsOf)
	}
	for _, l := range w.leads {
		at, outcome := l.CreatedAt.In(location), l.standing.Outcome()
		want[fmt.Sprint("day ", at.Format(time.DateOnly), " ", outcome)]++
		want[fmt.Sprint("service ", l.Request.Service, " ", outcome)]++
		if at.Format(time.DateOnly) == "2026-11-01" { // New York has 25 hours on it
			want[fmt.Sprint("hour ", at.Format("2006-01-02 15"), " ", outcome)]++
		}
		l.wantPlaces(want)
		if outcome.OnMarket() {
			want[fmt.Sprint("recent ", at.Format(time.DateOnly), " ", l.Request.ZIP, " ", l.Request.Service)]++
		}
		if r := l.given; r.State != "" {
			counted := store.ReturnCount{}
			switch r.State {
			case buyer.ReturnWaiting:
				counted.Waiting = 1
			case buyer.ReturnApproved:
				counted.Approved, counted.Credited = 1, l.offer.Price
			case buyer.ReturnDenied:
				counted.Denied = 1
			}
			want[fmt.Sprint("returns ", r.Buyer, " ", r.Code)] += returnSum(counted)
		}
		if !l.offered.IsZero() {
			want[fmt.Sprint("offer ", at.Format(time.DateOnly), " ", waitBucket(l.offered.Sub(at)))]++
		}
		if !l.sold.IsZero() {
			want[fmt.Sprint("sale ", at.Format(time.DateOnly), " ", waitBucket(l.sold.Sub(at)))]++
		}
	}
	if err := w.store.View(w.t.Context(), func(tx *store.Tx) error {
		counts := tx.LeadCounts()
		for _, days := range countRanges {
			if err := readMoney(counts, got, days, costsOf); err != nil {
				return err
			}
		}
		for name, read := range map[string]func() ([]store.LeadSum, error){
			"day":     func() ([]store.LeadSum, error) { return counts.Days("2026-10-01", "2026-11-30") },
			"service": func() ([]store.LeadSum, error) { return counts.Services("2026-10-01", "2026-11-30") },
			"hour":    func() ([]store.LeadSum, error) { return counts.Hours("2026-11-01") },
		} {
			sums, err := read()
			if err != nil {
				return err
			}
			for _, s := range sums {
				for outcome, n := range s.Leads {
					got[fmt.Sprint(name, " ", s.Key, " ", outcome)] += n
				}
			}
		}
		returns, err := counts.Returns("2026-10-01", "2026-11-30")
		if err != nil {
			return err
		}
		for _, r := range returns {
			got[fmt.Sprint("returns ", r.Buyer, " ", r.Code)] = returnSum(r)
		}
		if err := readPlaces(counts, got); err != nil {
			return err
		}
		recent := []string{"2026-10-29", "2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02", "2026-11-03", "2026-11-04"}
		if err := counts.EachRecent(recent, nil, func(day, zip string, s lead.Service, n int) {
			got[fmt.Sprint("recent ", day, " ", zip, " ", s)] += int64(n)
		}); err != nil {
			return err
		}
		wait := func(kind string) func(store.LeadWait) {
			return func(x store.LeadWait) {
				got[fmt.Sprint(kind, " ", x.Period, " ", store.LongestWait(x.Bucket))] += x.Leads
			}
		}
		return errors.Join(counts.OfferWaits("2026-10-01", "2026-11-30", wait("offer")), counts.SaleWaits("2026-10-01", "2026-11-30", wait("sale")))
	}); err != nil {
		w.t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Errorf("%d leads in %s (-want +got):\n%s", len(w.leads), zone, diff)
	}
}

// waitBucket returns the longest wait that counts as the same as a wait: a bucket is 9 % wide, so that eight of them double it.
func waitBucket(wait time.Duration) time.Duration {
	longest := 1.0 // in milliseconds
	for i := 1; longest < wait.Seconds()*1000; i++ {
		longest = math.Pow(2, float64(i)/8)
	}
	return time.Duration(longest * float64(time.Millisecond)).Round(time.Millisecond)
}

// returnSum is one number for all that is counted of returns.
func returnSum(r store.ReturnCount) int64 {
	return r.Waiting + 1_000*r.Approved + 1_000_000*r.Denied + 1_000_000_000*int64(r.Credited)
}

// wantPlaces counts a lead for its state and its ZIP code, for its service and for all.
func (l *countedLead) wantPlaces(want map[string]int64) {
	outcome := l.standing.Outcome()
	for _, service := range []lead.Service{"", l.Request.Service} {
		for _, place := range []string{"state " + buyer.StateOf(l.Request.ZIP), "zip " + l.Request.ZIP} {
			key := fmt.Sprint(place, " ", service, " ")
			want[key+string(outcome)]++
			if l.revenue > 0 {
				want[key+"revenue"] += int64(l.revenue)
			}
			want[key+"rank"] += 1_000_000 * int64(l.revenue)
			if outcome.OnMarket() {
				want[key+"rank"]++
			}
			if outcome == buyer.OutcomeUncovered {
				want[key+"rank"] += 1_000
			}
		}
	}
}
