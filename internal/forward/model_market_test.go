package forward_test

import (
	"cmp"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// repeatWindow is how long leads of one person for the same work are related.
const repeatWindow = 30 * 24 * time.Hour

// personRules are the rules for leads of one person: within which window two of the same are not both sold, and how many
// of one phone number are forwarded in a day. Zero means no such rule.
var personRules = []forward.PersonRules{
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 1, Period: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{Window: 24 * time.Hour}},
	{Key: fingerprints, Rules: lead.RepeatRules{MaxPerPeriod: 2, Period: 24 * time.Hour}},
}

var fingerprints = []byte("the key of fingerprints")

func (l *modelLead) apart(other *modelLead) time.Duration {
	return l.CreatedAt.Sub(other.CreatedAt).Abs()
}

// duplicates returns the other leads of the same person for the same work that were on the market.
func (w *world) duplicates(l *modelLead) []*modelLead {
	return slices.DeleteFunc(slices.Clone(w.leads), func(other *modelLead) bool {
		return other == l || !other.entered || other.erased || other.fingerprint() != l.fingerprint() || other.apart(l) >= repeatWindow
	})
}

// hasDuplicate reports whether there is another lead of the same person for the same work.
func (w *world) hasDuplicate(l *modelLead) bool { return len(w.duplicates(l)) > 0 }

// blockedByDuplicate reports whether a duplicate keeps a lead off the market: it is there itself, or a buyer may have its contact.
func (w *world) blockedByDuplicate(l *modelLead) bool {
	return slices.ContainsFunc(w.duplicates(l), func(other *modelLead) bool {
		return other.status == lead.Received || (other.status == lead.Forwarded || other.status == lead.Errored) && other.apart(l) < w.persons.Rules.Window
	})
}

// overPhoneLimit reports whether the daily limit of a phone number is reached.
func (w *world) overPhoneLimit(l *modelLead) bool {
	n := 0
	for _, other := range w.leads {
		if other != l && other.entered && !other.erased && other.Request.Contact.Phone == l.Request.Contact.Phone && other.apart(l) < w.persons.Rules.Period {
			n++
		}
	}
	return w.persons.Rules.MaxPerPeriod > 0 && n >= w.persons.Rules.MaxPerPeriod
}

// withholdMark returns the mark for which a lead is withheld, or "". A lead that was on the market already counts for its number.
func (w *world) withholdMark(l *modelLead) lead.Mark {
	switch {
	case w.blockedByDuplicate(l):
		return lead.Duplicate
	case !l.entered && w.overPhoneLimit(l):
		return lead.ManyRequests
	}
	return ""
}

// withhold withholds a held lead from the market.
func (w *world) withhold(l *modelLead, mark lead.Mark) {
	w.t.Logf("%s: it is kept off the market: %s", l.ID, mark)
	w.tally.count("a lead is kept off the market: %s", mark)
	l.withheld, l.checkAt = mark, time.Time{}
	l.duplicate, l.manyRequests = l.duplicate || mark == lead.Duplicate, l.manyRequests || mark == lead.ManyRequests
}

// enter puts a lead on the market. One of several for the same work is marked.
func (w *world) enter(l *modelLead) {
	l.duplicate = l.duplicate || w.hasDuplicate(l)
	l.entered = true
}

// repeatsToCheck returns the withheld leads to check because another has left the market, newest first.
func (w *world) repeatsToCheck() []*modelLead {
	list := slices.DeleteFunc(slices.Clone(w.leads), func(l *modelLead) bool { return l.checkAt.IsZero() || l.checkAt.After(w.now) })
	slices.SortStableFunc(list, func(a, b *modelLead) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(b.seq, a.seq))
	})
	return list
}

func (w *world) hasRepeats() bool { return len(w.repeatsToCheck()) > 0 }

func (w *world) checkRepeatsOnce() { w.checkRepeats(w.pickProcess()) }

// checkRepeats lets a process check the duplicates of leads that left the market.
func (w *world) checkRepeats(p *process) {
	w.tick(time.Millisecond)
	for _, l := range w.repeatsToCheck() {
		if mark := w.withholdMark(l); mark != "" {
			w.withhold(l, mark)
			continue
		}
		w.tally.count("a repeat follows")
		w.checkNewest(l)
		w.enter(l)
		l.status, l.withheld, l.checkAt = lead.Received, "", time.Time{}
		l.modelDelivery = modelDelivery{step: buyer.StepAsk, since: w.now}
		l.isDue(w.now)
	}
	w.must(p.CheckRepeats(w.t.Context()))
}

// checkNewest checks that no newer duplicate is passed over.
func (w *world) checkNewest(l *modelLead) {
	for _, other := range w.leads {
		if other != l && other.withheld == lead.Duplicate && other.fingerprint() == l.fingerprint() && other.CreatedAt.After(l.CreatedAt) && w.withholdMark(other) == "" {
			w.t.Fatalf("%s follows, but %s is newer", l.ID, other.ID)
		}
	}
}

// checkMarket checks what must hold for every message, whatever the model predicted: only one of several leads for the same work
// is on the market, and a phone number stays within its limit. Leads that an operator released are exempt.
func (w *world) checkMarket(f *flight) {
	l := f.of
	if l.sentToBuyer = true; l.byOperator || !f.counts() {
		return
	}
	near := 0
	for _, other := range w.leads {
		if other == l || other.erased || other.Request.Contact.Phone != l.Request.Contact.Phone {
			continue
		}
		if other.sentToBuyer && !other.byOperator && other.apart(l) < w.persons.Rules.Period {
			near++
		}
		if other.fingerprint() != l.fingerprint() || other.byOperator || other.apart(l) >= repeatWindow {
			continue
		}
		for _, o := range other.offers {
			switch {
			case !o.closed():
				w.t.Fatalf("%s was shown to %s while %s asks for the same and is with %s", l.ID, f.on.to, other.ID, o.to)
			case (o.state == buyer.OfferDelivered || o.state == buyer.OfferLost) && other.apart(l) < w.persons.Rules.Window:
				w.t.Fatalf("%s was shown to %s, but %s has the contact of %s", l.ID, f.on.to, o.to, other.ID)
			case o.accepted && o.to == f.on.to && !w.erasedSales[l.fingerprint()]:
				w.t.Fatalf("%s was shown to %s, which accepted %s", l.ID, f.on.to, other.ID)
			}
		}
	}
	if limit := w.persons.Rules.MaxPerPeriod; limit > 0 && near >= limit {
		w.t.Fatalf("%s was shown to %s after %d other leads of its number in a day", l.ID, f.on.to, near)
	}
}

// checkWithheld checks at the end that every withheld lead has a reason.
func (w *world) checkWithheld(l *modelLead) {
	if l.withheld == lead.Duplicate && !w.blockedByDuplicate(l) && !w.erasedSales[l.fingerprint()] { // not checked after an erasure
		w.t.Fatalf("%s was forgotten: it is kept off the market as a duplicate, and nothing like it is there or was sold", l.ID)
	}
	w.tally.count("at the end a lead is kept off the market: %s", l.withheld)
}
