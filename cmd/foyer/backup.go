package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"foyer/internal/config"
	"foyer/internal/dbadmin"
	"foyer/internal/terminal"
)

type backup struct {
	config.Data
	File string `arg:"" help:"New file for the copy. It holds names and phone numbers: protect it like the database."`
}

// Run copies the database.
func (c *backup) Run(e env) error {
	p := terminal.NewProgress(e.stderr)
	made, err := dbadmin.BackUp(e.ctx, string(c.Database), c.File, watch(p))
	p.End()
	if err != nil {
		return err
	}
	noun := "leads"
	if made.Leads == 1 {
		noun = "lead"
	}
	_, err = fmt.Fprintf(e.stdout, "backup: %s %s in %s (%s MB), checked\n%s\n",
		terminal.Number(made.Leads), noun, c.File, terminal.Number((made.Bytes+999_999)/1_000_000), c.keysNote())
	return err
}

// keysNote reminds the operator of the key file, and warns if it is missing: a missing file cannot be copied.
func (c *backup) keysNote() string {
	if _, err := os.Stat(c.KeyFile()); errors.Is(err, fs.ErrNotExist) {
		return fmt.Sprintf("WARNING: the keys are not in it, and %s is missing: no service starts on this backup without that file. Look for your copy of it, or name it with --keys.", c.KeyFile())
	}
	return fmt.Sprintf("The keys are not in it: keep a copy of %s as well, in another place.", c.KeyFile())
}
