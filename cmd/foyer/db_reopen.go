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
	return "After foyer db copy the source is marked as moved. This takes the mark away, so that the service can go on there, as it was at the move. " +
		"Stop the service on the copy first, for good: what came in there stays there, and leads would be sold twice."
}

// Run takes the mark away.
func (c *dbReopen) Run(s stage) error {
	where, err := store.Reopen(s.ctx, string(c.Database))
	if err != nil {
		return err
	}
	name := store.Named(string(c.Database))
	if where == "" {
		fmt.Fprintf(s.stdout, "%s was not moved: there was nothing to do.\n", name)
		return nil
	}
	fmt.Fprintf(s.stdout, "%s is used again. Start no service on %s any more.\n", name, where)
	return nil
}
