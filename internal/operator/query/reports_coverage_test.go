package query_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/operator/query"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestSomeZIPs wants the first ZIP codes of a report to be the same whether all are read or only those that are shown.
func TestSomeZIPs(t *testing.T) {
	o := newTestStore(t)
	for i := range 60 {
		o.save(fmt.Sprintf("lead_%d", i), func(l *lead.Lead) {
			l.Status, l.Request.ZIP, l.CreatedAt = lead.Collected, fmt.Sprintf("75%03d", 1+i*i%17), o.now
			l.Request.Service = []lead.Service{lead.HVAC, lead.Handyman}[i%2]
			if i%5 == 0 {
				l.Status = lead.Rejected
			}
		})
	}
	storetest.CountLeads(t, o.store, "UTC")
	for _, services := range [][]lead.Service{nil, {lead.HVAC}, {lead.HVAC, lead.Handyman}} {
		for limit := 1; limit < 20; limit++ {
			err := o.store.View(t.Context(), func(tx *store.Tx) error {
				r, err := query.NewReportRange(tx, "2026-11", "2026-11", o.now)
				if err != nil {
					return err
				}
				f := query.CoverageFilter{By: "zip", States: []string{"TX", "FL"}, Services: services, Sort: []string{"uncovered", "demand", "revenue"}[limit%3]}
				all, sum, err := query.CoverageReport(tx, r, f)
				if err != nil {
					return err
				}
				f.Limit = limit
				some, sameSum, err := query.CoverageReport(tx, r, f)
				if diff := cmp.Diff(all[:min(limit, len(all))], some); diff != "" || !cmp.Equal(sum, sameSum) || len(all) < 5 {
					t.Errorf("%d of %d, sum %+v and %+v:\n%s", limit, len(all), sum, sameSum, diff)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}
