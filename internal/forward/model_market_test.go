package forward_test

import (
	"cmp"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// month is how long leads of one person for the same work have to do with each other.
const month = 30 * 24 * time.Hour

// somePeople are the rules by which leads of one person go on the market: how near each other two of the same are not both sold,
// and how many of one number are passed on in a day. Zero is no such rule.
var somePeople = []forward.PersonRules{
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 1, Period: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{MaxPerPeriod: 2, Period: 24 * time.Hour}},
}

var fingerprints = []byte("the key of fingerprints")

func (l *request) apart(other *request) time.Duration { return l.CreatedAt.Sub(other.CreatedAt).Abs() }

// twins are the other leads of the same person for the same work that were on the market.
func (w *world) twins(l *request) []*request {
	return slices.DeleteFunc(slices.Clone(w.leads), func(x *request) bool {
		return x == l || !x.entered || x.erased || x.print() != l.print() || x.apart(l) >= month
	})
}

// second says whether there is another lead of the same person for the same work.
func (w *world) second(l *request) bool { return len(w.twins(l)) > 0 }

// blocked says that a twin keeps a lead off the market: it is there itself, or a buyer may have its contact.
func (w *world) blocked(l *request) bool {
	return slices.ContainsFunc(w.twins(l), func(x *request) bool {
		return x.status == lead.Received || (x.status == lead.Forwarded || x.status == lead.Errored) && x.apart(l) < w.people.Rules.Window
	})
}

// crowded says that as many leads of a number were passed on in a day as may be.
func (w *world) crowded(l *request) bool {
	n := 0
	for _, x := range w.leads {
		if x != l && x.entered && !x.erased && x.Request.Contact.Phone == l.Request.Contact.Phone && x.apart(l) < w.people.Rules.Period {
			n++
		}
	}
	return w.people.Rules.MaxPerPeriod > 0 && n >= w.people.Rules.MaxPerPeriod
}

// keptOff says by which mark a lead is kept off the market, or "". One that was on it counts for its number already.
func (w *world) keptOff(l *request) lead.Mark {
	switch {
	case w.blocked(l):
		return lead.Duplicate
	case !l.entered && w.crowded(l):
		return lead.ManyRequests
	}
	return ""
}

// withhold keeps a held lead off the market.
func (w *world) withhold(l *request, mark lead.Mark) {
	w.t.Logf("%s: it is kept off the market: %s", l.ID, mark)
	w.seen.count("a lead is kept off the market: %s", mark)
	l.withheld, l.lookAt = mark, time.Time{}
	l.twin, l.many = l.twin || mark == lead.Duplicate, l.many || mark == lead.ManyRequests
}

// enter puts a lead on the market. One of several for the same work is marked.
func (w *world) enter(l *request) {
	l.twin = l.twin || w.second(l)
	l.entered = true
}

// toFollow are the leads that are to be looked at because another has left the market, the newest first.
func (w *world) toFollow() []*request {
	list := slices.DeleteFunc(slices.Clone(w.leads), func(l *request) bool { return l.lookAt.IsZero() || l.lookAt.After(w.now) })
	slices.SortStableFunc(list, func(a, b *request) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.seq, a.seq))
	})
	return list
}

func (w *world) followable() bool { return len(w.toFollow()) > 0 }

func (w *world) followOne() { w.follow(w.somebody()) }

// follow lets a process look at the twins of what left the market.
func (w *world) follow(p *process) {
	w.tick(time.Millisecond)
	for _, l := range w.toFollow() {
		if mark := w.keptOff(l); mark != "" {
			w.withhold(l, mark)
			continue
		}
		w.seen.count("a twin follows")
		w.isNewest(l)
		w.enter(l)
		l.status, l.withheld, l.lookAt = lead.Received, "", time.Time{}
		l.errand = errand{step: buyer.StepAsk, since: w.now}
		l.isDue(w.now)
	}
	w.must(p.Follow(w.t.Context()))
}

// isNewest holds that no newer twin is passed over.
func (w *world) isNewest(l *request) {
	for _, x := range w.leads {
		if x != l && x.withheld == lead.Duplicate && x.print() == l.print() && x.CreatedAt.After(l.CreatedAt) && w.keptOff(x) == "" {
			w.t.Fatalf("%s follows, but %s is newer", l.ID, x.ID)
		}
	}
}

// mayBeOnMarket holds what is true of every message, whatever the model has foreseen: of several leads for the same work one is
// on the market, and a number is passed on so often. What an operator released is the operator's business.
func (w *world) mayBeOnMarket(f *flight) {
	l := f.of
	if l.heard = true; l.freed || !f.counts() {
		return
	}
	near := 0
	for _, x := range w.leads {
		if x == l || x.erased || x.Request.Contact.Phone != l.Request.Contact.Phone {
			continue
		}
		if x.heard && !x.freed && x.apart(l) < w.people.Rules.Period {
			near++
		}
		if x.print() != l.print() || x.freed || x.apart(l) >= month {
			continue
		}
		for _, o := range x.offers {
			switch {
			case !o.closed():
				w.t.Fatalf("%s was shown to %s while %s asks for the same and is with %s", l.ID, f.on.to, x.ID, o.to)
			case (o.state == buyer.OfferDelivered || o.state == buyer.OfferLost) && x.apart(l) < w.people.Rules.Window:
				w.t.Fatalf("%s was shown to %s, but %s has the contact of %s", l.ID, f.on.to, o.to, x.ID)
			case o.accepted && o.to == f.on.to && !w.forgot[l.print()]:
				w.t.Fatalf("%s was shown to %s, which accepted %s", l.ID, f.on.to, x.ID)
			}
		}
	}
	if most := w.people.Rules.MaxPerPeriod; most > 0 && near >= most {
		w.t.Fatalf("%s was shown to %s after %d other leads of its number in a day", l.ID, f.on.to, near)
	}
}

// withheldRightly holds at the end that what is kept off the market has a reason to be.
func (w *world) withheldRightly(l *request) {
	if l.withheld == lead.Duplicate && !w.blocked(l) && !w.forgot[l.print()] { // nothing follows who was erased
		w.t.Fatalf("%s was forgotten: it is kept off the market as a duplicate, and nothing like it is there or was sold", l.ID)
	}
	w.seen.count("at the end a lead is kept off the market: %s", l.withheld)
}
