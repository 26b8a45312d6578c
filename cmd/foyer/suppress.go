package main

import (
	"errors"
	"fmt"
	"log/slog"
	"text/tabwriter"
	"time"

	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/store"
)

type suppress struct {
	Add    suppressAdd    `cmd:"" help:"Refuse requests with this phone number from now on, and close the held ones."`
	Import suppressImport `cmd:"" help:"Add phone numbers from a text or CSV file."`
	Remove suppressRemove `cmd:"" help:"Accept requests with this phone number again."`
	List   suppressList   `cmd:"" help:"List the suppressed numbers."`
}

// numberSuppressed is the reason in the history of a held lead that was closed.
const numberSuppressed = "number suppressed"

type suppressAdd struct {
	config.Data
	Phone  string `arg:"" help:"US phone number, for example 305-555-0123."`
	Reason string `default:"asked not to be contacted" placeholder:"TEXT" help:"Why (default: ${default})."`
}

// Run adds a number. A running service knows it within two seconds.
func (c *suppressAdd) Run(e env) error {
	return withStore(e, c.Data, c.Phone, func(st *store.Store, phone string) error {
		now := time.Now()
		if err := st.Suppress(e.ctx, store.Suppression{Phone: phone, Reason: c.Reason, CreatedAt: now}); err != nil {
			return err
		}
		closed, err := st.CloseHeldOf(e.ctx, phone, lead.Change{At: now, Status: lead.Rejected, Actor: lead.ByOperator, Reason: numberSuppressed})
		if err == nil {
			fmt.Fprintf(e.stdout, "%s is suppressed; held requests closed: %d.\n", phone, closed)
		}
		return err
	})
}

type suppressRemove struct {
	config.Data
	Phone string `arg:"" help:"US phone number."`
}

// Run removes a number.
func (c *suppressRemove) Run(e env) error {
	return withStore(e, c.Data, c.Phone, func(st *store.Store, phone string) error {
		found, err := st.Unsuppress(e.ctx, phone)
		switch {
		case err != nil:
			return err
		case !found:
			return errors.New("this number is not suppressed")
		}
		fmt.Fprintln(e.stdout, phone, "is no longer suppressed.")
		return nil
	})
}

type suppressList struct {
	config.Data
}

// Run lists the numbers.
func (c *suppressList) Run(e env) error {
	reader, err := store.OpenReader(e.ctx, string(c.Database))
	if err != nil {
		return err
	}
	defer reader.Close()
	list, err := reader.Suppressions(e.ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "PHONE\tSINCE\tREASON")
	for _, sup := range list {
		fmt.Fprintf(table, "%s\t%s\t%s\n", sup.Phone, timeText(sup.CreatedAt), oneLine(sup.Reason))
	}
	return table.Flush()
}

// withStore validates the number and opens the store for a command that changes it.
func withStore(e env, d config.Data, text string, do func(*store.Store, string) error) error {
	phone, ok := lead.Phone(text)
	if !ok {
		return errors.New("the phone number is not right: give a 10-digit US number, for example 305-555-0123")
	}
	st, err := store.OpenExisting(e.ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	return errors.Join(do(st, phone), st.Close())
}
