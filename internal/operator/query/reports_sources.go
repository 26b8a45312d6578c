package query

import (
	"cmp"
	"slices"
	"strings"

	"foyer/internal/source"
	"foyer/internal/store"
)

// SourcesReport counts the leads of a range by their sources, and in all: those with the most leads first. Leads without a source are
// direct.
func SourcesReport(tx *store.Tx, r ReportRange) (list []LeadsRow, all LeadsRow, err error) {
	if all, err = allLeads(tx, r); err != nil {
		return nil, all, err
	}
	counted, err := tx.LeadCounts().Sources(r.From, r.To)
	if err != nil {
		return nil, all, err
	}
	money, err := tx.LeadCounts().SourceMoney(r.From, r.To)
	if err != nil {
		return nil, all, err
	}
	sources, err := tx.Sources().List()
	if err != nil {
		return nil, all, err
	}
	found := leadsRows{}
	direct := found.row("")
	direct.Name = source.Direct
	for _, s := range sources {
		found.row(s.Key).Name = s.Terms.Name
	}
	for o, n := range all.Outcomes {
		direct.add(o, n)
	}
	for _, c := range counted {
		found.row(c.Name).add(c.Outcome, c.Leads)
		direct.add(c.Outcome, -c.Leads)
	}
	direct.addMoney(store.LeadMoney{Cost: all.Cost, Revenue: all.Revenue})
	for _, m := range money {
		found.row(m.Source).addMoney(m)
		direct.addMoney(store.LeadMoney{Cost: -m.Cost, Revenue: -m.Revenue})
	}
	paid, err := tx.LeadCounts().Paid(r.From, r.To)
	for key, n := range paid {
		found.row(key).Paid = n
		all.Paid += n
	}
	return byLeads(found), all, err
}

// allLeads counts the leads of a range in all.
func allLeads(tx *store.Tx, r ReportRange) (all LeadsRow, err error) {
	days, err := tx.LeadCounts().Days(r.From, r.To)
	if err != nil {
		return all, err
	}
	for _, day := range days {
		all.addSum(day)
	}
	money, err := tx.LeadCounts().TotalMoney(r.From, r.To)
	for _, m := range money {
		all.addMoney(m)
	}
	return all, err
}

// CampaignsReport counts the leads of a range by the campaigns that the addresses of pages named: those with the most leads first. What
// they cost and brought in is not counted.
func CampaignsReport(tx *store.Tx, r ReportRange) (list []LeadsRow, err error) {
	counted, err := tx.LeadCounts().Campaigns(r.From, r.To)
	found := leadsRows{}
	for _, c := range counted {
		found.row(c.Name).add(c.Outcome, c.Leads)
	}
	return byLeads(found), err
}

// byLeads lists rows with leads or money, those with the most leads first.
func byLeads(found leadsRows) (list []LeadsRow) {
	for _, row := range found {
		if row.Received != 0 || row.Cost != 0 || row.Revenue != 0 {
			list = append(list, *row)
		}
	}
	slices.SortFunc(list, func(a, b LeadsRow) int {
		return cmp.Or(cmp.Compare(b.Received, a.Received), strings.Compare(a.Key, b.Key))
	})
	return list
}
