package buyer_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// The coverage finds the same buyers as a filter over all of them, in the same order.
func TestCoverageMatchesFilter(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var buyers []buyer.Buyer
		for range rapid.IntRange(1, 3).Draw(r, "changes") {
			buyers = changeBuyers(r, slices.Clone(buyers))
			c := buyer.NewCoverage(buyers)
			for range 8 {
				service := rapid.SampledFrom(lead.Services).Draw(r, "service")
				zip := fmt.Sprintf("%05d", rapid.SampledFrom([]int{33139, 33100, 33199, 33200, 90210, 501, 0, 99999, rapid.IntRange(0, 99999).Draw(r, "any")}).Draw(r, "zip"))
				checkCoverage(r, c, filterBuyers(buyers, service, zip), service, zip)
			}
		}
	})
}

// checkCoverage checks that a coverage finds the wanted buyers.
func checkCoverage(r *rapid.T, c *buyer.Coverage, want []buyer.Buyer, service lead.Service, zip string) {
	var got, expected []string
	for p := range c.In(service, zip, "") {
		got = append(got, p.ID)
	}
	active := slices.DeleteFunc(slices.Clone(want), func(b buyer.Buyer) bool { return b.State != buyer.Active })
	for _, b := range want {
		expected = append(expected, b.ID)
	}
	if !slices.Equal(got, expected) {
		r.Fatalf("%s at %s: %v, want %v", service, zip, got, expected)
	}
	if covers := c.Covers(service, zip, ""); covers != (len(active) > 0) {
		r.Fatalf("%s at %s is covered: %v, by %v", service, zip, covers, active)
	}
	shown := c.PayoutShown(service, zip)
	if want := len(active) > 0 && active[0].Terms.PayoutShown && active[0].Terms.Payout != ""; (shown != nil) != want || want && *shown != active[0].Terms.Payout {
		r.Fatalf("%s at %s shows a payout: %v", service, zip, shown)
	}
}

// Who is asked first is the first active buyer of those that cover a ZIP code, and all others with its priority take turns with it.
func TestFirstAskedMatchesCoverage(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		buyers := changeBuyers(r, nil)
		c := buyer.NewCoverage(buyers)
		service := rapid.SampledFrom(lead.Services).Draw(r, "service")
		zip := rapid.SampledFrom([]string{"33139", "33100", "00501", "90210", "20001"}).Draw(r, "zip")
		for _, b := range buyers {
			want := 0
			for cand := range c.In(service, zip, "") {
				switch {
				case cand.ID == b.ID:
					want++
				case cand.State != buyer.Active:
				case cand.Terms.Priority < b.Terms.Priority:
					want -= len(buyers)
				case cand.Terms.Priority == b.Terms.Priority:
					want++
				}
			}
			if !c.Find(b.ID).Covers(service, zip) {
				want = 0
			}
			if got := c.FirstAsked(b.ID, service)(zip); got != max(want, 0) {
				r.Fatalf("%s takes turns with %d, want %d", b.ID, got, max(want, 0))
			}
		}
	})
}

// changeBuyers adds, changes or removes a few buyers.
func changeBuyers(r *rapid.T, buyers []buyer.Buyer) []buyer.Buyer {
	for range rapid.IntRange(0, 5).Draw(r, "new") {
		buyers = append(buyers, buyer.Buyer{ID: fmt.Sprintf("buyer_%02d", rapid.IntRange(0, 99).Draw(r, "id"))})
	}
	slices.SortFunc(buyers, func(a, b buyer.Buyer) int { return cmp.Compare(a.ID, b.ID) })
	buyers = slices.CompactFunc(buyers, func(a, b buyer.Buyer) bool { return a.ID == b.ID })
	for i := range buyers {
		if buyers[i].State == "" || rapid.Bool().Draw(r, "changed") {
			buyers[i].State = rapid.SampledFrom([]buyer.State{buyer.Active, buyer.Active, buyer.Paused, buyer.Off}).Draw(r, "state")
			buyers[i].Terms = someTerms(r)
		}
	}
	return slices.DeleteFunc(buyers, func(buyer.Buyer) bool { return rapid.IntRange(0, 9).Draw(r, "gone") == 9 })
}

func someTerms(r *rapid.T) buyer.Terms {
	patterns := rapid.SliceOfN(rapid.SampledFrom([]string{"33139", "331*", "33*", "3*", "9*", "00*", "00501", "90210", "0*", "1*", "2*", "*"}), 0, 3)
	return buyer.Terms{
		Services: rapid.SliceOfN(rapid.SampledFrom(lead.Services), 1, 4).Draw(r, "services"),
		Priority: rapid.IntRange(0, 2).Draw(r, "priority"),
		Area: buyer.Area{
			ZIPs: strings.Join(patterns.Draw(r, "zips"), ","), Excluded: strings.Join(patterns.Draw(r, "excluded"), ","),
			States: rapid.SliceOfN(rapid.SampledFrom([]string{"FL", "CA", "NY", "AA"}), 0, 2).Draw(r, "states"),
		},
		Payout: rapid.SampledFrom([]string{"", "$40"}).Draw(r, "payout"), PayoutShown: rapid.Bool().Draw(r, "shown"),
	}
}

// filterBuyers finds the buyers that cover a service at a ZIP code by checking every one.
func filterBuyers(buyers []buyer.Buyer, service lead.Service, zip string) []buyer.Buyer {
	matches := func(patterns string) bool {
		return slices.ContainsFunc(strings.Split(patterns, ","), func(pattern string) bool {
			start, open := strings.CutSuffix(pattern, "*")
			return pattern == zip || open && strings.HasPrefix(zip, start)
		})
	}
	var found []buyer.Buyer
	for _, b := range buyers {
		a := b.Terms.Area
		if slices.Contains(b.Terms.Services, service) && service != lead.Plumbing && (a.ZIPs == "" || matches(a.ZIPs)) && !matches(a.Excluded) &&
			(len(a.States) == 0 || slices.Contains(a.States, buyer.StateOf(zip))) {
			found = append(found, b)
		}
	}
	slices.SortFunc(found, func(a, b buyer.Buyer) int {
		return cmp.Or(cmp.Compare(a.Terms.Priority, b.Terms.Priority), cmp.Compare(a.ID, b.ID))
	})
	return found
}

// A nil coverage covers nothing.
func TestNoCoverage(t *testing.T) {
	for name, c := range map[string]*buyer.Coverage{"unknown": nil, "empty": buyer.NewCoverage(nil)} {
		if c.Covers(lead.HVAC, "33139", "") || c.PayoutShown(lead.HVAC, "33139") != nil || len(c.Services()) > 0 || c.Find("buyer_1") != nil || len(c.All()) > 0 {
			t.Errorf("%s: somebody covers something", name)
		}
	}
}

// Covered services are in the public order, without plumbing and without those of inactive buyers.
func TestCoveredServices(t *testing.T) {
	c := buyer.NewCoverage([]buyer.Buyer{
		{ID: "buyer_1", State: buyer.Active, Terms: buyer.Terms{Services: []lead.Service{lead.Handyman, lead.Plumbing, lead.DeepCleaning}}},
		{ID: "buyer_2", State: buyer.Paused, Terms: buyer.Terms{Services: []lead.Service{lead.HVAC}}},
	})
	if got := c.Services(); !slices.Equal(got, []lead.Service{lead.DeepCleaning, lead.Handyman}) {
		t.Errorf("%v are sold", got)
	}
}

// manyBuyers returns a thousand buyers of five thousand ZIP codes each.
func manyBuyers() []buyer.Buyer {
	chance := rand.New(rand.NewPCG(1, 2))
	buyers := make([]buyer.Buyer, 1000)
	for i := range buyers {
		zips := make([]string, 5000)
		for j, zip := range chance.Perm(100_000)[:len(zips)] {
			zips[j] = fmt.Sprintf("%05d", zip)
		}
		buyers[i] = buyer.Buyer{ID: fmt.Sprintf("buyer_%04d", i), State: buyer.Active, Terms: buyer.Terms{
			Services: lead.Services, Priority: chance.IntN(10), Area: buyer.Area{ZIPs: strings.Join(zips, ",")},
		}}
	}
	return buyers
}

// BenchmarkCoverage finds all buyers that cover a lead, of a thousand with five thousand ZIP codes each.
func BenchmarkCoverage(b *testing.B) {
	c, zips := buyer.NewCoverage(manyBuyers()), make([]string, 1024)
	for i := range zips {
		zips[i] = fmt.Sprintf("%05d", i*97)
	}
	found := 0
	for i := 0; b.Loop(); i++ {
		for range c.In(lead.HVAC, zips[i%len(zips)], "") {
			found++
		}
	}
	b.ReportMetric(float64(found)/float64(b.N), "buyers/op")
}

// BenchmarkNewCoverage computes the coverage, as at startup and when a buyer changed.
func BenchmarkNewCoverage(b *testing.B) {
	buyers := manyBuyers()
	for b.Loop() {
		buyer.NewCoverage(buyers)
	}
}
