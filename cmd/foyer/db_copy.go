package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"foyer/internal/config"
	"foyer/internal/store"
)

type dbCopy struct {
	From config.Database `required:"" placeholder:"URL" help:"The database to copy, sqlite:PATH or postgres://…"`
	To   config.Database `required:"" placeholder:"URL" help:"Where to: a new file, or an empty database on a server."`
}

// Help tells what happens.
func (*dbCopy) Help() string {
	return "Stop the service first: nothing may write to either side. Missing tables are created. " +
		"Every row is copied and then read back; both sides must give the same hash. If a copy is interrupted, the same command starts again from the beginning, " +
		"and no service starts on an unfinished copy. A target that holds other data is refused. " +
		"The source keeps everything and stays readable. It is marked as moved: no service starts on it and no command changes it until foyer db reopen."
}

// Run copies a database.
func (c *dbCopy) Run(s env) error {
	p := newProgress(s.stderr)
	done, err := store.CopyTo(s.ctx, string(c.From), string(c.To), p.copied)
	p.end()
	switch {
	case s.ctx.Err() != nil && err != nil:
		return errors.New("stopped. Run the same command again: it starts from the beginning")
	case err != nil:
		return err
	}
	written := false
	for _, t := range done {
		written = written || t.Written
		fmt.Fprintf(s.stdout, "%s %s, sha256 %.16s… on both sides\n", t.Table, numbered(t.Rows, "row"), t.Hash)
	}
	fmt.Fprintf(s.stdout, "allowances are not copied: %s\n", store.NotCopied["allowances"])
	if !written {
		fmt.Fprint(s.stdout, "Everything was already there. ")
	}
	fmt.Fprintf(s.stdout, "%s now holds everything from %s: start the service on it. The source is marked as moved.\n", store.Redacted(string(c.To)), store.Redacted(string(c.From)))
	if slices.ContainsFunc(done, func(t store.Copied) bool { return t.Table == "keys" && t.Rows > 0 }) {
		c.tellOfKeys(s)
	}
	return nil
}

// tellOfKeys says which file a service on the target needs. Only the ids of the keys are in a database.
func (c *dbCopy) tellOfKeys(s env) {
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
