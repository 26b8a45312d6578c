package operator

import (
	"cmp"
	"maps"
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
	revenue, err := tx.LeadCounts().StateRevenue(from, to, f.Services)
	if err != nil {
		return nil, all, err
	}
	for state, row := range found {
		row.Revenue = revenue[state]
		all.Revenue += row.Revenue
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
	if f.By == "zip" {
		err = f.addZIPRevenue(tx, from, to, list)
	}
	return list, all, err
}

// zips counts the leads of ZIP codes. If some are enough, it finds those with the most uncovered leads first, and then reads the rest about
// them: a large state has thousands, and most of their rows are never looked at.
func (f CoverageFilter) zips(tx *store.Tx, from, to string) (leadsRows, error) {
	q := store.ZIPQuery{From: from, To: to, Services: f.Services}
	if f.Limit == 0 {
		return f.zipsOfStates(tx, q, leadsRows{})
	}
	q.Outcomes = []buyer.Outcome{buyer.OutcomeUncovered}
	found, err := f.zipsOfStates(tx, q, leadsRows{})
	if err != nil {
		return nil, err
	}
	q.Outcomes = slices.DeleteFunc(slices.Clone(buyer.Outcomes), func(o buyer.Outcome) bool { return o == buyer.OutcomeUncovered })
	if q.ZIPs = found.most(f.Limit); q.ZIPs == nil {
		return f.zipsOfStates(tx, q, found)
	}
	maps.DeleteFunc(found, func(zip string, _ *LeadsRow) bool { return !slices.Contains(q.ZIPs, zip) })
	return found, found.addZIPs(tx, q, nil)
}

// maxZIPs bounds the list of a query.
const maxZIPs = 400

// most returns the ZIP codes with the most uncovered leads: n of them, and as many more as have just as many. It returns none if there are
// fewer than n, because others follow them, and if it would be too many.
func (rows leadsRows) most(n int) (zips []string) {
	if len(rows) < n {
		return nil
	}
	counts := make([]int64, 0, len(rows))
	for _, row := range rows {
		counts = append(counts, row.Received)
	}
	slices.Sort(counts)
	for zip, row := range rows {
		if row.Received >= counts[len(counts)-n] {
			zips = append(zips, zip)
		}
	}
	if len(zips) > maxZIPs {
		return nil
	}
	slices.Sort(zips)
	return zips
}

// zipsOfStates adds the leads of all ZIP codes of the states to rows. A range of ZIP codes may also have those of a neighbor.
func (f CoverageFilter) zipsOfStates(tx *store.Tx, q store.ZIPQuery, rows leadsRows) (leadsRows, error) {
	for _, state := range f.States {
		for _, r := range buyer.ZIPRanges(state) {
			q.First, q.End = r[0], r[1]
			if err := rows.addZIPs(tx, q, f.States); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// addZIPRevenue adds to a list of ZIP codes what their leads brought in.
func (f CoverageFilter) addZIPRevenue(tx *store.Tx, from, to string, list []LeadsRow) error {
	q := store.ZIPQuery{From: from, To: to, Services: f.Services}
	add := func() error {
		revenue, err := tx.LeadCounts().ZIPRevenue(q)
		for i := range list {
			list[i].Revenue += revenue[list[i].Key]
		}
		return err
	}
	if len(list) <= maxZIPs {
		for _, row := range list {
			q.ZIPs = append(q.ZIPs, row.Key)
		}
		return add()
	}
	for _, state := range f.States {
		for _, r := range buyer.ZIPRanges(state) {
			q.First, q.End = r[0], r[1]
			if err := add(); err != nil {
				return err
			}
		}
	}
	return nil
}

// addZIPs adds the leads that a query counts, in some states, or in all if there are none.
func (rows leadsRows) addZIPs(tx *store.Tx, q store.ZIPQuery, states []string) error {
	counted, err := tx.LeadCounts().ZIPs(q)
	for _, c := range counted {
		if len(states) == 0 || slices.Contains(states, buyer.StateOf(c.Place)) {
			rows.row(c.Place).add(c.Outcome, c.Leads)
		}
	}
	return err
}
