package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
)

type suppressImport struct {
	config.Data
	File   string `arg:"" help:"Text or CSV file with one phone number a line, or - for standard input."`
	Reason string `default:"asked not to be contacted" placeholder:"TEXT" help:"Why (default: ${default})."`
}

// Help tells how a file is read.
func (*suppressImport) Help() string {
	return "Each line holds one US phone number; in a CSV file it is the first cell that is one. Blank lines, lines that begin with #, and a first line of headings are skipped. " +
		"Lines without a phone number are named by their line number; the others are still imported, and the exit code is 1. " +
		"A number that is suppressed already keeps its reason and its date, so the same file can be imported again."
}

// imported is what came of a file.
type imported struct {
	numbers int64 // lines with a number
	added   int64 // of those, numbers that were not known
	bad     int64
}

// Run imports numbers. Held requests of suppressed numbers are closed at the end, as suppress add does.
func (c *suppressImport) Run(s env) error {
	file, size, err := openImport(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	st, err := store.OpenExisting(s.ctx, string(c.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	done, closed, err := c.importAll(s, st, file, size)
	if err = errors.Join(err, st.Close()); err != nil {
		return fmt.Errorf("stopped after %s: %w. What was imported stays; the same command can be run again", numbered(done.numbers, "number"), err)
	}
	fmt.Fprintf(s.stdout, "Numbers read: %s. New: %s. Known already: %s. Held requests closed: %s.\n",
		grouped(done.numbers), grouped(done.added), grouped(done.numbers-done.added), grouped(int64(closed)))
	if done.bad > 0 {
		return fmt.Errorf("lines without a phone number: %s; everything else was imported", grouped(done.bad))
	}
	return nil
}

// openImport opens a file, and says how large it is, or 0 where nobody knows.
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

func (c *suppressImport) importAll(s env, st *store.Store, file io.Reader, size int64) (done imported, closed int, err error) {
	p := newProgress(s.stderr)
	defer p.end()
	now := time.Now()
	batch := make([]string, 0, store.SuppressBatch)
	flush := func() error {
		added, err := st.SuppressMany(s.ctx, batch, c.Reason, now)
		done.added += added
		batch = batch[:0]
		return err
	}
	in := &phoneLines{lines: bufio.NewScanner(file), bad: func(line int64) { done.bad++; complain(s, p, done.bad, line) }}
	in.lines.Buffer(make([]byte, 64<<10), 1<<20)
	for in.next(s.ctx) {
		batch = append(batch, in.phone)
		if done.numbers++; len(batch) == cap(batch) {
			if err := flush(); err != nil {
				return done, 0, err
			}
			p.tell(in.progress(done.numbers, size))
		}
	}
	if err := errors.Join(in.err(), s.ctx.Err()); err != nil {
		return done, 0, err
	}
	if err := flush(); err != nil {
		return done, 0, err
	}
	if err := st.Refresh(s.ctx); err != nil {
		return done, 0, err
	}
	p.tell(store.Progress{What: "closing held requests"})
	closed, err = st.CloseHeldSuppressed(s.ctx, lead.Change{At: now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: numberSuppressed})
	return done, closed, err
}

// progress guesses how many numbers there are from how long the lines were so far.
func (in *phoneLines) progress(numbers, size int64) store.Progress {
	p := store.Progress{What: "importing", Done: numbers, Unit: "numbers"}
	if size > 0 && in.bytes > 0 {
		p.Of = max(numbers, int64(float64(size)/float64(in.bytes)*float64(numbers)))
	}
	return p
}

// mostBadLines is how many bad lines are named one by one.
const mostBadLines = 50

// complain names a bad line. What stands in it is not repeated: nobody knows what file was taken.
func complain(s env, p *progress, count, line int64) {
	switch {
	case count <= mostBadLines:
		p.aside(s.stderr, fmt.Sprintf("line %d: no phone number; a number has ten digits, such as 305-555-0123", line))
	case count == mostBadLines+1:
		p.aside(s.stderr, "… more lines without a phone number are only counted")
	}
}

// phoneLines reads one phone number from each line.
type phoneLines struct {
	lines *bufio.Scanner
	bad   func(line int64)
	phone string
	line  int64
	seen  bool // a line that was not skipped
	bytes int64
}

// next finds the next line with a phone number.
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
		if !first || hasDigit(text) { // else it is the headings
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
