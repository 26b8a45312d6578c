package main

import (
	"fmt"

	"foyer/internal/config"
	"foyer/internal/store"
)

type dbReopen struct {
	config.Data
}

// Help tells what it is for.
func (*dbReopen) Help() string {
	return "After foyer db copy, the source is marked as moved. This removes the mark, so that the service can run there again, with the data as of the move. " +
		"First stop the service on the copy for good: what it received stays there, and leads could be sold twice."
}

// Run takes the mark away.
func (c *dbReopen) Run(s env) error {
	where, err := store.Reopen(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	name := store.Redacted(string(c.Database))
	if where == "" {
		fmt.Fprintf(s.stdout, "%s was not moved. Nothing to do.\n", name)
		return nil
	}
	fmt.Fprintf(s.stdout, "%s is in use again. Do not start a service on %s again.\n", name, where)
	return nil
}
