package main

import (
	"fmt"
	"strconv"

	"foyer/internal/config"
	"foyer/internal/store"
)

type backup struct {
	config.Data
	File string `arg:"" help:"New file for the copy. It holds names and phone numbers: protect it like the database."`
}

// Run copies the database.
func (c *backup) Run(s stage) error {
	p := newProgress(s.stderr)
	made, err := store.BackUp(s.ctx, string(c.Database), c.File, p.watchers()...)
	p.end()
	if err != nil {
		return err
	}
	noun := "leads"
	if made.Leads == 1 {
		noun = "lead"
	}
	_, err = fmt.Fprintf(s.stdout, "backup: %s %s in %s (%s MB), checked\nThe keys are not in it: keep a copy of %s as well, in another place.\n",
		grouped(made.Leads), noun, c.File, grouped((made.Bytes+999_999)/1_000_000), c.KeyFile())
	return err
}

// grouped writes a number that people read: 512,340.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
