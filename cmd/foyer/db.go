package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

type database struct {
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
func (c *dbMigrate) Run(e env) error {
	p := terminal.NewProgress(e.stderr)
	done, err := dbadmin.Migrate(e.ctx, string(c.Database), watch(p))
	p.End()
	if err != nil {
		return err
	}
	for _, m := range done {
		fmt.Fprintf(e.stdout, "migration %d, %s: applied\n", m.Version, m.Name)
	}
	if len(done) == 0 {
		fmt.Fprintf(e.stdout, "The tables of %s are up to date. Nothing to do.\n", store.Redacted(string(c.Database)))
	}
	return nil
}

type dbStatus struct {
	config.Data
	JSON bool `help:"Print one JSON object."`
}

// Run shows the state of the database.
func (c *dbStatus) Run(e env) error {
	now, err := dbadmin.Inspect(e.ctx, string(c.Database))
	if err != nil {
		return err
	}
	if err := e.print(c.JSON, statusObject(now), func(w io.Writer) error { return printStatus(w, now) }); err != nil {
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
	return append(o, wire.Object{{"leads", leads}, {"on_their_way", now.Deliveries}}...)
}

func printStatus(w io.Writer, now dbadmin.DatabaseStatus) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "engine\t%s\ndatabase\t%s\nsize on disk\t%s MB\n", now.Engine, now.Database, terminal.Number((now.Size+999_999)/1_000_000))
	for _, m := range now.Migrations {
		name, state := m.Name, "applied"
		if name == "" {
			name = "unknown to this foyer"
		}
		if !m.Applied {
			state = "pending"
		}
		fmt.Fprintf(table, "migration %d, %s\t%s\n", m.Version, name, state)
	}
	if now.Copying {
		fmt.Fprintln(table, "copy\tnot finished; run foyer db copy again to continue")
	}
	if now.MovedTo != "" {
		fmt.Fprintf(table, "moved to\t%s\n", now.MovedTo)
	}
	if now.Leads != nil {
		for _, status := range statuses {
			fmt.Fprintf(table, "leads %s\t%s\n", status, terminal.Number(now.Leads[status]))
		}
		fmt.Fprintf(table, "on their way\t%s\n", terminal.Number(now.Deliveries))
	}
	return table.Flush()
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
func (c *dbCheck) Run(e env) error {
	findings := int64(0)
	p := terminal.NewProgress(e.stderr)
	leads, err := dbadmin.Check(e.ctx, string(c.Database), watch(p), func(f db.Finding) {
		if !f.Mild {
			findings++
		}
		p.Clear()
		c.print(e, f)
	})
	p.End()
	switch {
	case err != nil:
		return err
	case findings > 0:
		return fmt.Errorf("findings: %s", terminal.Number(findings))
	case !c.JSON:
		fmt.Fprintf(e.stdout, "%s is sound: %s, and all related data.\n", store.Redacted(string(c.Database)), terminal.Count(leads, "lead"))
	}
	return nil
}

func (c *dbCheck) print(e env, f db.Finding) {
	if c.JSON {
		_ = e.printLine(wire.Object{{"finding", f.What}, {"remedy", f.Remedy}, {"remark", f.Mild}})
		return
	}
	word := ""
	if f.Mild {
		word = "remark: "
	}
	fmt.Fprintf(e.stdout, "%s%s. Remedy: %s\n", word, f.What, f.Remedy)
}
