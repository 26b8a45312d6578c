package entered

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"foyer/internal/lead"
)

// ReadZIPs returns the ZIP codes of a table, each once: from the column whose heading says so, or else from the first cell
// of each row that looks like one. Every row must have one. A first row without any number counts as the headings.
func ReadZIPs(r io.Reader) ([]string, error) {
	rows, err := newTableReader(r)
	if err != nil {
		return nil, err
	}
	found, bad := make(map[string]bool), []string(nil)
	column, seen := -1, 0
	for {
		row, err := rows.Read()
		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF) && len(bad) > 0:
			return nil, badRows(bad)
		case errors.Is(err, io.EOF) && len(found) == 0:
			return nil, Refuse("it contains no ZIP code; nothing was changed")
		case errors.Is(err, io.EOF):
			return slices.Sorted(maps.Keys(found)), nil
		case errors.As(err, &broken):
			return nil, Refuse("line %d: the quotes do not match; nothing was changed", broken.StartLine)
		case err != nil:
			return nil, err
		case isBlank(row):
			continue
		}
		zip := findZIP(row, column)
		switch {
		case zip != "":
			found[zip] = true
		case seen == 0 && !slices.ContainsFunc(row, isNumber):
			column = zipColumn(row)
		default:
			line, _ := rows.FieldPos(0)
			bad = append(bad, fmt.Sprintf("line %d: %s", line, badRow(row, column)))
		}
		seen++
	}
}

// newTableReader reads rows separated by commas, semicolons or tabs, as spreadsheets write them.
func newTableReader(r io.Reader) (*csv.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = in.Discard(3)
	}
	first, err := in.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	first, _, _ = bytes.Cut(first, []byte("\n"))
	rows := csv.NewReader(in)
	rows.FieldsPerRecord, rows.ReuseRecord, rows.TrimLeadingSpace = -1, true, true
	for _, comma := range ",;\t" {
		if bytes.ContainsRune(first, comma) {
			rows.Comma = comma
			break
		}
	}
	return rows, nil
}

func isBlank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// zipColumn returns the column whose heading mentions ZIP or postal codes, or -1.
func zipColumn(row []string) int {
	return slices.IndexFunc(row, func(cell string) bool {
		cell = strings.ToLower(cell)
		return strings.Contains(cell, "zip") || strings.Contains(cell, "postal")
	})
}

// findZIP returns the ZIP code or pattern in a column of a row, or the first one of a row if the column is -1. Of ZIP+4 it returns
// the five digits.
func findZIP(row []string, column int) string {
	if column >= 0 {
		row = row[min(column, len(row)):min(column+1, len(row))]
	}
	for _, cell := range row {
		if m := zipCell.FindStringSubmatch(TrimCell(cell)); m != nil {
			return m[1] + m[2]
		}
	}
	return ""
}

// zipCell matches a ZIP code, ZIP+4 or a pattern. A lone * is no pattern here: it may be a footnote, and as a pattern it would mean
// the whole country.
var zipCell = regexp.MustCompile(`^(?:([0-9]{5})(?:-[0-9]{4})?|([0-9]{1,4}\*))$`)

// TrimCell removes what spreadsheets put around digits to keep them text.
func TrimCell(cell string) string { return strings.Trim(cell, " \t\r\"'=\ufeff") }

var digitsOnly = regexp.MustCompile(`^[0-9]+$`)

func isNumber(cell string) bool { return digitsOnly.MatchString(TrimCell(cell)) }

// badRow says what is wrong with a row that has no ZIP code. It does not repeat cells, except short numbers: the file may be the
// wrong one, with anything in it.
func badRow(row []string, column int) string {
	cell := TrimCell(row[min(max(column, 0), len(row)-1)])
	switch {
	case !isNumber(cell) || len(cell) >= 10:
		return "no ZIP code"
	case len(cell) < 5:
		return cell + " is not a ZIP code; a spreadsheet may have dropped the zero before it"
	}
	return cell + " is not a ZIP code"
}

// badRows is the error for rows without a ZIP code. It lists the first ten.
func badRows(bad []string) error {
	shown := bad
	if len(bad) > 10 {
		shown = append(bad[:10:10], "…")
	}
	return Refuse("rows without a ZIP code: %d; nothing was changed\n  %s", len(bad), strings.Join(shown, "\n  "))
}

// PhoneIn returns the phone number on a line: the line itself, or the first cell that is one.
func PhoneIn(text string) (string, bool) {
	if phone, ok := lead.Phone(TrimCell(text)); ok {
		return phone, true
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\t' }) {
		if phone, ok := lead.Phone(TrimCell(part)); ok {
			return phone, true
		}
	}
	return "", false
}
