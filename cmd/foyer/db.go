package main

import (
	"fmt"
	"text/tabwriter"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
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

// Run brings the tables up to date.
func (c *dbMigrate) Run(s env) error {
	p := newProgress(s.stderr)
	done, err := store.Migrate(s.ctx, string(c.Database), p.watchers()...)
	p.end()
	if err != nil {
		return err
	}
	for _, m := range done {
		fmt.Fprintf(s.stdout, "migration %d, %s: applied\n", m.Version, m.Name)
	}
	if len(done) == 0 {
		fmt.Fprintf(s.stdout, "The tables of %s are up to date. Nothing to do.\n", store.Redacted(string(c.Database)))
	}
	return nil
}

type dbStatus struct {
	config.Data
	JSON bool `help:"Print one JSON object."`
}

// Run shows how the database stands.
func (c *dbStatus) Run(s env) error {
	now, err := store.Inspect(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	if c.JSON {
		_, err = s.stdout.Write(wire.MarshalIndent(conditionObject(now)))
	} else {
		err = printCondition(s, now)
	}
	if err != nil {
		return err
	}
	if n := now.Pending(); n > 0 {
		return fmt.Errorf("pending migrations: %d. Apply them with foyer db migrate", n)
	}
	return now.Newer()
}

// kept are the statuses in which leads are kept, in the order of the published interface.
var kept = []lead.Status{lead.Received, lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Errored}

func conditionObject(now store.DatabaseStatus) wire.Object {
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
		{"moved_to", orNull(now.MovedTo)},
	}
	if now.Leads == nil {
		return o
	}
	var leads wire.Object
	for _, status := range kept {
		leads = append(leads, [2]any{string(status), now.Leads[status]})
	}
	return append(o, wire.Object{{"leads", leads}, {"on_their_way", now.Deliveries}}...)
}

func printCondition(s env, now store.DatabaseStatus) error {
	table := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "engine\t%s\ndatabase\t%s\nsize on disk\t%s MB\n", now.Engine, now.Database, grouped((now.Size+999_999)/1_000_000))
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
		for _, status := range kept {
			fmt.Fprintf(table, "leads %s\t%s\n", status, grouped(now.Leads[status]))
		}
		fmt.Fprintf(table, "on their way\t%s\n", grouped(now.Deliveries))
	}
	return table.Flush()
}

// numbered writes how many there are of something.
func numbered(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}
