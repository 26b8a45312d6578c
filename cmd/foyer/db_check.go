package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

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
	leads, err := store.Check(e.ctx, string(c.Database), func(f store.Finding) {
		if !f.Mild {
			findings++
		}
		p.Clear()
		c.print(e, f)
	}, watch(p)...)
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

func (c *dbCheck) print(e env, f store.Finding) {
	if c.JSON {
		fmt.Fprintf(e.stdout, "%s\n", wire.Marshal(wire.Object{{"finding", f.What}, {"remedy", f.Remedy}, {"remark", f.Mild}}))
		return
	}
	word := ""
	if f.Mild {
		word = "remark: "
	}
	fmt.Fprintf(e.stdout, "%s%s. Remedy: %s\n", word, f.What, f.Remedy)
}
