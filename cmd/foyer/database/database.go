// Package database has the commands that maintain a database, its backups and its keys. It reads flags and prints; package dbadmin has
// the work.
package database

import (
	"cmp"
	"fmt"
	"io"

	"foyer/cmd/foyer/cli"
	"foyer/internal/config"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// DB are the commands that maintain the database.
type DB struct {
	Migrate dbMigrate `cmd:"" help:"Bring the tables up to date. The service also does this when it starts."`
	Status  dbStatus  `cmd:"" help:"Show the state of the database. Exits 1 if its tables are older or newer than this foyer."`
	Check   dbCheck   `cmd:"" help:"Check for damage and inconsistencies, also while the service runs. Exits 1 if there are any."`
	Copy    dbCopy    `cmd:"" help:"Move everything to another database, from SQLite to PostgreSQL or back."`
	Reopen  dbReopen  `cmd:"" help:"Use a database again that was moved with db copy."`
}

type dbMigrate struct {
	config.Data
}

// Run applies pending migrations.
func (c *dbMigrate) Run(e cli.Env) error {
	p := terminal.NewProgress(e.Stderr)
	done, err := dbadmin.Migrate(e.Ctx, string(c.Database), watch(p))
	p.End()
	if err != nil {
		return err
	}
	for _, m := range done {
		fmt.Fprintf(e.Stdout, "migration %d, %s: applied\n", m.Version, m.Name)
	}
	if len(done) == 0 {
		fmt.Fprintf(e.Stdout, "The tables of %s are up to date. Nothing to do.\n", store.Redacted(string(c.Database)))
	}
	return nil
}

type dbStatus struct {
	config.Data
	JSON bool `help:"Print one JSON object."`
}

// Run shows the state of the database.
func (c *dbStatus) Run(e cli.Env) error {
	now, err := dbadmin.Inspect(e.Ctx, string(c.Database))
	if err != nil {
		return err
	}
	if err := e.Print(c.JSON, statusObject(now), func(w io.Writer) error { return report.PrintFields(w, statusFields(now)) }); err != nil {
		return err
	}
	if n := now.Pending(); n > 0 {
		return fmt.Errorf("pending migrations: %d. Apply them with foyer db migrate", n)
	}
	return now.Newer()
}

// statuses are the statuses of stored leads, in the order of the published API.
var statuses = []lead.Status{lead.Received, lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Errored}

func statusObject(now dbadmin.DatabaseStatus) wire.Object {
	steps := make([]wire.Object, len(now.Migrations))
	for i, m := range now.Migrations {
		steps[i] = wire.Object{{"version", m.Version}, {"name", m.Name}, {"applied", m.Applied}}
	}
	o := wire.Object{
		{"engine", now.Engine},
		{"database", now.Database},
		{"size_bytes", now.Size},
		{"migrations", steps},
		{"pending", now.Pending()},
		{"unfinished_copy", now.Copying},
		{"moved_to", wire.OrNull(now.MovedTo)},
	}
	if now.Leads == nil {
		return o
	}
	var leads wire.Object
	for _, status := range statuses {
		leads = append(leads, [2]any{string(status), now.Leads[status]})
	}
	return append(o, wire.Object{{"leads", leads}, {"on_their_way", now.Deliveries}, {"not_indexed", now.NotIndexed}, {"not_counted", now.NotCounted}}...)
}

// statusFields is the state of the database as text.
func statusFields(now dbadmin.DatabaseStatus) wire.Object {
	megabytes := terminal.Number((now.Size + 999_999) / 1_000_000)
	fields := wire.Object{{"engine", now.Engine}, {"database", now.Database}, {"size on disk", megabytes + " MB"}}
	for _, m := range now.Migrations {
		state := "applied"
		if !m.Applied {
			state = "pending"
		}
		fields = append(fields, wire.Member{fmt.Sprintf("migration %d, %s", m.Version, cmp.Or(m.Name, "unknown to this foyer")), state})
	}
	if now.Copying {
		fields = append(fields, wire.Member{"copy", "not finished; run foyer db copy again: it starts again"})
	}
	fields = append(fields, wire.Member{"moved to", now.MovedTo})
	if now.Leads == nil {
		return fields
	}
	for _, status := range statuses {
		fields = append(fields, wire.Member{"leads " + string(status), terminal.Number(now.Leads[status])})
	}
	return append(fields, wire.Member{"on their way", terminal.Number(now.Deliveries)}, wire.Member{"not in the search index yet", terminal.Number(now.NotIndexed)},
		wire.Member{"not in the reports yet", terminal.Number(now.NotCounted)})
}

// watch returns the callback that feeds a line of progress, or none.
func watch(p *terminal.Progress) db.Watch {
	if !p.Shown() {
		return nil
	}
	return func(now db.Progress) { p.Set(terminal.Step(now)) }
}

type dbCheck struct {
	config.Data
	JSON bool `help:"Print one JSON object per line."`
}

// Help explains what is checked.
func (*dbCheck) Help() string {
	return "Runs the engine's own check, reads every lead the way the service does, and verifies that related data is complete: " +
		"consent texts, history, offers, cap counters, deliveries. " +
		"Leads are named by their ids; nothing else about them is printed. The check sees one snapshot: on SQLite the log beside the file grows until it ends."
}

// Run checks for damage. Remarks are printed but are no failure.
func (c *dbCheck) Run(e cli.Env) error {
	findings := int64(0)
	p := terminal.NewProgress(e.Stderr)
	leads, err := dbadmin.Check(e.Ctx, string(c.Database), watch(p), func(f db.Finding) {
		word := "remark: "
		if !f.Mild {
			findings++
			word = ""
		}
		p.Clear()
		if c.JSON {
			_ = e.PrintLine(wire.Object{{"finding", f.What}, {"remedy", f.Remedy}, {"remark", f.Mild}})
			return
		}
		fmt.Fprintf(e.Stdout, "%s%s. Remedy: %s\n", word, f.What, f.Remedy)
	})
	p.End()
	switch {
	case err != nil:
		return err
	case findings > 0:
		return fmt.Errorf("findings: %s", terminal.Number(findings))
	case !c.JSON:
		fmt.Fprintf(e.Stdout, "%s is sound: %s, and all related data.\n", store.Redacted(string(c.Database)), terminal.Count(leads, "lead"))
	}
	return nil
}
