package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/store"
	"foyer/internal/wire"
)

type dbCheck struct {
	config.Data
	JSON bool `help:"Print one JSON object per line."`
}

// Help tells what is looked at.
func (*dbCheck) Help() string {
	return "Runs the engine's own check, reads every lead the way the service does, and verifies that related data is complete: " +
		"consent texts, history, offers, cap counters, deliveries. " +
		"Leads are named by their ids; nothing else about them is printed. The check sees one snapshot: on SQLite the log beside the file grows until it ends."
}

// Run looks for damage. Remarks are printed, and are no reason to fail.
func (c *dbCheck) Run(s env) error {
	findings := int64(0)
	p := newProgress(s.stderr)
	leads, err := store.Check(s.ctx, string(c.Database), func(f store.Finding) {
		if !f.Mild {
			findings++
		}
		p.clear()
		c.print(s, f)
	}, p.watchers()...)
	p.end()
	switch {
	case err != nil:
		return err
	case findings > 0:
		return fmt.Errorf("findings: %s", grouped(findings))
	case !c.JSON:
		fmt.Fprintf(s.stdout, "%s is sound: %s, and all related data.\n", store.Redacted(string(c.Database)), numbered(leads, "lead"))
	}
	return nil
}

func (c *dbCheck) print(s env, f store.Finding) {
	if c.JSON {
		fmt.Fprintf(s.stdout, "%s\n", wire.Marshal(wire.Object{{"finding", f.What}, {"remedy", f.Remedy}, {"remark", f.Mild}}))
		return
	}
	word := ""
	if f.Mild {
		word = "remark: "
	}
	fmt.Fprintf(s.stdout, "%s%s. Remedy: %s\n", word, f.What, f.Remedy)
}
