package leads

import (
	"errors"
	"fmt"
	"math"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// Suppress are the commands about suppressed phone numbers.
type Suppress struct {
	Add    suppressAdd    `cmd:"" help:"Refuse requests with this phone number from now on, and close the held ones."`
	Import suppressImport `cmd:"" help:"Add phone numbers from a text or CSV file."`
	Remove suppressRemove `cmd:"" help:"Accept requests with this phone number again."`
	List   suppressList   `cmd:"" help:"List the suppressed numbers."`
}

type suppressAdd struct {
	config.Data
	Phone  string `arg:"" help:"US phone number, for example 305-555-0123."`
	Reason string `default:"asked not to be contacted" placeholder:"TEXT" help:"Why (default: ${default})."`
}

// Run adds a number. A running service knows it within two seconds.
func (c *suppressAdd) Run(e cli.Env) error {
	phone, err := parsePhone(c.Phone)
	if err != nil {
		return err
	}
	return e.WithoutKeys(c.Data, func(op *operator.Operator) error {
		closed, err := op.Suppress(e.Ctx, e.By, phone, c.Reason)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(e.Stdout, "%s is suppressed; held requests closed: %d. A service that runs refuses it within two seconds.\n", phone, closed)
		return err
	})
}

type suppressRemove struct {
	config.Data
	Phone string `arg:"" help:"US phone number."`
}

// Run removes a number.
func (c *suppressRemove) Run(e cli.Env) error {
	phone, err := parsePhone(c.Phone)
	if err != nil {
		return err
	}
	return e.WithoutKeys(c.Data, func(op *operator.Operator) error {
		found, err := op.Unsuppress(e.Ctx, e.By, phone)
		switch {
		case err != nil:
			return err
		case !found:
			return errors.New("this number is not suppressed")
		}
		_, err = fmt.Fprintln(e.Stdout, phone, "is no longer suppressed.")
		return err
	})
}

func parsePhone(text string) (string, error) {
	phone, ok := lead.Phone(text)
	if !ok {
		return "", errors.New("the phone number is not right: give a 10-digit US number, for example 305-555-0123")
	}
	return phone, nil
}

type suppressList struct {
	config.Data
}

// Run lists the numbers.
func (c *suppressList) Run(e cli.Env) error {
	return e.WithReader(c.Data, func(tx *store.Tx) error {
		list, err := tx.Suppressions().List(time.Now().Add(24*time.Hour), 0, math.MaxInt32)
		if err != nil {
			return err
		}
		return cli.PrintList(e, false, list, nil, "PHONE\tSINCE\tREASON", func(s store.Suppression) []any {
			return []any{s.Phone, terminal.Time(s.CreatedAt), terminal.OneLine(s.Reason)}
		})
	})
}

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

// Run imports numbers. At the end it closes held requests with suppressed numbers, as suppress add does.
func (c *suppressImport) Run(e cli.Env) error {
	file, size, err := cli.OpenInput(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	var done operator.SuppressionsImported
	err = e.WithoutKeys(c.Data, func(op *operator.Operator) (err error) {
		p := terminal.NewProgress(e.Stderr)
		defer p.End()
		bad := int64(0)
		done, err = op.ImportSuppressions(e.Ctx, e.By, file, operator.SuppressionImport{
			Reason:   c.Reason,
			BadLine:  func(line int64) { bad++; printBadLine(e, p, bad, line) },
			Progress: func(numbers, bytes int64) { p.Set(importProgress(numbers, bytes, size)) },
		})
		return err
	})
	if err != nil {
		return fmt.Errorf("stopped after %s: %w. What was imported stays; the same command can be run again", terminal.Count(done.Numbers, "number"), err)
	}
	fmt.Fprintf(e.Stdout, "Numbers read: %s. New: %s. Known already: %s. Held requests closed: %s.\n",
		terminal.Number(done.Numbers), terminal.Number(done.Added), terminal.Number(done.Numbers-done.Added), terminal.Number(int64(done.Closed)))
	if done.Bad > 0 {
		return fmt.Errorf("lines without a phone number: %s; everything else was imported", terminal.Number(done.Bad))
	}
	return nil
}

// importProgress estimates the total from the average line length so far.
func importProgress(numbers, bytes, size int64) terminal.Step {
	p := terminal.Step{What: "importing", Done: numbers, Unit: "numbers"}
	if size > 0 && bytes > 0 {
		p.Of = max(numbers, int64(float64(size)/float64(bytes)*float64(numbers)))
	}
	return p
}

// maxBadLines is how many bad lines are reported one by one.
const maxBadLines = 50

// printBadLine reports a bad line by its number. It does not repeat the content: the file may be the wrong one, with
// anything in it.
func printBadLine(e cli.Env, p *terminal.Progress, count, line int64) {
	switch {
	case count <= maxBadLines:
		p.Clear()
		fmt.Fprintf(e.Stderr, "line %d: no phone number; a number has ten digits, such as 305-555-0123\n", line)
	case count == maxBadLines+1:
		p.Clear()
		fmt.Fprintln(e.Stderr, "… more lines without a phone number are only counted")
	}
}
