package store

import (
	"context"
	"errors"
	"strings"

	"foyer/internal/store/db"
	"foyer/internal/store/postgres"
	"foyer/internal/store/sqlite"
)

// EngineFor returns the engine for a database address.
func EngineFor(database string) (db.Engine, error) {
	path, found := strings.CutPrefix(database, "sqlite:")
	switch {
	case found && path != "":
		return sqlite.New(path), nil
	case strings.HasPrefix(database, "postgres://"), strings.HasPrefix(database, "postgresql://"):
		return postgres.New(database)
	}
	return nil, errors.New("database: only sqlite:PATH and postgres://… are supported") // the address may contain a password
}

// Redacted returns the address of a database without its password.
func Redacted(database string) string {
	e, err := EngineFor(database)
	if err != nil {
		return "an unknown database"
	}
	return e.String()
}

// ExistingEngine is EngineFor for a database that must exist.
func ExistingEngine(ctx context.Context, database string) (db.Engine, error) {
	e, err := EngineFor(database)
	if err == nil {
		err = e.Exists(ctx)
	}
	return e, err
}

// Exists reports whether there is a database at an address.
func Exists(ctx context.Context, database string) (bool, error) {
	_, err := ExistingEngine(ctx, database)
	if _, missing := errors.AsType[db.ErrMissing](err); missing {
		return false, nil
	}
	return err == nil, err
}
