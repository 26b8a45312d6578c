package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/store"
	"foyer/internal/wire"
)

type dbCheck struct {
	config.Data
	JSON bool `help:"One JSON object a line, for programs."`
}

// Help tells what is looked at.
func (*dbCheck) Help() string {
	return "It has the engine look for damage, reads every lead as the service would, and wants everything that belongs together to be there: " +
		"words of consent, history, offers, what counts towards caps, what is on its way. " +
		"Leads are named by their ids; nothing else of them is printed. It sees one moment: on SQLite the log beside the file grows until it ends."
}

// Run looks for damage. Remarks are printed, and are no reason to fail.
func (c *dbCheck) Run(s stage) error {
	findings := int64(0)
	leads, err := store.Check(s.ctx, string(c.Database), func(f store.Finding) {
		if !f.Mild {
			findings++
		}
		c.print(s, f)
	})
	switch {
	case err != nil:
		return err
	case findings > 0:
		return fmt.Errorf("findings: %s", grouped(findings))
	case !c.JSON:
		fmt.Fprintf(s.stdout, "%s is sound: %s, and everything that belongs to them.\n", store.Named(string(c.Database)), numbered(leads, "lead"))
	}
	return nil
}

func (c *dbCheck) print(s stage, f store.Finding) {
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
