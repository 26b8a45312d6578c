package main

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"

	"foyer/test/postgres"
)

// ground is what a store stands on.
type ground struct {
	database string
	folder   string               // of the service, for its log, and of the file where there is one
	driver   string               // that reads it from here
	address  string               // as the driver wants it
	clear    func() error         // makes it empty
	planted  func() bool          // says that it was filled by an earlier run
	cpu      func() time.Duration // of a server below, so far
}

// onDisk is a file in a folder of its own.
func onDisk(folder, name string) (ground, error) {
	home := sub(folder, name)
	file := filepath.Join(home, "foyer.db")
	return ground{
		database: "sqlite:" + file, folder: home, driver: "sqlite", address: "file:" + file + "?mode=ro",
		clear:   func() error { return errors.Join(os.RemoveAll(home), os.MkdirAll(home, 0o700)) },
		planted: func() bool { _, err := os.Stat(file); return err == nil },
		cpu:     func() time.Duration { return 0 },
	}, nil
}

// onServer is a database of a PostgreSQL server that was started for this.
func onServer(s *postgres.Server, folder, name string) (ground, error) {
	database, err := s.NewDatabase()
	if err != nil {
		return ground{}, err
	}
	return ground{
		database: database, folder: sub(folder, name), driver: "pgx", address: database,
		clear: func() error {
			_, err := s.Exec(filepath.Base(database), "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
			return err
		},
		planted: func() bool { return false },
		cpu:     func() time.Duration { return computing(s) },
	}, nil
}

// idsOf are ids spread over the leads that a store began with.
func (g *ground) idsOf(leads int) ([]string, error) {
	db, err := sql.Open(g.driver, g.address)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	ask, err := db.Prepare(`SELECT id FROM leads WHERE seq = $1`)
	if err != nil {
		return nil, err
	}
	defer ask.Close()
	n := min(lookedUp, leads)
	ids := make([]string, n)
	for i := range ids {
		// A stride that shares no factor with n jumps about, as people do: neighbours would find their pages still warm.
		at := 1 + i*7919%n*(leads/n)
		if err := ask.QueryRow(at).Scan(&ids[i]); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
