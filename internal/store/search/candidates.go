package search

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/arrivals"
	"foyer/internal/store/db"
)

// candidates are leads that may match: a condition that selects them, or "" for none.
type candidates struct {
	where string
	down  int64 // all candidates with this number or a higher one are among them
}

// scan returns the next candidates below a number.
type scan func(below int64) (candidates, error)

// maxTail is how many rows that are not in the index yet may be read for one query.
const maxTail = 20_000

// choose returns a scan that usually has few candidates. It goes by what people look for, and only asks whether there were many attempts.
func (s *finder) choose() (scan, error) {
	f := s.filter
	switch {
	case len(f.Leads) > 0:
		return func(int64) (candidates, error) { return s.exactly(f.Leads), nil }, nil
	case len(f.Phones) > 0 && s.key != nil:
		return s.indexedLeads(termsOf(f.Phones, func(phone string) int64 { return phoneTerm(s.key, phone) })), nil
	case len(f.Emails) > 0 && s.key != nil:
		return s.indexedLeads(termsOf(f.Emails, func(email string) int64 { return emailTerm(s.key, email) })), nil
	case len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(status lead.Status) bool { return status != lead.Errored && status != lead.Received }):
		return s.byStatus(f.Statuses), nil // few leads are in error or on their way
	case len(f.ZIPs) > 0 && !strings.Contains(strings.Join(f.ZIPs, ""), "*"):
		return s.indexedLeads(termsOf(f.ZIPs, zipTerm)), nil
	case len(f.Sources) > 0 && !slices.Contains(f.Sources, ""): // leads without a source are many, and soon found
		return s.indexedLeads(termsOf(f.Sources, sourceTerm)), nil
	}
	if buyers := cmp.Or(len(f.Buyers), len(f.Offered)); buyers > 0 {
		if few, err := s.fewSince(s.lastAttempt); err != nil || few {
			return s.byBuyer(slices.Concat(f.Buyers, f.Offered)[:buyers]), err
		}
	}
	if f.Sold != (Span{}) {
		if from, err := s.bySale(); from != nil || err != nil {
			return from, err
		}
	}
	switch {
	case len(f.Statuses) > 0:
		return s.byStatus(f.Statuses), nil
	case f.Sold != (Span{}):
		return s.byStatus([]lead.Status{lead.Forwarded}), nil
	}
	return s.everyLead(s.low), nil
}

// fewSince reports whether there are few attempts after one.
func (s *finder) fewSince(seq int64) (bool, error) {
	last, _, err := db.One(s.conn, db.FirstInt, `SELECT COALESCE(MAX(seq), 0) FROM attempts`)
	return last-seq <= maxTail, err
}

// attemptSlack is how much later than it was begun an attempt may be stored, and how far clocks may be apart.
const attemptSlack = 5 * time.Minute

// bySale finds the leads that buyers were sent in a range of time, if that were few. Of many, any scan soon finds a page.
func (s *finder) bySale() (scan, error) {
	from, to := int64(0), int64(math.MaxInt64)
	var err error
	if t := s.filter.Sold.From; !t.IsZero() {
		from, err = arrivals.Attempts.FirstSince(s.conn, t.Add(-attemptSlack))
	}
	if t := s.filter.Sold.To; err == nil && !t.IsZero() {
		to, err = arrivals.Attempts.FirstSince(s.conn, t.Add(attemptSlack))
	}
	if err != nil {
		return nil, err
	}
	if few, err := s.fewSince(from); err != nil || !few && to-from > maxTail {
		return nil, err
	}
	return s.lists([]list{{`SELECT DISTINCT lead_seq + 0 AS found FROM attempts WHERE seq >= $4 AND seq < $5 AND lead_seq + 0 < $1 AND lead_seq + 0 >= $2 ORDER BY found DESC LIMIT $3`, []any{from, to}}}), nil
}

func termsOf(values []string, term func(string) int64) (terms []int64) {
	for _, v := range values {
		terms = append(terms, term(v))
	}
	return terms
}

// exactly are the leads with some numbers, those that the page may have.
func (s *finder) exactly(seqs []int64) candidates {
	seqs = slices.DeleteFunc(slices.Clone(seqs), func(seq int64) bool { return seq < s.low || seq >= s.high })
	if len(seqs) == 0 {
		return candidates{down: s.low}
	}
	return candidates{"seq IN (" + inList(seqs) + ")", s.low}
}

// How many leads are read at once, at first and at most: the time is looked at after each read.
const (
	firstWindow = 1_000
	maxWindow   = 16_000
)

// everyLead reads one lead after another, down to a number.
func (s *finder) everyLead(down int64) scan {
	return func(below int64) (candidates, error) {
		s.window = min(max(2*s.window, firstWindow), maxWindow)
		from := max(down, below-s.window)
		return candidates{fmt.Sprintf("seq >= %d AND seq < %d", from, below), from}, nil
	}
}

// indexedLeads finds leads by terms of the index. Those that are too new for it are read one by one.
func (s *finder) indexedLeads(terms []int64) scan {
	tail := s.everyLead(max(s.low, s.lastLead+1))
	older := s.lists(s.termLists(terms))
	return func(below int64) (candidates, error) {
		if below > s.lastLead+1 {
			return tail(below)
		}
		return older(below)
	}
}

// byBuyer finds the leads that buyers were asked about. In its query, and in that of bySale, lead_seq + 0 keeps an engine from reading all
// attempts in the order of their leads.
func (s *finder) byBuyer(ids []string) scan {
	lists := s.termLists(termsOf(ids, buyerTerm))
	for _, id := range ids {
		lists = append(lists, list{`SELECT DISTINCT a.lead_seq + 0 AS found FROM attempts a JOIN offers o ON o.id = a.offer_id
			WHERE a.seq > $4 AND o.buyer_id = $5 AND a.lead_seq + 0 < $1 AND a.lead_seq + 0 >= $2 ORDER BY found DESC LIMIT $3`, []any{s.lastAttempt, id}})
	}
	return s.lists(lists)
}

// ListedStatuses are the statuses that have an index of their leads, in order.
var ListedStatuses = []lead.Status{lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Errored}

// byStatus finds leads by the indexes of their status. A lead has a delivery exactly while it is received: an index of received leads
// would cost the intake one more page.
func (s *finder) byStatus(statuses []lead.Status) scan {
	var lists []list
	for _, status := range statuses {
		switch {
		case status == lead.Received:
			for _, table := range []string{"deliveries", "new_leads"} {
				lists = append(lists, list{`SELECT lead_seq FROM ` + table + ` WHERE lead_seq < $1 AND lead_seq >= $2 ORDER BY lead_seq DESC LIMIT $3`, nil})
			}
		case slices.Contains(ListedStatuses, status): // a literal: with a parameter the engine would not see which index to use
			lists = append(lists, list{`SELECT seq FROM leads WHERE status = '` + string(status) + `' AND seq < $1 AND seq >= $2 ORDER BY seq DESC LIMIT $3`, nil})
		}
	}
	return s.lists(lists)
}

// list is a query for the next numbers of leads below one, in descending order.
type list struct {
	query string
	args  []any
}

func (s *finder) termLists(terms []int64) (lists []list) {
	for _, term := range terms {
		lists = append(lists, list{`SELECT lead_seq FROM search_index WHERE hash = $4 AND lead_seq < $1 AND lead_seq >= $2 ORDER BY lead_seq DESC LIMIT $3`, []any{term}})
	}
	return lists
}

// minList is how many numbers are read of a list at once, at least. At most it is maxRead.
const minList = 200

// lists merges lists. A list that is cut off says how far down the others count.
func (s *finder) lists(lists []list) scan {
	return func(below int64) (candidates, error) {
		limit, down := min(max(s.page.Limit+1, minList), maxRead), s.low
		var all []int64
		for _, l := range lists {
			n, last := 0, int64(0)
			if err := s.conn.Query(l.query, append([]any{below, s.low, int64(limit)}, l.args...), func(r db.Row) error {
				n, last = n+1, r.Int(0)
				all = append(all, last)
				return nil
			}); err != nil {
				return candidates{}, err
			}
			if n == limit {
				down = max(down, last)
			}
		}
		all = slices.DeleteFunc(all, func(seq int64) bool { return seq < down })
		slices.SortFunc(all, func(a, b int64) int { return cmp.Compare(b, a) })
		if all = slices.Compact(all); len(all) == 0 {
			return candidates{down: down}, nil
		}
		return candidates{"seq IN (" + inList(all) + ")", down}, nil
	}
}
