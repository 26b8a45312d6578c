package lead_test

import (
	"math"
	"testing"

	"foyer/internal/lead"
)

const outside, notWhole, notNumber = "out of range", "not a whole number", "not a number"

func TestBounds(t *testing.T) {
	checkValues(t, "bedrooms", []valueCase{
		{name: "bedrooms -1", value: lead.Number("-1"), wrong: outside},
		{name: "bedrooms 0", value: lead.Number("0"), want: 0},
		{name: "bedrooms 20", value: lead.Number("20"), want: 20},
		{name: "bedrooms 21", value: lead.Number("21"), wrong: outside},
	})
	checkValues(t, "bathrooms", []valueCase{
		{name: "bathrooms -0.5", value: lead.Number("-0.5"), wrong: outside},
		{name: "bathrooms 0", value: lead.Number("0"), want: 0.0},
		{name: "bathrooms 2.5", value: lead.Number("2.5"), want: 2.5},
		{name: "bathrooms 0.1", value: lead.Number("0.1"), want: 0.1},
		{name: "bathrooms 20", value: lead.Number("20"), want: 20.0},
		{name: "bathrooms 20.5", value: lead.Number("20.5"), wrong: outside},
	})
	checkValues(t, "square_feet", []valueCase{
		{name: "square_feet 99", value: lead.Number("99"), wrong: outside},
		{name: "square_feet 100", value: lead.Number("100"), want: 100},
		{name: "square_feet 50000", value: lead.Number("50000"), want: 50000},
		{name: "square_feet 50001", value: lead.Number("50001"), wrong: outside},
		{name: "square_feet 0", value: lead.Number("0"), wrong: outside},
	})
}

// TestWholeNumbersInJSON checks that a number is whole by its value, not by its notation.
func TestWholeNumbersInJSON(t *testing.T) {
	checkValues(t, "bedrooms", []valueCase{
		{name: "3.0", value: lead.Number("3.0"), want: 3},
		{name: "3.000", value: lead.Number("3.000"), want: 3},
		{name: "2e0", value: lead.Number("2e0"), want: 2},
		{name: "2E+0", value: lead.Number("2E+0"), want: 2},
		{name: "1e1", value: lead.Number("1e1"), want: 10},
		{name: "0.2e1", value: lead.Number("0.2e1"), want: 2},
		{name: "20e-1", value: lead.Number("20e-1"), want: 2},
		{name: "0e-400", value: lead.Number("0e-400"), want: 0},
		{name: "-0", value: lead.Number("-0"), want: 0},
		{name: "-0.0", value: lead.Number("-0.0"), want: 0},
		{name: "2.5", value: lead.Number("2.5"), wrong: notWhole},
		{name: "25e-1", value: lead.Number("25e-1"), wrong: notWhole},
		{name: "a fraction too small for a float", value: lead.Number("2.00000000000000000001"), wrong: notWhole},
		{name: "the same with an exponent", value: lead.Number("2.00000000000000000001e0"), wrong: notWhole},
		{name: "1e-400", value: lead.Number("1e-400"), wrong: notWhole},
		{name: "1e400", value: lead.Number("1e400"), wrong: outside},
		{name: "-1e400", value: lead.Number("-1e400"), wrong: outside},
		{name: "1e300", value: lead.Number("1e300"), wrong: outside},
		{name: "1e99999999999999999999", value: lead.Number("1e99999999999999999999"), wrong: outside},
		{name: "1e-99999999999999999999", value: lead.Number("1e-99999999999999999999"), wrong: notWhole},
		{name: "more digits than an int64", value: lead.Number("9223372036854775808"), wrong: outside},
		{name: "a number in quotes", value: lead.Quoted("2"), wrong: "text where a number belongs"},
	})
}

func TestFractionsInJSON(t *testing.T) {
	checkValues(t, "bathrooms", []valueCase{
		{name: "2e0", value: lead.Number("2e0"), want: 2.0},
		{name: "15e-1", value: lead.Number("15e-1"), want: 1.5},
		{name: "1e-400 is as good as none", value: lead.Number("1e-400"), want: 0.0},
		{name: "1e400", value: lead.Number("1e400"), wrong: outside},
	})
	req, refusal := completeRequest().with("bathrooms", lead.Number("-0")).parse()
	if refusal != nil || math.Signbit(*req.Home.Bathrooms) {
		t.Errorf("-0 is not kept as 0: %v", refusal)
	}
}

// TestTypedNumbers checks numbers as people type them into a form.
func TestTypedNumbers(t *testing.T) {
	checkValues(t, "bathrooms", []valueCase{
		{name: "2", value: lead.Typed("2"), want: 2.0},
		{name: "blanks around 2", value: lead.Typed(" 2 "), want: 2.0},
		{name: "1.5", value: lead.Typed("1.5"), want: 1.5},
		{name: ".5", value: lead.Typed(".5"), want: 0.5},
		{name: "2.", value: lead.Typed("2."), want: 2.0},
		{name: "007", value: lead.Typed("007"), want: 7.0},
		{name: "-1", value: lead.Typed("-1"), wrong: outside},
		{name: "21", value: lead.Typed("21"), wrong: outside},
	})
	checkValues(t, "square_feet", []valueCase{
		{name: "1,200", value: lead.Typed("1,200"), want: 1200},
		{name: "1,200.0", value: lead.Typed("1,200.0"), want: 1200},
		{name: "12,000", value: lead.Typed("12,000"), want: 12000},
		{name: "1,200.5", value: lead.Typed("1,200.5"), wrong: notWhole},
		{name: "1,000,000", value: lead.Typed("1,000,000"), wrong: outside},
	})
}

func TestTypedNonNumbers(t *testing.T) {
	for _, typed := range []string{
		"NaN", "nan", "Inf", "-Inf", "infinity", "0x2", "0x1p4", "2e0", "1_000", "two", "2 or 3", "2-3", "1,2", "12,00", "1,0200", "1234,000", ".", "-", ",200", "1,200,", "1.2.3",
		"1.5,000", ".", "-", "--2", "½", "２", "2 0", "\xff",
	} {
		checkValues(t, "bedrooms", []valueCase{{name: "bedrooms " + typed, value: lead.Typed(typed), wrong: notNumber}})
		checkValues(t, "bathrooms", []valueCase{{name: "bathrooms " + typed, value: lead.Typed(typed), wrong: notNumber}})
	}
}
