package lead_test

import (
	"testing"

	"foyer/internal/lead"
)

func TestZIPCode(t *testing.T) {
	const plusFour, no = "first five digits", "not five digits"
	judge(t, "zip_code", []verdict{
		{name: "five digits", value: lead.Quoted("33139"), want: "33139"},
		{name: "five digits in a form", value: lead.Typed("33139"), want: "33139"},
		{name: "leading zeros", value: lead.Quoted("00501"), want: "00501"},
		{name: "blanks around", value: lead.Quoted(" 33139 "), want: "33139"},
		{name: "ZIP+4 with a dash", value: lead.Quoted("33139-1234"), wrong: plusFour},
		{name: "ZIP+4 with a blank", value: lead.Quoted("33139 1234"), wrong: plusFour},
		{name: "ZIP+4 in one", value: lead.Typed("331391234"), wrong: plusFour},
		{name: "four digits", value: lead.Quoted("3313"), wrong: no},
		{name: "six digits", value: lead.Quoted("331390"), wrong: no},
		{name: "letters", value: lead.Quoted("3313A"), wrong: no},
		{name: "a blank inside", value: lead.Quoted("331 39"), wrong: no},
		{name: "digits of another script", value: lead.Quoted("３３１３９"), wrong: no},
		{name: "a Canadian code", value: lead.Quoted("K1A 0B1"), wrong: no},
		{name: "a number", value: lead.Number("33139"), wrong: "a number where text belongs"},
	})
}

func TestZIPOfATool(t *testing.T) {
	for text, good := range map[string]bool{"33139": true, " 33139\n": true, "33139-1234": false, "": false, "Miami": false} {
		if zip, ok := lead.ZIP(text); ok != good || good && zip != "33139" {
			t.Errorf("ZIP(%q) = %q, %t", text, zip, ok)
		}
	}
}
