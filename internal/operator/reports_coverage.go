package operator

import (
	"cmp"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// CoverageFilter says which leads a report of coverage is about: all, if a list is empty.
type CoverageFilter struct {
	By       string // state or zip
	Services []lead.Service
	States   []string
	Limit    int // how many places: those with the most uncovered leads; 0 for all
}

// NewCoverageFilter reads a filter for CoverageReport: by is state or zip; service and state are lists, or empty.
func NewCoverageFilter(by, service, state string) (f CoverageFilter, err error) {
	f.By = by
	if f.Services, err = choose(splitList(service), lead.Services); err != nil {
		return f, lead.InvalidField("service", "service: "+err.Error()+".")
	}
	if f.States, err = parseEach(splitList(state), parseState, noState); err != nil {
		return f, lead.InvalidField("state", "state: "+err.Error()+".")
	}
	if by == "zip" && len(f.States) == 0 {
		return f, lead.InvalidField("state", "state: ZIP codes are listed for a state: write one such as GA, or several.")
	}
	return f, nil
}

// matches reports whether a place and a service are those of the filter.
func (f CoverageFilter) matches(state string, service lead.Service) bool {
	return (len(f.States) == 0 || slices.Contains(f.States, state)) && (len(f.Services) == 0 || service == "" || slices.Contains(f.Services, service))
}

// CoverageReport counts the leads of whole months by place, and in all: first those with the most leads that nobody covers.
func CoverageReport(tx *store.Tx, r ReportRange, f CoverageFilter) (list []LeadsRow, all LeadsRow, err error) {
	from, to, err := r.months()
	if err != nil {
		return nil, all, err
	}
	counted, err := tx.LeadCounts().States(from, to, f.States)
	if err != nil {
		return nil, all, err
	}
	found := leadsRows{}
	for _, c := range counted {
		if f.matches(c.Place, c.Service) {
			found.row(c.Place).add(c.Outcome, c.Leads)
			all.add(c.Outcome, c.Leads)
		}
	}
	if f.By == "zip" {
		if found, err = f.zips(tx, from, to); err != nil {
			return nil, all, err
		}
	}
	for _, row := range found {
		list = append(list, *row)
	}
	slices.SortFunc(list, func(a, b LeadsRow) int {
		return cmp.Or(cmp.Compare(b.Outcomes[buyer.OutcomeUncovered], a.Outcomes[buyer.OutcomeUncovered]), cmp.Compare(b.Held(), a.Held()), cmp.Compare(b.Received, a.Received), strings.Compare(a.Key, b.Key))
	})
	if f.Limit > 0 {
		list = list[:min(len(list), f.Limit)]
	}
	return list, all, nil
}

// zips counts the leads of ZIP codes. If some are enough, it finds those with the most uncovered leads first, and then reads the rest about
// them: a large state has thousands, and most of their rows are never looked at.
func (f CoverageFilter) zips(tx *store.Tx, from, to string) (leadsRows, error) {
	var ranges [][2]string
	for _, state := range f.States {
		ranges = append(ranges, buyer.ZIPRanges(state)...)
	}
	if f.Limit > 0 {
		uncovered, err := f.readZIPs(tx, from, to, ranges, buyer.OutcomeUncovered)
		if err != nil {
			return nil, err
		}
		ranges = uncovered.most(f.Limit, ranges)
	}
	return f.readZIPs(tx, from, to, ranges)
}

// most returns the ranges of the rows with the most uncovered leads, one by one: n of them, and as many more as have just as many. With
// fewer rows it returns all ranges, because other rows follow those; and if many have just as many, because reading them one by one would
// take longer.
func (rows leadsRows) most(n int, all [][2]string) (ranges [][2]string) {
	if len(rows) < n {
		return all
	}
	counts := make([]int64, 0, len(rows))
	for _, row := range rows {
		counts = append(counts, row.Received)
	}
	slices.Sort(counts)
	for zip, row := range rows {
		if row.Received >= counts[len(counts)-n] {
			ranges = append(ranges, [2]string{zip, zip + "\x01"})
		}
	}
	if len(ranges) > 2*n+100 {
		return all
	}
	return ranges
}

func (f CoverageFilter) readZIPs(tx *store.Tx, from, to string, ranges [][2]string, outcomes ...buyer.Outcome) (leadsRows, error) {
	found := leadsRows{}
	for _, zips := range ranges {
		counted, err := tx.LeadCounts().ZIPs(store.ZIPQuery{From: from, To: to, First: zips[0], End: zips[1], Services: f.Services, Outcomes: outcomes})
		if err != nil {
			return nil, err
		}
		for _, c := range counted {
			if f.matches(buyer.StateOf(c.Place), "") {
				found.row(c.Place).add(c.Outcome, c.Leads)
			}
		}
	}
	return found, nil
}
