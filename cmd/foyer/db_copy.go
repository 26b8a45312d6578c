package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"foyer/internal/config"
	"foyer/internal/store"
)

type dbCopy struct {
	From config.Database `required:"" placeholder:"URL" help:"The database to copy, sqlite:PATH or postgres://…"`
	To   config.Database `required:"" placeholder:"URL" help:"Where to: a new file, or an empty database on a server."`
}

// Help tells what happens.
func (*dbCopy) Help() string {
	return "Stop the service first: nothing may write to either side. Tables are made where they are missing. " +
		"Every row is copied and then read again; both sides must give the same hash. A copy that was stopped, however it ended, goes on where it stopped with the same command, " +
		"and no service starts on a half of one. A target that holds other data is refused. " +
		"The source keeps everything and can be read. It is marked as moved: no service starts on it, and no command changes it, before foyer db reopen."
}

// Run copies a database.
func (c *dbCopy) Run(s stage) error {
	p := newProgress(s.stderr)
	done, err := store.CopyTo(s.ctx, string(c.From), string(c.To), p.tell)
	p.end()
	switch {
	case s.ctx.Err() != nil && err != nil:
		return errors.New("stopped. The same command goes on where this one stopped")
	case err != nil:
		return err
	}
	written := int64(0)
	for _, t := range done {
		written += t.Written
		fmt.Fprintf(s.stdout, "%s %s, sha256 %.16s… on both sides\n", t.Table, numbered(t.Rows, "row"), t.Hash)
	}
	fmt.Fprintf(s.stdout, "allowances are not copied: %s\n", store.Left["allowances"])
	if written == 0 {
		fmt.Fprint(s.stdout, "Everything was there already. ")
	}
	fmt.Fprintf(s.stdout, "%s holds what %s holds: start the service on it. The other is marked as moved.\n", store.Named(string(c.To)), store.Named(string(c.From)))
	if slices.ContainsFunc(done, func(t store.Copied) bool { return t.Table == "keys" && t.Rows > 0 }) {
		c.tellOfKeys(s)
	}
	return nil
}

// tellOfKeys says which file a service on the target needs. Only the ids of the keys are in a database.
func (c *dbCopy) tellOfKeys(s stage) {
	from, to := usualKeyFile(c.From), usualKeyFile(c.To)
	fmt.Fprintf(s.stdout, "The key file is not copied, and the service needs the same one: %s, unless the setting keys names another.", from)
	if from != to {
		fmt.Fprintf(s.stdout, " Copy it to %s, or name it with --keys.", to)
	}
	fmt.Fprintln(s.stdout)
}

// usualKeyFile is where a service finds the keys of a database unless it is told otherwise. In which folder one works that
// uses a server, this command cannot know.
func usualKeyFile(d config.Database) string {
	if strings.HasPrefix(string(d), "sqlite:") {
		return config.Data{Database: d}.KeyFile()
	}
	return "foyer.keys in the working folder of the service"
}

// progress is one line on a terminal that tells how far a copy is.
type progress struct {
	out   io.Writer // nil where nobody looks
	said  time.Time
	table store.Copying
	began time.Time // with this table
}

func newProgress(w io.Writer) *progress {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return &progress{out: w}
	}
	return &progress{}
}

func (p *progress) tell(c store.Copying) {
	if p.out == nil {
		return
	}
	now := time.Now()
	if c.Table != p.table.Table || c.Again != p.table.Again {
		p.table, p.began = c, now
	}
	if now.Sub(p.said) < time.Second {
		return
	}
	p.said = now
	verb := "copying"
	if c.Again {
		verb = "reading again"
	}
	pace := float64(c.Rows-p.table.Rows) / max(now.Sub(p.began).Seconds(), 0.001)
	fmt.Fprintf(p.out, "\r\x1b[K%s %s: %s of %s rows, %s a second", verb, c.Table, grouped(c.Rows), grouped(c.Of), grouped(int64(pace)))
}

// end clears the line.
func (p *progress) end() {
	if p.out != nil && !p.said.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
