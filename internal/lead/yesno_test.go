package lead_test

import (
	"testing"

	"foyer/internal/lead"
)

func TestYesAndNoAsPeopleTypeThem(t *testing.T) {
	for text, want := range map[string]bool{
		"on": true, "yes": true, "true": true, "1": true, "off": false, "no": false, "false": false, "0": false,
		"Yes": true, "TRUE": true, " on ": true, "No": false, "FALSE": false, " off\n": false,
	} {
		judge(t, "flexible_dates", []verdict{{name: text, value: lead.Typed(text), want: want}})
	}
}

func TestNeitherYesNorNo(t *testing.T) {
	for _, text := range []string{"maybe", "2", "-1", "y", "n", "t", "f", "yes yes", "1.0", "null", "checked"} {
		judge(t, "flexible_dates", []verdict{{name: text, value: lead.Typed(text), wrong: "neither yes nor no"}})
		judge(t, "dry_run", []verdict{{name: "dry_run " + text, value: lead.Typed(text), wrong: "neither yes nor no"}})
	}
}

// JSON has true and false, and nothing else is one of them.
func TestYesAndNoInJSON(t *testing.T) {
	for _, field := range []string{"flexible_dates", "consent_to_contact", "dry_run"} {
		judge(t, field, []verdict{
			{name: field + " true", value: lead.Bool(true), want: true},
			{name: field + ` "true"`, value: lead.Quoted("true"), wrong: "text where true or false belongs"},
			{name: field + " 1", value: lead.Number("1"), wrong: "a number where true or false belongs"},
			{name: field + " 0", value: lead.Number("0"), wrong: "a number where true or false belongs"},
			{name: field + ` ""`, value: lead.Quoted(""), wrong: "text where true or false belongs"},
			{name: field + " []", value: lead.Structure(), wrong: "a list or an object where true or false belongs"},
		})
	}
	judge(t, "flexible_dates", []verdict{{name: "false", value: lead.Bool(false), want: false}})
	judge(t, "dry_run", []verdict{{name: "false", value: lead.Bool(false), want: false}})
}
