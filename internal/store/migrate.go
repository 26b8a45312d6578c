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

// migrate brings the tables up to date. Those of a newer program are left as they are, and refused.
func migrate(ctx context.Context, dialect goose.Dialect, db *sql.DB, files fs.FS, options ...goose.ProviderOption) error {
	provider, err := migrator(dialect, db, files, options...)
	if err != nil {
		return err
	}
	if _, err = provider.Up(ctx); err != nil {
		return err
	}
	tables, known, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	return checkNotNewer(tables, known)
}

func migrator(dialect goose.Dialect, db *sql.DB, files fs.FS, options ...goose.ProviderOption) (*goose.Provider, error) {
	folder, err := fs.Sub(files, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(dialect, db, folder, options...)
}
