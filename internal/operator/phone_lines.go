package operator

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"foyer/internal/lead"
)

// phoneLines reads one phone number from each line.
type phoneLines struct {
	lines *bufio.Scanner
	bad   func(line int64)
	phone string
	line  int64
	seen  bool // a line was not blank
	bytes int64
}

// maxLineLength is longer than any line of a list of phone numbers.
const maxLineLength = 1 << 20

func newPhoneLines(file io.Reader, bad func(line int64)) *phoneLines {
	in := &phoneLines{lines: bufio.NewScanner(file), bad: bad}
	in.lines.Buffer(make([]byte, 64<<10), maxLineLength)
	return in
}

// next advances to the next line with a phone number.
func (in *phoneLines) next(ctx context.Context) bool {
	for ctx.Err() == nil && in.lines.Scan() {
		in.line++
		in.bytes += int64(len(in.lines.Bytes())) + 1
		text := in.lines.Text()
		if blankLine(text, in.line) {
			continue
		}
		first := !in.seen
		in.seen = true
		phone, found := phoneIn(text)
		if found {
			in.phone = phone
			return true
		}
		if !first || hasDigit(text) { // otherwise the line is the headings
			in.bad(in.line)
		}
	}
	return false
}

func (in *phoneLines) err(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if errors.Is(in.lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d is too long: this is not a list of phone numbers", in.line+1)
	}
	return in.lines.Err()
}

// blankLine reports whether a line is empty or a comment.
func blankLine(text string, line int64) bool {
	if line == 1 {
		text = strings.TrimPrefix(text, "\ufeff")
	}
	text = strings.TrimSpace(strings.Trim(text, `,;"`+"\t "))
	return text == "" || strings.HasPrefix(text, "#")
}

// phoneIn returns the phone number on a line: the line itself, or the first cell that is one.
func phoneIn(text string) (string, bool) {
	if phone, ok := lead.Phone(trimPhoneCell(text)); ok {
		return phone, true
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\t' }) {
		if phone, ok := lead.Phone(trimPhoneCell(part)); ok {
			return phone, true
		}
	}
	return "", false
}

// trimPhoneCell removes what spreadsheets put around numbers to keep them text.
func trimPhoneCell(text string) string { return strings.Trim(text, " \t\r\"'=\ufeff") }

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }
