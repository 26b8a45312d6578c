package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

// HoursReport counts the leads of each hour of a day, such as 2026-11-05: 24 rows, with keys from 00 to 23.
func HoursReport(tx *store.Tx, day string) ([]LeadsRow, error) {
	counted, err := tx.LeadCounts().Hours(day)
	if err != nil {
		return nil, err
	}
	list := make([]LeadsRow, 24)
	for hour := range list {
		list[hour].Key = fmt.Sprintf("%02d", hour)
		for _, c := range counted {
			if strings.HasSuffix(c.Key, " "+list[hour].Key) {
				list[hour].addSum(c)
			}
		}
	}
	return list, nil
}

// OffersReport adds up what became of the offers of a range to all buyers.
func OffersReport(tx *store.Tx, r ReportRange) (all buyer.Counts, err error) {
	buyers, err := tx.Ledger().Buyers()
	if err != nil {
		return all, err
	}
	offers, err := tx.CountsOf(idsOf(withoutPractice(buyers)), r.span())
	for _, c := range offers {
		all.Add(c)
	}
	return all, err
}

// withoutPractice leaves out the practice buyer, also one that was removed: what it takes is no business.
func withoutPractice(buyers []buyer.Buyer) []buyer.Buyer {
	return slices.DeleteFunc(buyers, func(b buyer.Buyer) bool { return b.Terms.Practice })
}

func idsOf(buyers []buyer.Buyer) (ids []string) {
	for _, b := range buyers {
		ids = append(ids, b.ID)
	}
	return ids
}

// AnswersRow is how long a buyer took to answer the messages of a day: offers and contacts. Those without an answer are not among them.
type AnswersRow struct {
	Key      string
	Answered Waits
}

// AnswersReport lists how long a buyer took to answer on each day of a range on which it did.
func AnswersReport(tx *store.Tx, r ReportRange, id string) (list []AnswersRow, err error) {
	byDay := make(map[string]*histogram)
	err = tx.LeadCounts().AnswerWaits(id, r.From, r.To, func(w store.LeadWait) {
		if byDay[w.Period] == nil {
			byDay[w.Period] = &histogram{}
		}
		byDay[w.Period].add(w)
	})
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		list = append(list, AnswersRow{day, byDay[day].waits()})
	}
	return list, err
}
