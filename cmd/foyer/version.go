package main

import (
	"fmt"

	"foyer/internal/app"
	"foyer/internal/catalog"
)

type version struct{}

// Run prints the version and, where it is known, the commit of this build.
func (version) Run(s env) error {
	line := "foyer " + catalog.Version
	if commit := app.Revision(); commit != "" {
		line += " (" + commit + ")"
	}
	_, err := fmt.Fprintln(s.stdout, line)
	return err
}
