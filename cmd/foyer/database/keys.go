package database

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"foyer/cmd/foyer/cli"
	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/keyring"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// Keys are the commands about the secret keys of a database.
type Keys struct {
	Init keysInit `cmd:"" help:"Make the keys of a database, where it has none, and register them with it."`
	List keysList `cmd:"" help:"List the keys of a database, without what is secret."`
}

type keysInit struct {
	config.Data
	Replace bool `help:"Go on with the keys of the file, new ones if there is none, where the database was used with keys that are lost."`
}

// Help explains when to run the command.
func (*keysInit) Help() string {
	return "The service makes the keys itself when it first starts. With several machines on one PostgreSQL, make them here on one of them, " +
		"and copy the file to the others before they start. Typed again, it changes nothing. " +
		"With --replace, forms that are open in browsers become invalid, a person who asks again is not recognized, and buyers know leads by other ids from now on. Stop every service first."
}

// Run generates and registers keys.
func (c *keysInit) Run(e cli.Env) error {
	ready, err := app.InitKeys(e.Ctx, e.By, c.Data, c.Replace)
	if err != nil {
		return err
	}
	name := store.Redacted(string(c.Database))
	switch {
	case ready.Replaced:
		fmt.Fprintf(e.Stdout, "%s goes on with the keys in %s. Those that it was used with are forgotten.\n", name, c.KeyFile())
	case ready.Registered:
		fmt.Fprintf(e.Stdout, "%s is used with the keys in %s from now on.\n", name, c.KeyFile())
	default:
		fmt.Fprintf(e.Stdout, "%s is used with the keys in %s already: there was nothing to do.\n", name, c.KeyFile())
		return nil
	}
	fmt.Fprintln(e.Stdout, "Keep a copy of the file, apart from the database and its backups. Every machine that runs foyer on this database needs it, readable by its owner alone.")
	return nil
}

type keysList struct {
	config.Data
	JSON bool `help:"One JSON object a line, for programs."`
}

// listedKey is a key of the file, of the database, or of both.
type listedKey struct {
	id      string
	created time.Time // zero if not in the file
	since   time.Time // zero if not registered in the database
}

// Run lists the keys of the file and of the database, and reports whether they match.
func (c *keysList) Run(e cli.Env) error {
	list, err := c.collect(e)
	if err != nil {
		return err
	}
	name := store.Redacted(string(c.Database))
	if !c.JSON {
		fmt.Fprintf(e.Stdout, "file      %s\ndatabase  %s\n\n", c.KeyFile(), name)
	}
	err = cli.PrintList(e, c.JSON, list, func(k listedKey) wire.Object {
		return wire.Object{{"key_id", k.id}, {"name", string(keyring.NameOf(k.id))}, {"created_at", wire.TimeOrNull(k.created)}, {"database", name}, {"registered_at", wire.TimeOrNull(k.since)}}
	}, "NAME\tKEY\tMADE (UTC)\tIN THE DATABASE SINCE (UTC)", func(k listedKey) []any {
		return []any{keyring.NameOf(k.id), k.id, timeOr(k.created, "not in the file"), timeOr(k.since, "not registered")}
	})
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(k listedKey) bool { return k.created.IsZero() }) {
		return errors.New("keys of the database are missing in the file: copy the right one there")
	}
	return nil
}

func timeOr(at time.Time, otherwise string) string {
	if at.IsZero() {
		return otherwise
	}
	return at.UTC().Format(time.DateTime)
}

// collect joins the keys of both: those of the file first, in its order.
func (c *keysList) collect(e cli.Env) (list []listedKey, err error) {
	var registered []store.RegisteredKey
	if err := e.WithReader(c.Data, func(tx *store.Tx) (err error) { registered, err = tx.Keys().List(); return err }); err != nil {
		return nil, err
	}
	ring, err := keyring.Open(c.KeyFile())
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(registered) > 0:
		ring = &keyring.Ring{}
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there are no keys yet: the service makes them when it first starts, or foyer keys init")
	case err != nil:
		return nil, err
	}
	for _, k := range ring.Keys() {
		list = append(list, listedKey{id: k.ID, created: k.Created})
	}
	for _, r := range registered {
		at := slices.IndexFunc(list, func(k listedKey) bool { return k.id == r.ID })
		if at < 0 {
			at, list = len(list), append(list, listedKey{id: r.ID})
		}
		list[at].since = r.Since
	}
	return list, nil
}
