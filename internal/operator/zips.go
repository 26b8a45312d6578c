package operator

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/store"
)

// ReadZIPs returns the ZIP codes of a table, each once: from the column whose heading says so, or else from the first cell
// of each row that looks like one. Every row must have one. A first row without any number counts as the headings.
func ReadZIPs(r io.Reader) ([]string, error) {
	rows, err := newTableReader(r)
	if err != nil {
		return nil, err
	}
	found, bad := make(map[string]bool), &BadRows{}
	column, seen := -1, 0
	for {
		row, err := rows.Read()
		var broken *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return bad.result(found)
		case errors.As(err, &broken):
			return nil, fmt.Errorf("line %d: the quotes do not match; nothing was changed", broken.StartLine)
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
			bad.add(line, row, column)
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

func findZIP(row []string, column int) string {
	if column >= 0 {
		row = row[min(column, len(row)):min(column+1, len(row))]
	}
	for _, cell := range row {
		if zip := zipIn(cell); zip != "" {
			return zip
		}
	}
	return ""
}

// zipIn returns the ZIP code or pattern in a cell, or "". Of ZIP+4 it returns the five digits. A lone * is no pattern here:
// it may be a footnote, and as a pattern it would mean the whole country.
func zipIn(cell string) string {
	cell = trimCell(cell)
	if five, four, plus := strings.Cut(cell, "-"); plus && digits(four) == 4 && digits(five) == 5 {
		return five
	}
	if digits(cell) == 5 {
		return cell
	}
	if start, open := strings.CutSuffix(cell, "*"); open && digits(start) > 0 && len(start) < 5 {
		return cell
	}
	return ""
}

// trimCell removes what spreadsheets put around digits to keep them text.
func trimCell(cell string) string { return strings.Trim(cell, ` "'=`) }

// digits returns the length of a text of only digits, or -1.
func digits(text string) int {
	if strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		return -1
	}
	return len(text)
}

func isNumber(cell string) bool { return digits(trimCell(cell)) > 0 }

// BadRows is the error for rows without a ZIP code. It does not repeat cells, except short numbers: the file may be the
// wrong one, with anything in it.
type BadRows struct {
	count int
	first []string
}

const maxShownRows = 10

func (b *BadRows) add(line int, row []string, column int) {
	if b.count++; b.count > maxShownRows {
		return
	}
	text := "no ZIP code"
	if cell := trimCell(row[min(max(column, 0), len(row)-1)]); isNumber(cell) && len(cell) < 10 {
		text = cell + " is not a ZIP code"
		if len(cell) < 5 {
			text += "; a spreadsheet may have dropped the zero before it"
		}
	}
	b.first = append(b.first, fmt.Sprintf("line %d: %s", line, text))
}

func (b *BadRows) result(found map[string]bool) ([]string, error) {
	switch {
	case b.count > 0:
		return nil, b
	case len(found) == 0:
		return nil, errors.New("it contains no ZIP code; nothing was changed")
	}
	zips := make([]string, 0, len(found))
	for zip := range found {
		zips = append(zips, zip)
	}
	slices.Sort(zips)
	return zips, nil
}

func (b *BadRows) Error() string {
	text := fmt.Sprintf("rows without a ZIP code: %d; nothing was changed\n  %s", b.count, strings.Join(b.first, "\n  "))
	if b.count > maxShownRows {
		text += "\n  …"
	}
	return text
}

// Import is a list of ZIP codes and what to do with it.
type Import struct {
	ZIPs    []string
	Replace bool // replace the buyer's list instead of adding to it
	Exclude bool // the buyer does not work in these
}

// Import gives a buyer thousands of ZIP codes.
func (op *Operator) Import(ctx context.Context, by audit.Actor, id string, i Import) (b buyer.Buyer, before buyer.Area, err error) {
	b, err = op.change(ctx, by, audit.BuyerImport, id, func(_ *store.Tx, b *buyer.Buyer, _ *buyer.Health) error {
		before = b.Terms.Area
		list := &b.Terms.Area.ZIPs
		if i.Exclude {
			list = &b.Terms.Area.Excluded
		}
		all := strings.Join(i.ZIPs, ",")
		if !i.Replace {
			all += "," + *list
		}
		var err error
		if *list, err = buyer.CleanZIPs(all); err != nil {
			return err
		}
		var problems Problems
		checkTerms(b.Terms, &problems)
		return problems.orNil()
	})
	return b, before, err
}
