package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/dbadmin"
	"foyer/internal/store"
	"foyer/internal/store/migrations"
	"foyer/internal/terminal"
)

type dbCopy struct {
	From config.Database `required:"" placeholder:"URL" help:"The database to copy, sqlite:PATH or postgres://…"`
	To   config.Database `required:"" placeholder:"URL" help:"Where to: a new file, or an empty database on a server."`
}

// Help explains how a copy works.
func (*dbCopy) Help() string {
	return "Stop the service first: nothing may write to either side. Missing tables are created. " +
		"Every row is copied and then read back; both sides must give the same hash. If a copy is interrupted, the same command starts again from the beginning, " +
		"and no service starts on an unfinished copy. A target that holds other data is refused. " +
		"The source keeps everything and stays readable. It is marked as moved: no service starts on it and no command changes it until foyer db reopen."
}

// Run copies a database.
func (c *dbCopy) Run(e cli.Env) error {
	p := terminal.NewProgress(e.Stderr)
	done, err := dbadmin.CopyTo(e.Ctx, string(c.From), string(c.To), watch(p))
	p.End()
	switch {
	case e.Ctx.Err() != nil && err != nil:
		return errors.New("stopped. Run the same command again: it starts from the beginning")
	case err != nil:
		return err
	}
	written := false
	for _, t := range done {
		written = written || t.Written
		fmt.Fprintf(e.Stdout, "%s %s, sha256 %.16s… on both sides\n", t.Table, terminal.Count(t.Rows, "row"), t.Hash)
	}
	fmt.Fprintf(e.Stdout, "allowances are not copied: %s\n", migrations.Transient["allowances"])
	if !written {
		fmt.Fprint(e.Stdout, "Everything was already there. ")
	}
	fmt.Fprintf(e.Stdout, "%s now holds everything from %s: start the service on it. The source is marked as moved.\n", store.Redacted(string(c.To)), store.Redacted(string(c.From)))
	if slices.ContainsFunc(done, func(t dbadmin.Copied) bool { return t.Table == "keys" && t.Rows > 0 }) {
		c.printKeyNote(e)
	}
	return nil
}

// printKeyNote says which key file a service on the target needs. A database holds only the ids of the keys.
func (c *dbCopy) printKeyNote(e cli.Env) {
	from, to := defaultKeyFile(c.From), defaultKeyFile(c.To)
	fmt.Fprintf(e.Stdout, "The key file is not copied, and the service needs the same one: %s, unless the setting keys names another.", from)
	if from != to {
		fmt.Fprintf(e.Stdout, " Copy it to %s, or name it with --keys.", to)
	}
	fmt.Fprintln(e.Stdout)
}

// defaultKeyFile is where a service looks for the keys of a database by default. For a database server, this command cannot
// know the service's working folder.
func defaultKeyFile(d config.Database) string {
	if strings.HasPrefix(string(d), "sqlite:") {
		return config.Data{Database: d}.KeyFile()
	}
	return "foyer.keys in the working folder of the service"
}

type dbReopen struct {
	config.Data
}

// Help explains when to reopen a database.
func (*dbReopen) Help() string {
	return "After foyer db copy, the source is marked as moved. This removes the mark, so that the service can run there again, with the data as of the move. " +
		"First stop the service on the copy for good: what it received stays there, and leads could be sold twice."
}

// Run removes the mark that the database was moved.
func (c *dbReopen) Run(e cli.Env) error {
	where, err := dbadmin.Reopen(e.Ctx, string(c.Database))
	if err != nil {
		return err
	}
	name := store.Redacted(string(c.Database))
	if where == "" {
		fmt.Fprintf(e.Stdout, "%s was not moved. Nothing to do.\n", name)
		return nil
	}
	fmt.Fprintf(e.Stdout, "%s is in use again. Do not start a service on %s again.\n", name, where)
	return nil
}

// Backup copies the database into a new file.
type Backup struct {
	config.Data
	File string `arg:"" help:"New file for the copy. It holds names and phone numbers: protect it like the database."`
}

// Run copies the database.
func (c *Backup) Run(e cli.Env) error {
	p := terminal.NewProgress(e.Stderr)
	made, err := dbadmin.BackUp(e.Ctx, string(c.Database), c.File, watch(p))
	p.End()
	if err != nil {
		return err
	}
	if err := dbadmin.NoteBackup(e.Ctx, string(c.Database), time.Now()); err != nil {
		fmt.Fprintln(e.Stderr, "foyer: the backup is complete, but the database could not note its time, which the alert backup_old looks at:", terminal.Escape(err.Error()))
	}
	_, err = fmt.Fprintf(e.Stdout, "backup: %s in %s (%s MB), checked\n%s\n",
		terminal.Count(made.Leads, "lead"), c.File, terminal.Number((made.Bytes+999_999)/1_000_000), c.keysNote())
	return err
}

// keysNote reminds the operator of the key file, and warns if it is missing: a missing file cannot be copied.
func (c *Backup) keysNote() string {
	if _, err := os.Stat(c.KeyFile()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("WARNING: the keys are not in it, and %s is missing: no service starts on this backup without that file. Look for your copy of it, or name it with --keys.", c.KeyFile())
	}
	return fmt.Sprintf("The keys are not in it: keep a copy of %s as well, in another place.", c.KeyFile())
}
