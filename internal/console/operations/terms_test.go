package operations

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/console/operation"
	"foyer/internal/operator/entered"
)

// TestTermsAsTyped wants terms that are written into a form and read again to be the same terms.
func TestTermsAsTyped(t *testing.T) {
	anyURL := func(string) error { return nil }
	for name, in := range map[string]entered.Terms{
		"few": {Name: new("Cool Air"), URL: new("https://buyer.example.com/leads"), Services: new("all")},
		"all": {
			Name: new(`Cool "Air" & Co`), URL: new("https://buyer.example.com/leads?key=1"), Services: new("hvac,handyman"), ZIPs: new("33139, 331*"), ExcludeZIPs: new("33140"), States: new("FL,GA"),
			Hours: new("mon-fri 08:00-18:00, sat 09:00-13:00"), TimeZone: new("America/New_York"), CapHour: new(1), CapDay: new(2), CapMonth: new(3), CapTotal: new(4),
			MoneyCapDay: new("500"), MoneyCapMonth: new("1000.50"), Price: new("hvac=45.00,handyman=0.00"), CreditLimit: new("0"), ReturnDays: new(14), ApproveReturns: new("duplicate"), DenyReturns: new("other"),
			Priority: new(10), Payout: new("$45"), PayoutPublic: new(true), OwnFormOnly: new(true), PlausiblePhonesOnly: new(true), NoDuplicates: new(true), StreetRequired: new(true), MaxInFlight: new(3), OneStep: new(true), AcceptPlain: new(true),
		},
		"a credit limit": {Name: new("x"), URL: new("https://buyer.example.com"), Services: new("hvac"), Price: new("all=45.00"), CreditLimit: new("1000.00"), Priority: new(0)},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := in.Begin(anyURL)
			if err != nil {
				t.Fatal(err)
			}
			typed, form := entered.TermTexts(want), url.Values{}
			for _, f := range TermFields {
				text, known := typed[f.Flag]
				if !known {
					t.Errorf("%s is not written", f.Flag)
				}
				if text != "" { // an empty field that was empty before is not sent on
					form.Set(f.Name, text)
				}
			}
			read := operation.Reader{Values: operation.Values{}}
			read.ReadForm(TermFields, form)
			if err := read.Err(); err != nil {
				t.Fatal(err)
			}
			got, err := operation.Fill[entered.Terms](TermFields, read.Values).Begin(anyURL)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}
