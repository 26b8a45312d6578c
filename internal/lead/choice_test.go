package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

func TestEveryChoice(t *testing.T) {
	for _, field := range []string{"service_type", "home_type", "frequency"} {
		for _, c := range lead.FieldNamed(field).Choices {
			judge(t, field, []verdict{
				{name: field + " JSON " + c, value: lead.Quoted(c), want: c},
				{name: field + " form " + c, value: lead.Typed(" " + c + " "), want: c},
			})
		}
	}
}

func TestChoiceRefused(t *testing.T) {
	const no = "not one of the choices"
	for _, field := range []string{"service_type", "home_type", "frequency"} {
		t.Run(field, func(t *testing.T) {
			first := lead.FieldNamed(field).Choices[0]
			judge(t, field, []verdict{
				{name: "unknown", value: lead.Quoted("castle"), wrong: no},
				{name: "another case", value: lead.Quoted(strings.ToUpper(first)), wrong: no},
				{name: "two at once", value: lead.Quoted(first + "," + first), wrong: no},
				{name: "blank in JSON", value: lead.Quoted(""), wrong: no},
				{name: "blanks in JSON", value: lead.Quoted(" "), wrong: no},
				{name: "unknown in a form", value: lead.Typed("castle"), wrong: no},
				{name: "bad UTF-8", value: lead.Typed("\xff"), wrong: no},
			})
		})
	}
}

func TestChoiceProblemListsTheChoices(t *testing.T) {
	_, refusal := complete().with("home_type", lead.Quoted("castle")).parse()
	wantOnly(t, refusal, "home_type", "apartment, condo, townhouse, single_family, other")
}
