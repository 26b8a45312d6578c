package query

import "strings"

// GuardCell keeps spreadsheets from taking a text in a CSV file for a formula (CSV injection).
func GuardCell(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}
