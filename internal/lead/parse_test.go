package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

func TestNameLength(t *testing.T) {
	checkValues(t, "customer_name", []valueCase{
		{name: "one character", value: lead.Quoted("A"), wrong: "too short"},
		{name: "two characters", value: lead.Quoted("Al"), want: "Al"},
		{name: "120 characters", value: lead.Quoted(strings.Repeat("a", 120)), want: strings.Repeat("a", 120)},
		{name: "121 characters", value: lead.Quoted(strings.Repeat("a", 121)), wrong: "too long"},
		{name: "one character and blanks", value: lead.Quoted("  A  "), wrong: "too short"},
		{name: "120 characters and blanks", value: lead.Quoted("  " + strings.Repeat("a", 120) + "\n"), want: strings.Repeat("a", 120)},
		{name: "120 characters of four bytes", value: lead.Quoted(strings.Repeat("😀", 120)), want: strings.Repeat("😀", 120)},
		{name: "121 characters of four bytes", value: lead.Quoted(strings.Repeat("😀", 121)), wrong: "too long"},
		{name: "one emoji is one character", value: lead.Quoted("😀"), wrong: "too short"},
		{name: "a letter and a combining mark are two", value: lead.Quoted("e\u0301"), want: "e\u0301"},
		{name: "a precomposed letter is one", value: lead.Quoted("é"), wrong: "too short"},
	})
}

func TestNotesLength(t *testing.T) {
	twoThousand := strings.Repeat("ab\n", 666) + "ab"
	checkValues(t, "notes", []valueCase{
		{name: "2000 characters", value: lead.Quoted(twoThousand), want: twoThousand},
		{name: "2001 characters", value: lead.Quoted(twoThousand + "c"), wrong: "too long"},
		{name: "CRLF counts as one", value: lead.Typed(strings.ReplaceAll(twoThousand, "\n", "\r\n")), want: twoThousand},
		{name: "2000 emoji", value: lead.Quoted(strings.Repeat("🐈", 2000)), want: strings.Repeat("🐈", 2000)},
		{name: "2001 emoji", value: lead.Quoted(strings.Repeat("🐈", 2001)), wrong: "too long"},
		{name: "blanks around do not count", value: lead.Quoted("\r\n " + twoThousand + " \r\n"), want: twoThousand},
	})
}

func TestNotesMultiline(t *testing.T) {
	checkValues(t, "notes", []valueCase{
		{name: "CRLF becomes LF", value: lead.Quoted("one\r\ntwo\r\n\r\nthree"), want: "one\ntwo\n\nthree"},
		{name: "LF stays", value: lead.Quoted("one\ntwo"), want: "one\ntwo"},
		{name: "tabs stay", value: lead.Quoted("one\ttwo"), want: "one\ttwo"},
		{name: "a carriage return alone", value: lead.Quoted("one\rtwo"), wrong: "control character"},
		{name: "NUL", value: lead.Quoted("one\x00two"), wrong: "control character"},
		{name: "escape", value: lead.Quoted("one\x1b[31mtwo"), wrong: "control character"},
		{name: "delete", value: lead.Quoted("one\x7ftwo"), wrong: "control character"},
		{name: "a control character of the second set", value: lead.Quoted("one\u0085two"), wrong: "control character"},
	})
}

func TestOneLineOfText(t *testing.T) {
	for _, field := range []string{"city", "address_line", "source_agent", "customer_name"} {
		t.Run(field, func(t *testing.T) {
			checkValues(t, field, []valueCase{
				{name: "plain", value: lead.Quoted("Pat Example"), want: "Pat Example"},
				{name: "from a form", value: lead.Typed("Pat Example"), want: "Pat Example"},
				{name: "trimmed", value: lead.Quoted(" \t\u00a0Pat Example\r\n"), want: "Pat Example"},
				{name: "blanks inside stay", value: lead.Quoted("Pat  Example"), want: "Pat  Example"},
				{name: "other scripts", value: lead.Quoted("Ñandú 東京"), want: "Ñandú 東京"},
				{name: "markup is text", value: lead.Quoted("<b>'--"), want: "<b>'--"},
				{name: "a newline inside", value: lead.Quoted("Pat\nExample"), wrong: "control character"},
				{name: "a CRLF inside", value: lead.Typed("Pat\r\nExample"), wrong: "control character"},
				{name: "a tab inside", value: lead.Quoted("Pat\tExample"), wrong: "control character"},
				{name: "NUL inside", value: lead.Quoted("Pat\x00Example"), wrong: "control character"},
				{name: "bad UTF-8", value: lead.Typed("Pat \xff"), wrong: "UTF-8"},
				{name: "a surrogate in UTF-8", value: lead.Typed("Pat \xed\xa0\x80"), wrong: "UTF-8"},
			})
		})
	}
}

// TestLengthsOfOneLine checks our own length limits for fields that have none in the published interface: every stored text
// has a limit.
func TestLengthsOfOneLine(t *testing.T) {
	for field, maxLength := range map[string]int{"city": 120, "address_line": 300, "source_agent": 200} {
		long := strings.Repeat("é", maxLength)
		checkValues(t, field, []valueCase{
			{name: field + " at its longest", value: lead.Quoted(long), want: long},
			{name: field + " and blanks around it", value: lead.Typed("  " + long + "  "), want: long},
			{name: field + " a character longer", value: lead.Quoted(long + "é"), wrong: "too long"},
		})
	}
}

func TestEveryChoice(t *testing.T) {
	for _, field := range []string{"service_type", "home_type", "frequency"} {
		for _, c := range lead.FieldNamed(field).Choices {
			checkValues(t, field, []valueCase{
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
			checkValues(t, field, []valueCase{
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
	_, refusal := completeRequest().with("home_type", lead.Quoted("castle")).parse()
	wantOnly(t, refusal, "home_type", "apartment, condo, townhouse, single_family, other")
}

func TestPreferredDate(t *testing.T) {
	const no = "not a date"
	checkValues(t, "preferred_date", []valueCase{
		{name: "a day", value: lead.Quoted("2027-03-15"), want: "2027-03-15"},
		{name: "in a form", value: lead.Typed("2027-03-15"), want: "2027-03-15"},
		{name: "blanks around", value: lead.Quoted(" 2027-03-15 "), want: "2027-03-15"},
		{name: "a day long past is accepted", value: lead.Quoted("1999-12-31"), want: "1999-12-31"},
		{name: "February 29 of a leap year", value: lead.Quoted("2028-02-29"), want: "2028-02-29"},
		{name: "February 29 of 2000", value: lead.Quoted("2000-02-29"), want: "2000-02-29"},
		{name: "February 29 of no leap year", value: lead.Quoted("2027-02-29"), wrong: no},
		{name: "February 29 of 2100", value: lead.Quoted("2100-02-29"), wrong: no},
		{name: "February 30", value: lead.Quoted("2028-02-30"), wrong: no},
		{name: "April 31", value: lead.Quoted("2027-04-31"), wrong: no},
		{name: "month 13", value: lead.Quoted("2027-13-01"), wrong: no},
		{name: "month 0", value: lead.Quoted("2027-00-10"), wrong: no},
		{name: "day 0", value: lead.Quoted("2027-03-00"), wrong: no},
		{name: "one digit", value: lead.Quoted("2027-3-15"), wrong: no},
		{name: "the American way", value: lead.Typed("03/15/2027"), wrong: no},
		{name: "with a time", value: lead.Quoted("2027-03-15T10:00:00Z"), wrong: no},
		{name: "a word", value: lead.Quoted("tomorrow"), wrong: no},
		{name: "a year of two digits", value: lead.Quoted("27-03-15"), wrong: no},
		{name: "blank in JSON", value: lead.Quoted(""), wrong: no},
		{name: "blanks in JSON", value: lead.Quoted("  "), wrong: no},
		{name: "blank in a form", value: lead.Typed("  "), want: ""},
		{name: "a number", value: lead.Number("20270315"), wrong: "a number where a date in quotes belongs"},
	})
}

func TestTypedYesNo(t *testing.T) {
	for text, want := range map[string]bool{
		"on": true, "yes": true, "true": true, "1": true, "off": false, "no": false, "false": false, "0": false,
		"Yes": true, "TRUE": true, " on ": true, "No": false, "FALSE": false, " off\n": false,
	} {
		checkValues(t, "flexible_dates", []valueCase{{name: text, value: lead.Typed(text), want: want}})
	}
}

func TestInvalidYesNo(t *testing.T) {
	for _, text := range []string{"maybe", "2", "-1", "y", "n", "t", "f", "yes yes", "1.0", "null", "checked"} {
		checkValues(t, "flexible_dates", []valueCase{{name: text, value: lead.Typed(text), wrong: "neither yes nor no"}})
		checkValues(t, "dry_run", []valueCase{{name: "dry_run " + text, value: lead.Typed(text), wrong: "neither yes nor no"}})
	}
}

// TestJSONYesNo checks that JSON accepts only true and false.
func TestJSONYesNo(t *testing.T) {
	for _, field := range []string{"flexible_dates", "consent_to_contact", "dry_run"} {
		checkValues(t, field, []valueCase{
			{name: field + " true", value: lead.Bool(true), want: true},
			{name: field + ` "true"`, value: lead.Quoted("true"), wrong: "text where true or false belongs"},
			{name: field + " 1", value: lead.Number("1"), wrong: "a number where true or false belongs"},
			{name: field + " 0", value: lead.Number("0"), wrong: "a number where true or false belongs"},
			{name: field + ` ""`, value: lead.Quoted(""), wrong: "text where true or false belongs"},
			{name: field + " []", value: lead.Structure(), wrong: "a list or an object where true or false belongs"},
		})
	}
	checkValues(t, "flexible_dates", []valueCase{{name: "false", value: lead.Bool(false), want: false}})
	checkValues(t, "dry_run", []valueCase{{name: "false", value: lead.Bool(false), want: false}})
}
