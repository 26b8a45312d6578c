package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

// Every code of the Postal Service is a state here: 50 states, DC, territories and associated states, military regions.
const postalCodes = "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY " +
	"DC AS GU MP PR VI FM MH PW AA AE AP"

func TestEveryStateCode(t *testing.T) {
	codes := strings.Fields(postalCodes)
	if len(codes) != 50+1+8+3 {
		t.Fatalf("%d codes", len(codes))
	}
	for _, code := range codes {
		judge(t, "state", []verdict{
			{name: code, value: lead.Quoted(code), want: code},
			{name: strings.ToLower(code), value: lead.Typed(strings.ToLower(code)), want: code},
		})
	}
}

func TestState(t *testing.T) {
	const no = "not a US state code"
	judge(t, "state", []verdict{
		{name: "mixed case", value: lead.Quoted("fL"), want: "FL"},
		{name: "blanks around", value: lead.Quoted(" FL "), want: "FL"},
		{name: "not a code", value: lead.Quoted("ZZ"), wrong: no},
		{name: "a name", value: lead.Quoted("Florida"), wrong: no},
		{name: "one letter", value: lead.Quoted("F"), wrong: no},
		{name: "three letters", value: lead.Quoted("FLA"), wrong: no},
		{name: "two codes", value: lead.Quoted("FL GA"), wrong: no},
		{name: "a letter that is raised to S", value: lead.Quoted("ſc"), wrong: no},
		{name: "a province", value: lead.Quoted("ON"), wrong: no},
	})
}
