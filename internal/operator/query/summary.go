package query

import (
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// Summary is a buyer with its health and its use.
type Summary struct {
	buyer.Buyer
	Health     buyer.Health
	Use        []Use
	Delivering int             // contacts being delivered to the buyer
	NoRoom     buyer.Exclusion // the cap, the balance or the opening hours that keep it from being asked now
	Owed       buyer.Cents     // what the buyer was charged, less what it paid; negative if it paid in advance
	At         time.Time
}

// Use is what a buyer received in a period, and its cap; a cap of 0 means none.
type Use struct {
	Period string
	buyer.Counts
	Cap      int
	MoneyCap buyer.Cents
	Ends     time.Time // zero for never
}

// Today returns the use of the current day.
func (s Summary) Today() Use {
	return s.Use[slices.IndexFunc(s.Use, func(u Use) bool { return u.Period == "day" })]
}

// Reserved is the money for leads that were offered and not delivered yet.
func (s Summary) Reserved() buyer.Cents {
	total := s.Use[len(s.Use)-1]
	return total.Used.Money - (total.Charged - total.Credited)
}

// QuietUntil returns until when the buyer asked not to be contacted, or the zero time if it did not or that time has passed.
func (s Summary) QuietUntil() time.Time {
	if s.Health.QuietUntil.After(s.At) {
		return s.Health.QuietUntil
	}
	return time.Time{}
}

// SummaryOf returns the summary of a buyer.
func SummaryOf(tx *store.Tx, b buyer.Buyer, now time.Time) (s Summary, err error) {
	s = Summary{Buyer: b, At: now}
	if s.Health, err = tx.Health(b.ID); err != nil {
		return s, err
	}
	if s.Delivering, err = tx.UnderWay(b.ID, buyer.StepDeliver); err != nil {
		return s, err
	}
	facts := buyer.Facts{Health: s.Health, Used: func(period buyer.Period) (buyer.Usage, error) { return tx.Used(b.ID, period) }}
	if s.NoRoom, err = noRoom(b, facts, s.At); err != nil {
		return s, err
	}
	if s.Owed, err = tx.Ledger().Owed(b.ID); err != nil {
		return s, err
	}
	for _, period := range b.Terms.Periods(s.At) {
		counts, err := tx.Counts(b.ID, period)
		if err != nil {
			return s, err
		}
		s.Use = append(s.Use, Use{period.Name, counts, period.Cap, period.MoneyCap, period.End})
	}
	return s, nil
}

// noRoom says what keeps a buyer from being asked: of a buyer that is closed, what will when it opens, because nobody has to do anything about its hours.
func noRoom(b buyer.Buyer, facts buyer.Facts, now time.Time) (buyer.Exclusion, error) {
	to := buyer.NewCoverage([]buyer.Buyer{b}).Find(b.ID)
	_, none, err := to.Room(facts, now, 1)
	if err != nil || none.Rule != buyer.RuleHours || none.Until.IsZero() {
		return none, err
	}
	_, then, err := to.Room(facts, none.Until, 1)
	if then.Rule == buyer.RuleCap || then.Rule == buyer.RuleMoneyCap || then.Rule == buyer.RuleBalance {
		return then, err
	}
	return none, err
}
