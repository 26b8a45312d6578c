package main

import (
	"fmt"
	"os"

	"foyer/internal/config"
	"foyer/internal/operator"
)

type buyersImport struct {
	oneBuyer
	File    string `arg:"" help:"A CSV file, or - for standard input."`
	Replace bool   `help:"Replace the list instead of adding to it."`
	Exclude bool   `help:"Import them as ZIP codes that the buyer does not cover."`
}

// Run reads the file to its end before anything is changed.
func (c *buyersImport) Run(s env) error {
	file, err := c.open()
	if err != nil {
		return err
	}
	defer file.Close()
	zips, err := operator.ReadZIPs(file)
	if err != nil {
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return c.at(s, config.Network{}, func(d *operator.Operator) error {
		b, before, err := d.Import(s.ctx, c.ID, operator.Import{ZIPs: zips, Replace: c.Replace, Exclude: c.Exclude})
		if err != nil {
			return err
		}
		return c.card(s, d, b.ID, fmt.Sprintf("%s (%s): ZIP codes read: %d. It covered %s; now it covers %s.",
			b.ID, b.Terms.Name, len(zips), operator.Area(before), operator.Area(b.Terms.Area)))
	})
}

func (c *buyersImport) open() (*os.File, error) {
	if c.File == "-" {
		return os.Stdin, nil
	}
	return os.Open(c.File)
}
