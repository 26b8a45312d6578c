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

	"foyer/internal/buyer"
)

// ReadZIPs finds the ZIP codes in a table, each once: in the column whose heading says so, or else in the first column of
// each row that looks like one. Every row must have one. A first row without any number is taken for the headings.
func ReadZIPs(r io.Reader) ([]string, error) {
	rows, err := table(r)
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
			return bad.or(found)
		case errors.As(err, &broken):
			return nil, fmt.Errorf("line %d: the quotes do not match; nothing was changed", broken.StartLine)
		case err != nil:
			return nil, err
		case blank(row):
			continue
		}
		zip := findZIP(row, column)
		switch {
		case zip != "":
			found[zip] = true
		case seen == 0 && !slices.ContainsFunc(row, isNumber):
			column = heading(row)
		default:
			line, _ := rows.FieldPos(0)
			bad.add(line, row, column)
		}
		seen++
	}
}

// table reads rows whose cells are parted by commas, semicolons or tabs, as spreadsheets write them.
func table(r io.Reader) (*csv.Reader, error) {
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

func blank(row []string) bool {
	return !slices.ContainsFunc(row, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// heading is the column whose heading speaks of ZIP codes, or -1.
func heading(row []string) int {
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

// zipIn is the ZIP code or pattern in a cell, or "". Of ZIP+4 it takes the five digits. A lone * is no pattern here: it
// may be anybody's footnote, and it would stand for the whole country.
func zipIn(cell string) string {
	cell = bare(cell)
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

// bare takes off what spreadsheets put around digits that are to stay text.
func bare(cell string) string { return strings.Trim(cell, ` "'=`) }

// digits is how many digits a text of nothing else has, or -1.
func digits(text string) int {
	if strings.ContainsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		return -1
	}
	return len(text)
}

func isNumber(cell string) bool { return digits(bare(cell)) > 0 }

// BadRows are rows without a ZIP code. Their cells are not repeated, unless they are a short number: nobody knows what
// file was taken.
type BadRows struct {
	count int
	first []string
}

const showBadRows = 10

func (b *BadRows) add(line int, row []string, column int) {
	if b.count++; b.count > showBadRows {
		return
	}
	text := "no ZIP code"
	if cell := bare(row[min(max(column, 0), len(row)-1)]); isNumber(cell) && len(cell) < 10 {
		text = cell + " is not a ZIP code"
		if len(cell) < 5 {
			text += "; a spreadsheet may have dropped the zero before it"
		}
	}
	b.first = append(b.first, fmt.Sprintf("line %d: %s", line, text))
}

func (b *BadRows) or(found map[string]bool) ([]string, error) {
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
	if b.count > showBadRows {
		text += "\n  …"
	}
	return text
}

// Import is a list of ZIP codes and what is to be done with it.
type Import struct {
	ZIPs    []string
	Replace bool // instead of being added to what is there
	Exclude bool // they are where the buyer does not work
}

// Import gives a buyer ZIP codes by the thousand.
func (d *Operator) Import(ctx context.Context, id string, i Import) (b buyer.Buyer, before buyer.Area, err error) {
	b, err = d.change(ctx, id, func(_ Tx, b *buyer.Buyer, _ *buyer.Health) error {
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
		sound(b.Terms, &problems)
		return problems.or()
	})
	return b, before, err
}
