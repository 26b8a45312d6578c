package store

import (
	"context"
	"database/sql"
	"embed"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the tables up to date.
func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, files fs.FS, options ...goose.ProviderOption) error {
	provider, err := migrator(dialect, db, files, options...)
	if err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

func migrator(dialect goose.Dialect, db *sql.DB, files fs.FS, options ...goose.ProviderOption) (*goose.Provider, error) {
	folder, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, db, folder, options...)
}
