package query

import (
	"cmp"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// CoverageFilter says which leads a report of coverage is about: all, if a list is empty.
type CoverageFilter struct {
	By       string // state or zip
	Services []lead.Service
	States   []string
	Sort     string // which places come first: those with the most demand, revenue, or else uncovered leads
	Limit    int    // how many places; 0 for all
}

// NewCoverageFilter reads a filter for CoverageReport: by is state or zip; service and state are lists, or empty.
func NewCoverageFilter(by, service, state string) (f CoverageFilter, err error) {
	f.By = by
	if f.Services, err = choose(entered.SplitList(service), lead.Services); err != nil {
		return f, lead.InvalidField("service", "service: "+err.Error()+".")
	}
	if f.States, err = parseEach(entered.SplitList(state), entered.ParseState, noState); err != nil {
		return f, lead.InvalidField("state", "state: "+err.Error()+".")
	}
	if by == "zip" && len(f.States) == 0 {
		return f, lead.InvalidField("state", "state: ZIP codes are listed for a state: write one such as GA, or several.")
	}
	return f, nil
}

// CoverageReport counts the leads of whole months by place, and in all.
func CoverageReport(tx *store.Tx, r ReportRange, f CoverageFilter) (list []LeadsRow, all LeadsRow, err error) {
	q := store.PlaceQuery{Grain: "state", Services: f.Services, Places: f.States}
	if q.From, q.To, err = r.months(); err != nil {
		return nil, all, err
	}
	if list, err = readPlaces(tx, q); err != nil {
		return nil, all, err
	}
	for _, row := range list {
		for outcome, n := range row.Outcomes {
			all.add(outcome, n)
		}
		all.Revenue += row.Revenue
	}
	if f.By == "zip" {
		if list, err = f.readZIPs(tx, q); err != nil {
			return nil, all, err
		}
	}
	slices.SortFunc(list, func(a, b LeadsRow) int { return f.compare(a.rank(), b.rank()) })
	if f.Limit > 0 {
		list = list[:min(len(list), f.Limit)]
	}
	return list, all, nil
}

// compare orders places.
func (f CoverageFilter) compare(a, b store.PlaceRank) (order int) {
	switch f.Sort {
	case "demand":
		order = cmp.Compare(b.Demand, a.Demand)
	case "revenue":
		order = cmp.Compare(b.Revenue, a.Revenue)
	}
	return cmp.Or(order, cmp.Compare(b.Uncovered, a.Uncovered), cmp.Compare(b.Demand, a.Demand), strings.Compare(a.Place, b.Place))
}

func (r LeadsRow) rank() store.PlaceRank {
	return store.PlaceRank{Place: r.Key, Uncovered: r.Outcomes[buyer.OutcomeUncovered], Demand: r.Demand(), Revenue: r.Revenue}
}

// maxZIPs bounds the list of a query.
const maxZIPs = 400

// readZIPs reads the ZIP codes of the states: those that come first, if some are enough.
func (f CoverageFilter) readZIPs(tx *store.Tx, q store.PlaceQuery) (list []LeadsRow, err error) {
	var ranks []store.PlaceRank
	q.Grain, q.Places = "zip", nil
	for _, state := range f.States {
		for _, r := range buyer.ZIPRanges(state) {
			q.First, q.End = r[0], r[1]
			found, err := tx.LeadCounts().RankPlaces(q)
			if err != nil {
				return nil, err
			}
			for _, p := range found {
				if buyer.StateOf(p.Place) == state { // a range may also have those of a neighbor
					ranks = append(ranks, p)
				}
			}
		}
	}
	if slices.SortFunc(ranks, f.compare); f.Limit > 0 {
		ranks = ranks[:min(len(ranks), f.Limit)]
	}
	q.First, q.End = "", ""
	for some := range slices.Chunk(ranks, maxZIPs) {
		q.Places = nil
		for _, p := range some {
			q.Places = append(q.Places, p.Place)
		}
		read, err := readPlaces(tx, q)
		if err != nil {
			return nil, err
		}
		list = append(list, read...)
	}
	return list, nil
}

func readPlaces(tx *store.Tx, q store.PlaceQuery) (list []LeadsRow, err error) {
	found, err := tx.LeadCounts().Places(q)
	for _, p := range found {
		row := LeadsRow{Key: p.Key, Revenue: p.Revenue}
		row.addSum(p)
		list = append(list, row)
	}
	return list, err
}
