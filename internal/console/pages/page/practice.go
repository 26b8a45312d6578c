package page

import "foyer/internal/operator/query"

// PracticeBuyer finds the buyer for practice.
func PracticeBuyer(buyers []query.Summary) (query.Summary, bool) {
	for _, b := range buyers {
		if b.Terms.Practice {
			return b, true
		}
	}
	return query.Summary{}, false
}

// TellPractice tells readers of a report that practice is not counted, if there is any.
func (v *Visit) TellPractice(shown *View) error {
	buyers, err := v.Operator.List(v.Ctx)
	if b, found := PracticeBuyer(buyers); found && b.Use[len(b.Use)-1].Delivered > 0 {
		shown.Lede = "Leads that the practice buyer took are not counted."
	}
	return err
}

// TestLeadForm sends a made-up lead.
func (v *Visit) TestLeadForm() Form {
	return v.FormFor("/practice/lead", Form{Submit: "Send a test lead"}, nil)
}
