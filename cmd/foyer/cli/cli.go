// Package cli has what the commands share: what they run with, how they open the database, the flags that several of them take, and how
// they print. It has no command of its own, and decides nothing.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"foyer/internal/app"
	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
)

// Env is what a command runs with: its context, who typed it, and its standard streams. Stdout escapes whatever a terminal would
// act on.
type Env struct {
	Ctx    context.Context
	By     audit.Actor
	Stdin  *os.File
	Stdout io.Writer
	Stderr io.Writer
}

// WithOperator opens an existing database for an operator command that sends nothing to a buyer.
func (e Env) WithOperator(d config.Data, do func(*operator.Operator) error) error {
	return e.WithSender(d, config.Network{}, do)
}

// WithSender is WithOperator for a command that may send something, or checks where something will be sent.
func (e Env) WithSender(d config.Data, n config.Network, do func(*operator.Operator) error) error {
	op, err := app.OpenOperator(e.Ctx, d, n.AllowPrivate, e.By)
	if err != nil {
		return err
	}
	e.printKeysMade(op.KeysMade)
	return errors.Join(do(op.Operator), op.Close())
}

// WithNewOperator is WithSender for a command that creates the database if there is none, and says so.
func (e Env) WithNewOperator(d config.Data, n config.Network, do func(*operator.Operator) error) error {
	op, made, err := app.NewOperator(e.Ctx, d, n.AllowPrivate, e.By)
	if err != nil {
		return err
	}
	if made {
		fmt.Fprintf(e.Stderr, "foyer: there was no database at %s: a new one was made\n", store.Redacted(string(d.Database)))
	}
	e.printKeysMade(op.KeysMade)
	return errors.Join(do(op.Operator), op.Close())
}

// printKeysMade tells the operator that a command has generated the keys along the way.
func (e Env) printKeysMade(file string) {
	if file != "" {
		fmt.Fprintf(e.Stderr, "foyer: key file created: %s. Keep a copy of it, apart from the database and its backups\n", file)
	}
}

// WithoutKeys opens an existing database for a command that must work even if the key file is missing.
func (e Env) WithoutKeys(d config.Data, do func(*operator.Operator) error) error {
	op, err := app.OpenWithoutKeys(e.Ctx, d)
	if err != nil {
		return err
	}
	return errors.Join(do(op.Operator), op.Close())
}

// WithReader opens an existing database for a command that only reads. All its queries see one snapshot.
func (e Env) WithReader(d config.Data, do func(*store.Tx) error) error {
	reader, err := store.OpenReader(e.Ctx, string(d.Database))
	if err != nil {
		return err
	}
	defer reader.Close()
	return reader.View(e.Ctx, do)
}

// ErrorText returns the message that a client would get for an error, or the error itself if there is none.
func ErrorText(err error) string {
	if le, ok := errors.AsType[*lead.Error](err); ok && le.Message != "" {
		return le.Message
	}
	return err.Error()
}
