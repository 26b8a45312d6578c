package main

import (
	"strings"

	"foyer/internal/lead"
)

// blankLine says that there is nothing on a line of a list, or a remark.
func blankLine(text string, line int64) bool {
	if line == 1 {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	text = strings.TrimSpace(strings.Trim(text, `,;"`+"\t "))
	return text == "" || strings.HasPrefix(text, "#")
}

// phoneIn is the phone number on a line: the line itself, or the first of its cells that is one.
func phoneIn(text string) (string, bool) {
	if phone, ok := lead.Phone(cell(text)); ok {
		return phone, true
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\t' }) {
		if phone, ok := lead.Phone(cell(part)); ok {
			return phone, true
		}
	}
	return "", false
}

// cell takes off what spreadsheets put around a number that is to stay text.
func cell(text string) string { return strings.Trim(text, " \t\r\"'=\ufeff") }

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }
