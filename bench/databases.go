package main

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"

	"foyer/test/postgres"
)

// testDatabase is the database of a store.
type testDatabase struct {
	database string
	folder   string               // of the service, for its log and its database file
	driver   string               // for reading the database from here
	address  string               // in the driver's format
	clear    func() error         // empties the database
	isSeeded func() bool          // reports whether an earlier run filled the database
	cpu      func() time.Duration // of the database server, so far
}

// newSQLite returns a database file in its own folder.
func newSQLite(folder, name string) (testDatabase, error) {
	home := subfolder(folder, name)
	file := filepath.Join(home, "foyer.db")
	return testDatabase{
		database: "sqlite:" + file, folder: home, driver: "sqlite", address: "file:" + file + "?mode=ro",
		clear:    func() error { return errors.Join(os.RemoveAll(home), os.MkdirAll(home, 0o700)) },
		isSeeded: func() bool { _, err := os.Stat(file); return err == nil },
		cpu:      func() time.Duration { return 0 },
	}, nil
}

// newPostgres creates a database on a PostgreSQL server started for this.
func newPostgres(s *postgres.Server, folder, name string) (testDatabase, error) {
	database, err := s.NewDatabase()
	if err != nil {
		return testDatabase{}, err
	}
	return testDatabase{
		database: database, folder: subfolder(folder, name), driver: "pgx", address: database,
		clear: func() error {
			_, err := s.Exec(filepath.Base(database), "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
			return err
		},
		isSeeded: func() bool { return false },
		cpu:      func() time.Duration { return postgresCPU(s) },
	}, nil
}

// sampleIDs returns ids spread over the leads that a store began with.
func (g *testDatabase) sampleIDs(leads int) ([]string, error) {
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
	n := min(maxLookups, leads)
	ids := make([]string, n)
	for i := range ids {
		// A stride that shares no factor with n jumps around, as people do: neighbors would find their database pages in
		// the cache.
		at := 1 + i*7919%n*(leads/n)
		if err := ask.QueryRow(at).Scan(&ids[i]); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
