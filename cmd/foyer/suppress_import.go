package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
)

type suppressImport struct {
	config.Data
	File   string `arg:"" help:"Text or CSV file with one phone number a line, or - for standard input."`
	Reason string `default:"asked not to be contacted" placeholder:"TEXT" help:"Why (default: ${default})."`
}

// Help explains the file format.
func (*suppressImport) Help() string {
	return "Each line holds one US phone number; in a CSV file it is the first cell that is one. Blank lines, lines that begin with #, and a first line of headings are skipped. " +
		"Lines without a phone number are named by their line number; the others are still imported, and the exit code is 1. " +
		"A number that is suppressed already keeps its reason and its date, so the same file can be imported again."
}

// importCounts counts the lines of an imported file.
type importCounts struct {
	numbers int64 // lines with a number
	added   int64 // of those, new numbers
	bad     int64
}

// Run imports numbers. At the end it closes held requests with suppressed numbers, as suppress add does.
func (c *suppressImport) Run(e env) error {
	file, size, err := openImport(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	st, err := store.OpenExisting(e.ctx, string(c.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	done, closed, err := c.importAll(e, st, file, size)
	if err = errors.Join(err, st.Close()); err != nil {
		return fmt.Errorf("stopped after %s: %w. What was imported stays; the same command can be run again", pluralize(done.numbers, "number"), err)
	}
	fmt.Fprintf(e.stdout, "Numbers read: %s. New: %s. Known already: %s. Held requests closed: %s.\n",
		withCommas(done.numbers), withCommas(done.added), withCommas(done.numbers-done.added), withCommas(int64(closed)))
	if done.bad > 0 {
		return fmt.Errorf("lines without a phone number: %s; everything else was imported", withCommas(done.bad))
	}
	return nil
}

// openImport opens a file and returns its size, or 0 if unknown.
func openImport(name string) (file *os.File, size int64, err error) {
	if name == "-" {
		return os.Stdin, 0, nil
	}
	if file, err = os.Open(name); err != nil {
		return nil, 0, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a folder", name)
	}
	if err != nil {
		return nil, 0, errors.Join(err, file.Close())
	}
	return file, info.Size(), nil
}

func (c *suppressImport) importAll(e env, st *store.Store, file io.Reader, size int64) (done importCounts, closed int, err error) {
	p := newProgress(e.stderr)
	defer p.end()
	now := time.Now()
	batch := make([]string, 0, store.SuppressBatch)
	flush := func() error {
		added, err := st.SuppressMany(e.ctx, batch, c.Reason, now)
		done.added += added
		batch = batch[:0]
		return err
	}
	in := &phoneLines{lines: bufio.NewScanner(file), bad: func(line int64) { done.bad++; printBadLine(e, p, done.bad, line) }}
	in.lines.Buffer(make([]byte, 64<<10), 1<<20)
	for in.next(e.ctx) {
		batch = append(batch, in.phone)
		if done.numbers++; len(batch) == cap(batch) {
			if err := flush(); err != nil {
				return done, 0, err
			}
			p.set(in.progress(done.numbers, size))
		}
	}
	if err := errors.Join(in.err(), e.ctx.Err()); err != nil {
		return done, 0, err
	}
	if err := flush(); err != nil {
		return done, 0, err
	}
	if err := st.Refresh(e.ctx); err != nil {
		return done, 0, err
	}
	p.set(db.Progress{What: "closing held requests"})
	closed, err = st.CloseHeldSuppressed(e.ctx, lead.Change{At: now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: numberSuppressed})
	return done, closed, err
}

// progress estimates the total from the average line length so far.
func (in *phoneLines) progress(numbers, size int64) db.Progress {
	p := db.Progress{What: "importing", Done: numbers, Unit: "numbers"}
	if size > 0 && in.bytes > 0 {
		p.Of = max(numbers, int64(float64(size)/float64(in.bytes)*float64(numbers)))
	}
	return p
}

// maxBadLines is how many bad lines are reported one by one.
const maxBadLines = 50

// printBadLine reports a bad line by its number. It does not repeat the content: the file may be the wrong one, with
// anything in it.
func printBadLine(e env, p *progress, count, line int64) {
	switch {
	case count <= maxBadLines:
		p.printLine(e.stderr, fmt.Sprintf("line %d: no phone number; a number has ten digits, such as 305-555-0123", line))
	case count == maxBadLines+1:
		p.printLine(e.stderr, "… more lines without a phone number are only counted")
	}
}

// phoneLines reads one phone number from each line.
type phoneLines struct {
	lines *bufio.Scanner
	bad   func(line int64)
	phone string
	line  int64
	seen  bool // a line was not blank
	bytes int64
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

func (in *phoneLines) err() error {
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
	if phone, ok := lead.Phone(trimCell(text)); ok {
		return phone, true
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ';' || r == '\t' }) {
		if phone, ok := lead.Phone(trimCell(part)); ok {
			return phone, true
		}
	}
	return "", false
}

// trimCell removes what spreadsheets put around numbers to keep them text.
func trimCell(text string) string { return strings.Trim(text, " \t\r\"'=\ufeff") }

func hasDigit(text string) bool { return strings.ContainsAny(text, "0123456789") }
