package main

import (
	"errors"
	"fmt"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/demo"
	"foyer/internal/store"
	"foyer/internal/terminal"
)

// simMonth has a database of its own, and no variable for it: made-up leads must not get among real ones by accident.
type simMonth struct {
	Database config.Database `default:"sqlite:demo.db" placeholder:"URL" help:"The database to fill: a new one, or one without leads and buyers (default: ${default})."`
	Keys     config.Keys     `default:"file:demo.keys" placeholder:"SOURCE" help:"Where its secret keys are kept (default: ${default})."`
	Leads    int             `default:"2400" placeholder:"N" help:"How many people ask, 100 to 100000 (default: ${default})."`
	Until    string          `placeholder:"DATE" help:"When the month ends, such as 2026-11-01. Default: now. With the same date and seed, the month is the same."`
	Seed     uint64          `default:"1" placeholder:"NUMBER" help:"Another number makes another month (default: ${default})."`
	until    time.Time
}

// Help says what is in a month.
func (*simMonth) Help() string {
	return "The month has buyers with prices, caps, hours and balances, some of which fail or return leads; sources with costs; statements, privacy requests, and a few things that still wait for you. " +
		"Everything is stored as the service would have stored it. Nothing is sent anywhere, and nobody in it exists: phone numbers are reserved for fiction. " +
		"A service that runs on the database treats it like any other, and would try to reach the buyers, at addresses under example.com that do not exist."
}

// AfterApply reports everything wrong with the flags before anything is opened.
func (c *simMonth) AfterApply() error {
	if c.Leads < 100 || c.Leads > 100_000 {
		return errors.New("--leads: write a number from 100 to 100000")
	}
	c.until = time.Now()
	if c.Until == "" {
		return nil
	}
	day, err := time.Parse(time.DateOnly, c.Until)
	switch {
	case err != nil:
		return errors.New("--until: write a date such as 2026-11-01")
	case day.After(c.until):
		return errors.New("--until: write a date that is not in the future; leads from then would be newer than those to come")
	case day.Year() < 2024:
		return errors.New("--until: write a date from 2024 on")
	}
	c.until = day
	return nil
}

// Run fills the database.
func (c *simMonth) Run(e cli.Env) error {
	p := terminal.NewProgress(e.Stderr)
	month := demo.Month{Until: c.until, Leads: c.Leads, Seed: c.Seed, Progress: func(day int) {
		p.Set(terminal.Step{What: "making up a month", Done: int64(day), Of: demo.Days, Unit: "days"})
	}}
	err := app.FillMonth(e.Ctx, config.Data{Database: c.Database, Keys: c.Keys}, month, e.By)
	p.End()
	if err != nil {
		return err
	}
	flags := fmt.Sprintf("--database %s --keys %s", store.Redacted(string(c.Database)), c.Keys)
	return cli.Sentence("%s has a made-up month up to %s. Look at it:\n  foyer report leads %s\n  foyer buyers list %s\n  foyer leads list %s", store.Redacted(string(c.Database)), c.until.UTC().Format("2006-01-02 15:04 MST"), flags, flags, flags)(e.Stdout)
}
