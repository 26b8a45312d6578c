package pages

import (
	"foyer/internal/operator/query"
)

// practiceBuyer finds the buyer for practice.
func practiceBuyer(buyers []query.Summary) (query.Summary, bool) {
	for _, b := range buyers {
		if b.Terms.Practice {
			return b, true
		}
	}
	return query.Summary{}, false
}

// tellPractice tells readers of a report that practice is counted, too.
func (v *visit) tellPractice(shown *view) error {
	buyers, err := v.Operator.List(v.ctx)
	if b, found := practiceBuyer(buyers); found && b.Use[len(b.Use)-1].Delivered > 0 {
		shown.Lede = "Leads that the practice buyer took are counted, too."
	}
	return err
}

func (v *visit) testLeadForm() form {
	return v.formFor("/practice/lead", form{Submit: "Send a test lead"}, nil)
}
