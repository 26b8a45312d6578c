package buyer_test

import (
	"slices"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	madeUp = "+13055550123"
	normal = "+13055550200" // outside of the range that is reserved for fiction
)

// TestPracticeCoversNobody asks everything that coverage can be asked, with a practice buyer alone and beside others. For anybody's
// number the answers are those without it.
func TestPracticeCoversNobody(t *testing.T) {
	practice := buyer.Buyer{ID: "buyer_p", State: buyer.Active, Terms: buyer.Terms{
		Practice: true, URL: buyer.PracticeURL, Services: lead.Services, Priority: 1000, Payout: "$40", PayoutShown: true,
	}}
	usual := buyer.Buyer{ID: "buyer_1", State: buyer.Active, Terms: buyer.Terms{Services: []lead.Service{lead.HVAC}, Area: buyer.Area{ZIPs: "331*"}, Priority: 10}}
	inState := func(b buyer.Buyer, s buyer.State) buyer.Buyer { b.State = s; return b }
	for name, c := range map[string]struct {
		buyers   []buyer.Buyer
		madeUp   []string // who covers a made-up number, in order
		practice bool     // whether the lead of one would go to a practice buyer
	}{
		"practice alone":                      {[]buyer.Buyer{practice}, []string{"buyer_p"}, true},
		"practice alone, paused":              {[]buyer.Buyer{inState(practice, buyer.Paused)}, []string{"buyer_p"}, false},
		"practice and another":                {[]buyer.Buyer{practice, usual}, []string{"buyer_1", "buyer_p"}, false},
		"practice and another that is paused": {[]buyer.Buyer{practice, inState(usual, buyer.Paused)}, []string{"buyer_1", "buyer_p"}, true},
	} {
		with := buyer.NewCoverage(c.buyers)
		without := buyer.NewCoverage(slices.DeleteFunc(slices.Clone(c.buyers), func(b buyer.Buyer) bool { return b.Terms.Practice }))
		if got := in(with, madeUp); !slices.Equal(got, c.madeUp) || with.CoversPractice(lead.HVAC, "33139", madeUp) != c.practice || with.CoversPractice(lead.HVAC, "33139", normal) {
			t.Errorf("%s: a made-up number is covered by %v, want %v", name, got, c.madeUp)
		}
		for _, phone := range []string{normal, ""} {
			if got, want := in(with, phone), in(without, phone); !slices.Equal(got, want) || with.Covers(lead.HVAC, "33139", phone) != without.Covers(lead.HVAC, "33139", phone) {
				t.Errorf("%s: %q is covered by %v, want %v", name, phone, got, want)
			}
		}
		if got, want := with.Services(), without.Services(); !slices.Equal(got, want) {
			t.Errorf("%s: the public is told that %v are covered, want %v", name, got, want)
		}
		if with.PayoutShown(lead.HVAC, "33139") != nil || with.CoversPaused(lead.HVAC, "33139") != without.CoversPaused(lead.HVAC, "33139") {
			t.Errorf("%s: it counts", name)
		}
	}
}

func in(c *buyer.Coverage, phone string) (ids []string) {
	for cand := range c.In(lead.HVAC, "33139", phone) {
		ids = append(ids, cand.ID)
	}
	return ids
}
