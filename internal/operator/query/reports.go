package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// ReportRange is what a report is about: days, both of them included.
type ReportRange struct {
	From, To string // such as 2026-11-05
	Zone     *time.Location
	UpTo     time.Time // leads that came later are not counted yet
	Missing  int64     // how many rows are not counted yet
}

// NewReportRange reads the first and the last day of a report. Without them it is about the month of now. Days are those in which the
// service counts.
func NewReportRange(tx *store.Tx, from, to string, now time.Time) (r ReportRange, err error) {
	if r.Zone, r.UpTo, err = tx.LeadCounts().Zone(); err != nil {
		return r, err
	}
	if r.Missing, err = tx.LeadCounts().Missing(); err != nil {
		return r, err
	}
	if r.Zone == nil {
		return r, &lead.Error{Kind: lead.NotFound, Message: "Nothing is counted yet: a running service counts leads every few seconds."}
	}
	today := now.In(r.Zone)
	r.From, r.To = today.Format("2006-01")+"-01", today.Format(time.DateOnly)
	for _, given := range []struct {
		name, text string
		day        *string
	}{{"from", from, &r.From}, {"to", to, &r.To}} {
		if given.text == "" {
			continue
		}
		span, err := entered.ParseDate(given.text, entered.Clock{Now: now, Zone: r.Zone})
		if err != nil {
			return r, lead.InvalidField(given.name, fmt.Sprintf("%s: %.40q is no day: write one such as 2026-11-05, 2026-11 for a month, today, yesterday or 7d.", given.name, given.text))
		}
		if *given.day = span.From.In(r.Zone).Format(time.DateOnly); given.name == "to" && span.From.Before(span.To) {
			*given.day = span.To.Add(-time.Nanosecond).In(r.Zone).Format(time.DateOnly)
		}
	}
	if r.From > r.To {
		return r, lead.InvalidField("to", fmt.Sprintf("to: the report would end on %s, before it begins on %s: give an earlier day with from.", r.To, r.From))
	}
	return r, nil
}

// Zone returns the time zone of days and months: the one that was given, or that of the counts, or UTC if nothing is counted yet.
func Zone(tx *store.Tx, given *time.Location) (*time.Location, error) {
	if given != nil {
		return given, nil
	}
	counted, _, err := tx.LeadCounts().Zone()
	return cmp.Or(counted, time.UTC), err
}

// span is the range in time.
func (r ReportRange) span() buyer.Period {
	from, _ := time.ParseInLocation(time.DateOnly, r.From, r.Zone) // both were formatted
	to, _ := time.ParseInLocation(time.DateOnly, r.To, r.Zone)
	return buyer.Period{Begin: from, End: to.AddDate(0, 0, 1)}
}

// months returns the first and the last month of a range of whole months.
func (r ReportRange) months() (from, to string, err error) {
	span := r.span()
	if span.Begin.Day() != 1 || span.End.Day() != 1 && span.End.Before(r.UpTo) {
		return "", "", lead.InvalidField("from", fmt.Sprintf("from: places are counted by month: write whole months, such as from %s to %s.", r.From[:7], r.To[:7]))
	}
	return r.From[:7], r.To[:7], nil
}

// LeadsRow is how many leads were received, and where they stand.
type LeadsRow struct {
	Key      string // a day, a month, a service, a place, a source or a campaign
	Name     string // of a source
	Received int64
	Outcomes map[buyer.Outcome]int64
	Revenue  buyer.Cents // what buyers were charged for these leads, less what they got back
	Cost     buyer.Cents // what the sources of these leads are paid for them
	Paid     int64       // how many leads of a source that are
}

// Margin is what is left of the revenue.
func (r LeadsRow) Margin() buyer.Cents { return r.Revenue - r.Cost }

// Held is how many of the leads are held, or were until they were too old.
func (r LeadsRow) Held() (n int64) {
	for _, o := range []buyer.Outcome{buyer.OutcomeUncovered, buyer.OutcomeNoMoney, buyer.OutcomeCapped, buyer.OutcomeAfterHours, buyer.OutcomeUnanswered, buyer.OutcomePaused, buyer.OutcomeDeclined, buyer.OutcomeUnwanted, buyer.OutcomeWithheld} {
		n += r.Outcomes[o]
	}
	return n
}

// Demand is how many of the leads could have been sold.
func (r LeadsRow) Demand() int64 {
	return r.Received - r.Outcomes[buyer.OutcomeCalled] - r.Outcomes[buyer.OutcomeWithheld] - r.Outcomes[buyer.OutcomeClosed]
}

func (r *LeadsRow) add(o buyer.Outcome, n int64) {
	if r.Outcomes == nil {
		r.Outcomes = make(map[buyer.Outcome]int64)
	}
	r.Received += n
	r.Outcomes[o] += n
}

func (r *LeadsRow) addMoney(m store.LeadMoney) {
	r.Revenue += m.Revenue
	r.Cost += m.Cost
}

// leadsRows are rows by their keys.
type leadsRows map[string]*LeadsRow

func (rows leadsRows) row(key string) *LeadsRow {
	if rows[key] == nil {
		rows[key] = &LeadsRow{Key: key}
	}
	return rows[key]
}

// addSum adds the leads of a sum, but not their money.
func (r *LeadsRow) addSum(s store.LeadSum) {
	for outcome, n := range s.Leads {
		r.add(outcome, n)
	}
}

// LeadsReport counts the leads of a range by day, month or service, in that order, and in all.
func LeadsReport(tx *store.Tx, r ReportRange, by string) (list []LeadsRow, all LeadsRow, err error) {
	read := tx.LeadCounts().Days
	if by == "service" {
		read = tx.LeadCounts().Services
	}
	sums, err := read(r.From, r.To)
	if err != nil {
		return nil, all, err
	}
	money, err := tx.LeadCounts().Money(r.From, r.To)
	if err != nil {
		return nil, all, err
	}
	found := leadsRows{}
	for _, s := range sums {
		key := s.Key
		if by == "month" {
			key = key[:7]
		}
		found.row(key).addSum(s)
		all.addSum(s)
	}
	for _, m := range money {
		key := map[string]string{"day": m.Period, "month": m.Period[:7], "service": string(m.Service)}[by]
		found.row(key).addMoney(m)
		all.addMoney(m)
	}
	for _, key := range slices.Sorted(maps.Keys(found)) {
		list = append(list, *found[key])
	}
	return list, all, nil
}

// BuyersRow is what became of the offers to a buyer.
type BuyersRow struct {
	Buyer    buyer.Buyer
	Counts   buyer.Counts
	Failed   int64     // messages that brought no decision
	Declines []Decline // the most frequent first
}

// add adds what became of the offers to another buyer.
func (r *BuyersRow) add(other BuyersRow) {
	r.Counts.Add(other.Counts)
	r.Failed += other.Failed
	for _, d := range other.Declines {
		i := slices.IndexFunc(r.Declines, func(known Decline) bool { return known.Code == d.Code })
		if i < 0 {
			i, r.Declines = len(r.Declines), append(r.Declines, Decline{Code: d.Code})
		}
		r.Declines[i].Times += d.Times
	}
	r.sort()
}

func (r *BuyersRow) sort() {
	slices.SortFunc(r.Declines, func(a, b Decline) int { return cmp.Or(cmp.Compare(b.Times, a.Times), strings.Compare(a.Code, b.Code)) })
}

// Decline is how often a buyer declined for a reason.
type Decline struct {
	Code  string
	Times int64
}

// BuyersReport lists what became of the offers of a range, by buyer, those that paid most first, and in all.
func BuyersReport(tx *store.Tx, r ReportRange) (list []BuyersRow, all BuyersRow, err error) {
	buyers, err := tx.Ledger().Buyers()
	if err != nil {
		return nil, all, err
	}
	buyers = withoutPractice(buyers)
	answers, err := tx.LeadCounts().Answers(r.From, r.To)
	if err != nil {
		return nil, all, err
	}
	offers, err := tx.CountsOf(idsOf(buyers), r.span())
	if err != nil {
		return nil, all, err
	}
	for _, b := range buyers {
		row := BuyersRow{Buyer: b, Counts: offers[b.ID]}
		for answer, n := range answers[b.ID] {
			if code, declined := strings.CutPrefix(answer, string(buyer.Declines)); declined {
				row.Declines = append(row.Declines, Decline{cmp.Or(strings.TrimSpace(code), string(buyer.CodeOther)), n})
			} else if answer != string(buyer.Accepts) {
				row.Failed += n
			}
		}
		row.sort()
		if row.Counts.Offered > 0 || len(answers[b.ID]) > 0 {
			list = append(list, row)
			all.add(row)
		}
	}
	slices.SortStableFunc(list, func(a, b BuyersRow) int {
		return cmp.Or(cmp.Compare(b.Counts.Charged-b.Counts.Credited, a.Counts.Charged-a.Counts.Credited), cmp.Compare(b.Counts.Delivered, a.Counts.Delivered))
	})
	return list, all, nil
}

// SpeedRow is how long the leads of a day or a month waited.
type SpeedRow struct {
	Key         string
	Offer, Sale Waits // until a buyer was first asked, and until one had the contact
}

// Waits are how long leads waited: half of them at most P50, all but a twentieth at most P95.
type Waits struct {
	Leads    int64
	P50, P95 time.Duration
}

// SpeedReport lists how long leads of a range waited, by day or month, and in all.
func SpeedReport(tx *store.Tx, r ReportRange, by string) (list []SpeedRow, all SpeedRow, err error) {
	type both struct{ offer, sale histogram }
	groups, total := make(map[string]*both), both{}
	group := func(period string) *both {
		if by == "month" {
			period = period[:7]
		}
		if groups[period] == nil {
			groups[period] = &both{}
		}
		return groups[period]
	}
	counts := tx.LeadCounts()
	if err := counts.OfferWaits(r.From, r.To, func(w store.LeadWait) { group(w.Period).offer.add(w); total.offer.add(w) }); err != nil {
		return nil, all, err
	}
	if err := counts.SaleWaits(r.From, r.To, func(w store.LeadWait) { group(w.Period).sale.add(w); total.sale.add(w) }); err != nil {
		return nil, all, err
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		list = append(list, SpeedRow{key, groups[key].offer.waits(), groups[key].sale.waits()})
	}
	return list, SpeedRow{"all", total.offer.waits(), total.sale.waits()}, nil
}

// histogram is how many leads waited how long, by bucket.
type histogram []int64

func (h *histogram) add(w store.LeadWait) {
	for len(*h) <= w.Bucket {
		*h = append(*h, 0)
	}
	(*h)[w.Bucket] += w.Leads
}

func (h histogram) waits() (p Waits) {
	for _, n := range h {
		p.Leads += n
	}
	below := int64(0)
	for bucket, n := range h {
		if n == 0 {
			continue
		}
		below += n
		if p.P50 == 0 && 2*below >= p.Leads {
			p.P50 = store.LongestWait(bucket)
		}
		if p.P95 == 0 && 20*below >= 19*p.Leads {
			p.P95 = store.LongestWait(bucket)
		}
	}
	return p
}

// ReturnsRow is what became of the leads that a buyer gave back for a reason.
type ReturnsRow struct {
	store.ReturnCount
	BuyerName string
}

// ReturnsReport counts the returns of a range, by buyer and code.
func ReturnsReport(tx *store.Tx, r ReportRange) (list []ReturnsRow, err error) {
	buyers, err := tx.Ledger().Buyers()
	if err != nil {
		return nil, err
	}
	terms := make(map[string]buyer.Terms)
	for _, b := range buyers {
		terms[b.ID] = b.Terms
	}
	counted, err := tx.LeadCounts().Returns(r.From, r.To)
	for _, c := range counted {
		if !terms[c.Buyer].Practice {
			list = append(list, ReturnsRow{c, terms[c.Buyer].Name})
		}
	}
	return list, err
}
