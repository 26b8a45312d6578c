package main

import (
	"fmt"
	"os"

	"foyer/internal/config"
	"foyer/internal/operator"
)

type buyersImport struct {
	buyerFlags
	File    string `arg:"" help:"A CSV file, or - for standard input."`
	Replace bool   `help:"Replace the list instead of adding to it."`
	Exclude bool   `help:"Import them as ZIP codes that the buyer does not cover."`
}

// Run reads the whole file before it changes anything.
func (c *buyersImport) Run(e env) error {
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	zips, err := operator.ReadZIPs(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return c.withBuyer(e, config.Network{}, func(op *operator.Operator) error {
		b, before, err := op.Import(e.ctx, e.by, c.ID, operator.Import{ZIPs: zips, Replace: c.Replace, Exclude: c.Exclude})
		if err != nil {
			return err
		}
		return c.printChanged(e, op, b.ID, fmt.Sprintf("%s (%s): ZIP codes read: %d. It covered %s; now it covers %s.",
			b.ID, b.Terms.Name, len(zips), operator.Area(before), operator.Area(b.Terms.Area)))
	})
}

func (c *buyersImport) open() (*os.File, error) {
	if c.File == "-" {
		return os.Stdin, nil
	}
	return os.Open(c.File)
}
