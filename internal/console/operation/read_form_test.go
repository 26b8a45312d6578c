package operation

import (
	"net/url"
	"testing"
)

// TestFormValues reads what people write into forms.
func TestFormValues(t *testing.T) {
	fields := []Field{
		{Name: "note", Kind: Text, Required: true}, {Name: "days", Kind: Number, Min: 1, Max: 90}, {Name: "amount", Kind: Cents, Min: 1}, {Name: "sure", Kind: Boolean, DefaultValue: false}, {Name: "which", Kind: Text, Choices: []string{"a", "b"}},
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
		in := Reader{Values: Values{}}
		in.ReadForm(fields, form)
		switch {
		case c.problem == "" && len(in.problems) > 0, c.problem != "" && (len(in.problems) != 1 || in.problems[0].Field != c.field || in.problems[0].Text != c.problem):
			t.Errorf("%s: %v, want %q", c.form, in.problems, c.problem)
		}
	}
}
