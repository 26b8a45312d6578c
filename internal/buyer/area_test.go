package buyer_test

import (
	"fmt"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// newCandidate returns a buyer of HVAC leads with some terms.
func newCandidate(change func(*buyer.Terms)) *buyer.Candidate {
	b := buyer.Buyer{ID: "buyer_1", State: buyer.Active, Terms: buyer.Terms{Services: []lead.Service{lead.HVAC}}}
	change(&b.Terms)
	return buyer.NewCoverage([]buyer.Buyer{b}).Find(b.ID)
}

func TestArea(t *testing.T) {
	for name, c := range map[string]struct {
		area    buyer.Area
		in, out string // ZIP codes
	}{
		"no pattern is everywhere":     {buyer.Area{}, "00000 00501 33139 99999", ""},
		"one ZIP code":                 {buyer.Area{ZIPs: "33139"}, "33139", "33138 33140 03313 93139"},
		"a beginning":                  {buyer.Area{ZIPs: "331*"}, "33100 33139 33199", "33099 33200 03310"},
		"one digit":                    {buyer.Area{ZIPs: "9*"}, "90000 99999", "89999 00009"},
		"a beginning with zeros":       {buyer.Area{ZIPs: "00*"}, "00000 00999", "01000 10000"},
		"all digits and a star":        {buyer.Area{ZIPs: "33139*"}, "33139", "33138 33140"},
		"everything":                   {buyer.Area{ZIPs: "*"}, "00000 99999", ""},
		"several":                      {buyer.Area{ZIPs: "331*,90210"}, "33139 90210", "90211"},
		"less one":                     {buyer.Area{ZIPs: "331*", Excluded: "33139"}, "33138 33140", "33139"},
		"less a part, of everything":   {buyer.Area{Excluded: "331*,90210"}, "33200 90211", "33100 33139 90210"},
		"excluded wins over named":     {buyer.Area{ZIPs: "33139", Excluded: "331*"}, "", "33139"},
		"a state":                      {buyer.Area{States: []string{"FL"}}, "32000 33139 34997", "31999 35000 34000 10001"},
		"two states":                   {buyer.Area{States: []string{"CA", "NY"}}, "90210 10001 00501", "33139 97000"},
		"ZIP codes within a state":     {buyer.Area{ZIPs: "33139,10001", States: []string{"FL"}}, "33139", "10001 33140"},
		"less one, within a state":     {buyer.Area{Excluded: "33139", States: []string{"FL"}}, "33140", "33139 10001"},
		"no such state":                {buyer.Area{States: []string{"XX"}}, "", "33139 00000"},
		"a pattern that is none names": {buyer.Area{ZIPs: "3313,33139"}, "33139", "33130 03313"}, // nothing, and has no effect on the others
	} {
		t.Run(name, func(t *testing.T) {
			p := newCandidate(func(terms *buyer.Terms) { terms.Area = c.area })
			for _, zip := range strings.Fields(c.in) {
				if !p.Covers(lead.HVAC, zip) {
					t.Errorf("%s is not covered", zip)
				}
			}
			for _, zip := range strings.Fields(c.out) {
				if p.Covers(lead.HVAC, zip) {
					t.Errorf("%s is covered", zip)
				}
			}
		})
	}
}

func TestEmptyAreas(t *testing.T) {
	for _, c := range []struct {
		area  buyer.Area
		empty bool
	}{
		{buyer.Area{}, false},
		{buyer.Area{ZIPs: "33139"}, false},
		{buyer.Area{ZIPs: "331*", Excluded: "33139"}, false},
		{buyer.Area{ZIPs: "33139,902*", Excluded: "331*", States: []string{"CA"}}, false},
		{buyer.Area{Excluded: "*"}, true},
		{buyer.Area{ZIPs: "33139", Excluded: "331*"}, true},
		{buyer.Area{ZIPs: "33139", States: []string{"CA"}}, true},
		{buyer.Area{ZIPs: "33139,902*", Excluded: "902*", States: []string{"CA"}}, true},
	} {
		if got := c.area.Empty(); got != c.empty {
			t.Errorf("%+v: empty = %t", c.area, got)
		}
	}
}

// An invalid ZIP code is in no area, not even in that of a buyer that covers everything.
func TestInvalidZIPCode(t *testing.T) {
	p := newCandidate(func(*buyer.Terms) {})
	for _, zip := range []string{"", "3313", "331390", "3313A", "331*", "*", "-3313", "+3313", " 33139", "３３１３９"} {
		if p.Covers(lead.HVAC, zip) {
			t.Errorf("%q is covered", zip)
		}
	}
}

func TestCleanZIPs(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"33139":                          "33139",
		"331*, 90210;33139\n00501\t331*": "00501,331*,33139,90210",
		" , ;\r\n":                       "",
		"*":                              "*",
	} {
		if got, err := buyer.CleanZIPs(text); err != nil || got != want {
			t.Errorf("%q became %q, %v; want %q", text, got, err, want)
		}
	}
	for _, bad := range []string{"3313", "331390", "33139-1234", "*331", "3*1", "**", "Miami", "33l39", "-3313", "+3313", "0x331", "３３１３９", "1_000"} {
		if got, err := buyer.CleanZIPs("33139," + bad); err == nil || !strings.Contains(err.Error(), `"`+bad+`"`) {
			t.Errorf("%q became %q, %v; want an error that names it", bad, got, err)
		}
	}
}

// A buyer takes the services in its terms. Plumbing is dialed: no buyer is asked about it, whatever the terms say.
func TestServices(t *testing.T) {
	terms := buyer.Terms{Services: []lead.Service{lead.HVAC, lead.Plumbing}}
	for _, s := range lead.Services {
		if got, want := terms.Takes(s), s == lead.HVAC; got != want {
			t.Errorf("%s is sold: %v", s, got)
		}
	}
}

func TestStateOf(t *testing.T) {
	for zip, want := range map[string]string{
		"33139": "FL", "34000": "AA", "90210": "CA", "10001": "NY", "00501": "NY", "06390": "CT", "02134": "MA", "00601": "PR", "00801": "VI", "20001": "DC",
		"20101": "VA", "73301": "TX", "88500": "TX", "96701": "HI", "96799": "AS", "96910": "GU", "96950": "MP", "99501": "AK", "96201": "AP", "09001": "AE",
		"00000": "", "00499": "", "3313": "", "": "",
	} {
		if got := buyer.StateOf(zip); got != want {
			t.Errorf("%q is in %q, want %q", zip, got, want)
		}
	}
}

// A pattern matches the ZIP codes that begin with its digits, and no others.
func TestPatternsMatchWholeRanges(t *testing.T) {
	var zips []string
	for n := range 100_000 {
		zips = append(zips, fmt.Sprintf("%05d", n))
	}
	for _, digits := range []string{"", "0", "3", "9", "00", "12", "99", "000", "331", "640", "999", "0000", "3313", "6399", "9999", "00063", "00064", "33139", "99999"} {
		in := newCandidate(func(terms *buyer.Terms) { terms.Area.ZIPs = digits + "*" })
		out := newCandidate(func(terms *buyer.Terms) { terms.Area.Excluded = digits + "*" })
		for _, zip := range zips {
			want := strings.HasPrefix(zip, digits)
			if in.Covers(lead.HVAC, zip) != want || out.Covers(lead.HVAC, zip) == want {
				t.Fatalf("%s* should match %s: %v", digits, zip, want)
			}
		}
	}
}
