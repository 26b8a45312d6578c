package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

func TestNameLength(t *testing.T) {
	judge(t, "customer_name", []verdict{
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
	judge(t, "notes", []verdict{
		{name: "2000 characters", value: lead.Quoted(twoThousand), want: twoThousand},
		{name: "2001 characters", value: lead.Quoted(twoThousand + "c"), wrong: "too long"},
		{name: "CRLF counts as one", value: lead.Typed(strings.ReplaceAll(twoThousand, "\n", "\r\n")), want: twoThousand},
		{name: "2000 emoji", value: lead.Quoted(strings.Repeat("🐈", 2000)), want: strings.Repeat("🐈", 2000)},
		{name: "2001 emoji", value: lead.Quoted(strings.Repeat("🐈", 2001)), wrong: "too long"},
		{name: "blanks around do not count", value: lead.Quoted("\r\n " + twoThousand + " \r\n"), want: twoThousand},
	})
}

func TestNotesHoldSeveralLines(t *testing.T) {
	judge(t, "notes", []verdict{
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
			judge(t, field, []verdict{
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

// Where the published interface names no length, we do: whatever is kept has one.
func TestLengthsOfOneLine(t *testing.T) {
	for field, most := range map[string]int{"city": 120, "address_line": 300, "source_agent": 200} {
		long := strings.Repeat("é", most)
		judge(t, field, []verdict{
			{name: field + " at its longest", value: lead.Quoted(long), want: long},
			{name: field + " and blanks around it", value: lead.Typed("  " + long + "  "), want: long},
			{name: field + " a character longer", value: lead.Quoted(long + "é"), wrong: "too long"},
		})
	}
}
