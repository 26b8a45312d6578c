// Package search finds leads. A filter that an index serves is answered from there: the index of this package, which a job fills, or
// those of the tables. Any other combination reads leads backwards, the newest first, until the caller's time is over.
//
// It reads what it is asked for and decides nothing. It adds no index that the intake would have to write.
package search

import (
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/arrivals"
	"foyer/internal/store/db"
	"foyer/internal/store/follow"
	"foyer/internal/store/rows"
)

// Filter says which leads to find. A field that is empty matches every lead; of several values in a field, one has to match.
type Filter struct {
	Leads    []int64 // numbers of leads
	Phones   []string
	Emails   []string
	Name     string // a part of the name, in any case
	Statuses []lead.Status
	Services []lead.Service
	ZIPs     []string // codes, or the beginnings of codes followed by *
	InState  func(zip string) bool
	Marks    []lead.Mark
	Sources  []string        // keys of sources; "" for leads without one
	Buyers   []string        // that accepted the lead
	Offered  []string        // that were asked about it
	Outcomes []buyer.Outcome // as reports count it
	Received Span
	Sold     Span // when a buyer acknowledged the contact
}

// Span is a range of time. A zero time does not bound it.
type Span struct{ From, To time.Time } // To is not part of it

// Page says which part of the leads to return, by keyset pagination: leads below a number, not after an offset.
type Page struct {
	Before int64 // the Next of the page before; 0 for the first page
	Limit  int
	Ended  func() bool // whether the time for searching is over; nil for never
}

// Found is a lead, with the buyer that has it, if there is one.
type Found struct {
	lead.Lead
	Buyer  string
	Offer  buyer.OfferState // of the offer to the buyer
	Price  buyer.Cents
	SoldAt time.Time
	Cost   buyer.Cents // what its source is paid for it
}

// Result is a page of leads, newest first.
type Result struct {
	Leads []Found
	Next  int64 // where the next page begins; 0 if there is none
	// SearchedTo is the time back to which leads were searched, if the time was over before the page was full.
	SearchedTo time.Time
	Filling    bool // many leads are not in the index yet, so that searches for persons and ZIP codes take longer
}

// Find finds leads. key is that of the index, or nil if it is missing: then persons are looked for one by one.
func Find(c db.Conn, f Filter, key []byte, p Page) (Result, error) {
	matches, res, err := Numbers(c, f, key, p)
	if err == nil {
		res.Leads, err = load(c, matches)
	}
	return res, err
}

// Numbers is Find for the numbers of the leads. It does not read the leads, so it also finds one that cannot be read.
func Numbers(c db.Conn, f Filter, key []byte, p Page) (matches []int64, res Result, err error) {
	s := finder{conn: c, filter: f, key: key, page: p}
	indexed, err := follow.ReadProgress(c, leadsFollower, attemptsFollower)
	if err != nil {
		return nil, res, err
	}
	s.lastLead, s.lastAttempt = indexed[leadsFollower], indexed[attemptsFollower]
	if err := s.bound(); err != nil {
		return nil, res, err
	}
	res.Filling = s.newest-s.lastLead > maxTail
	from, err := s.choose()
	if err != nil {
		return nil, res, err
	}
	at := s.high
	for at > s.low && len(matches) <= p.Limit {
		if p.Ended != nil && at < s.high && p.Ended() {
			if res.SearchedTo, err = s.timeOf(at); err != nil {
				return nil, res, err
			}
			res.Next = at
			break
		}
		some, err := from(at)
		if err != nil {
			return nil, res, err
		}
		if matches, err = s.match(matches, some); err != nil {
			return nil, res, err
		}
		at = some.down
	}
	if len(matches) > p.Limit {
		matches = matches[:p.Limit]
		res.Next, res.SearchedTo = matches[p.Limit-1], time.Time{}
	}
	return matches, res, nil
}

// finder looks for leads with numbers from low up to high, without high, backwards.
type finder struct {
	conn      db.Conn
	filter    Filter
	key       []byte
	page      Page
	newest    int64 // number of the newest lead
	low, high int64
	window    int64

	lastLead, lastAttempt int64 // numbers of the last rows that are in the index
}

// clockSlack is how far the clocks of processes may be apart: a lead may have a number that is too high or too low for its time.
const clockSlack = time.Minute

// bound narrows the numbers by the page and by when leads were received.
func (s *finder) bound() error {
	var err error
	if s.newest, _, err = db.One(s.conn, db.FirstInt, `SELECT COALESCE(MAX(seq), 0) FROM leads`); err != nil {
		return err
	}
	s.low, s.high = 1, s.newest+1
	from, to := s.filter.Received.From, s.filter.Received.To
	if to.IsZero() {
		to = s.filter.Sold.To // nothing is sold before it is received
	}
	if !from.IsZero() {
		if s.low, err = arrivals.Leads.FirstSince(s.conn, from.Add(-clockSlack)); err != nil {
			return err
		}
	}
	if !to.IsZero() {
		if s.high, err = arrivals.Leads.FirstSince(s.conn, to.Add(clockSlack)); err != nil {
			return err
		}
	}
	if s.page.Before > 0 {
		s.high = min(s.high, s.page.Before)
	}
	s.low = max(s.low, 1)
	return nil
}

// timeOf returns when the first lead was received whose number is at least seq.
func (s *finder) timeOf(seq int64) (time.Time, error) {
	t, _, err := db.One(s.conn, func(r db.Row) (time.Time, error) { return rows.Time(r.Int(0)), nil },
		`SELECT created_at FROM leads WHERE seq >= $1 ORDER BY seq LIMIT 1`, seq)
	return t, err
}

// maxRead is how many leads one query names.
const maxRead = 500

// load reads leads by their numbers, newest first, with the buyers that have them.
func load(c db.Conn, seqs []int64) (list []Found, err error) {
	for some := range slices.Chunk(seqs, maxRead) {
		if list, err = appendLeads(list, c, some); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func appendLeads(list []Found, c db.Conn, seqs []int64) ([]Found, error) {
	index, in := make(map[int64]int), inList(seqs)
	err := c.Query(`SELECT seq, `+rows.LeadColumns+` FROM leads WHERE seq IN (`+in+`) ORDER BY seq DESC`, nil, func(r db.Row) error {
		l, err := rows.Lead(r[1:])
		index[r.Int(0)] = len(list)
		list = append(list, Found{Lead: l})
		return err
	})
	if err != nil {
		return nil, err
	}
	err = c.Query(`SELECT lead_seq, buyer_id, price_cents, state FROM offers WHERE lead_seq IN (`+in+`) AND state IN (`+db.Quoted(accepted...)+`) ORDER BY at`, nil, func(r db.Row) error {
		l := &list[index[r.Int(0)]]
		l.Buyer, l.Price, l.Offer = r.Text(1), buyer.Cents(r.Int(2)), buyer.OfferState(r.Text(3))
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.Query(`SELECT lead_seq, cost_cents FROM lead_outcomes WHERE lead_seq IN (`+in+`) AND cost_cents > 0`, nil, func(r db.Row) error {
		list[index[r.Int(0)]].Cost = buyer.Cents(r.Int(1))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return list, c.Query(`SELECT lead_seq, MIN(at) FROM history WHERE lead_seq IN (`+in+`) AND status = 'forwarded' GROUP BY lead_seq`, nil, func(r db.Row) error {
		list[index[r.Int(0)]].SoldAt = rows.Time(r.Int(1))
		return nil
	})
}

// accepted are the states of an offer whose buyer has the lead, or may have it.
var accepted = slices.DeleteFunc(slices.Clone(buyer.OfferStates), func(s buyer.OfferState) bool { return !s.WasAccepted() })
