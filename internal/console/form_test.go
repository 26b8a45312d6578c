package console

import (
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

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
			for _, f := range termFields {
				text, known := typed[f.flag]
				if !known {
					t.Errorf("%s is not written", f.flag)
				}
				if text != "" { // an empty field that was empty before is not sent on
					form.Set(f.name, text)
				}
			}
			read := reader{values: values{}}
			read.readForm(termFields, form)
			if err := read.err(); err != nil {
				t.Fatal(err)
			}
			got, err := fill[entered.Terms](termFields, read.values).Begin(anyURL)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// TestFormValues reads what people write into forms.
func TestFormValues(t *testing.T) {
	fields := []field{
		{name: "note", kind: text, required: true}, {name: "days", kind: number, min: 1, max: 90}, {name: "amount", kind: cents, min: 1}, {name: "sure", kind: boolean, defaultValue: false}, {name: "which", kind: text, choices: []string{"a", "b"}},
	}
	for _, c := range []struct{ form, field, problem string }{
		{"note=x&days=7&amount=12.50&sure=true&which=a", "", ""},
		{"note=x&amount=%2412", "", ""},
		{"note=+", "note", "note: this is needed."},
		{"note=x&days=0", "days", "days: write a whole number from 1 to 90."},
		{"note=x&days=many", "days", "days: write a whole number from 1 to 90."},
		{"note=x&amount=-1", "amount", "amount: write an amount in dollars, such as 500.00."},
		{"note=x&amount=1.5", "amount", "amount: write an amount in dollars, such as 500.00."},
		{"note=x&which=c", "which", "which: choose one of a, b."},
	} {
		form, err := url.ParseQuery(c.form)
		if err != nil {
			t.Fatal(err)
		}
		in := reader{values: values{}}
		in.readForm(fields, form)
		switch {
		case c.problem == "" && len(in.problems) > 0, c.problem != "" && (len(in.problems) != 1 || in.problems[0].Field != c.field || in.problems[0].Text != c.problem):
			t.Errorf("%s: %v, want %q", c.form, in.problems, c.problem)
		}
	}
}
