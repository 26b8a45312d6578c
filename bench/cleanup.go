package main

import (
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"foyer/test/postgres"
)

const backlog = 2_000_000 // expired rows

// numbersOf is how each engine counts up to the first parameter.
var numbersOf = map[string]string{
	"sqlite": "(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < $1) SELECT n, lower(hex(randomblob(32))) AS name FROM c) AS rows",
	"pgx":    "(SELECT n, md5(n::text) || md5((-n)::text) AS name FROM generate_series(1, $1::bigint) n) AS rows",
}

// fillKeys writes idempotency keys directly into the tables. Young keys are as much data, but there is nothing to delete.
const fillKeys = `INSERT INTO idempotency_keys (key_hash, request_hash, answer, created_at) SELECT name, name, '{"lead_id":"lead_old"}', $2 + n FROM `

// benchCleanup measures the intake while two million expired keys are deleted, in alternation with one that has as many
// young ones.
func benchCleanup(w io.Writer, binary, folder string, rounds int, duration time.Duration, only string) error {
	if only != "PostgreSQL" {
		if err := benchCleanupOn(w, "SQLite", "sqlite", binary, folder, rounds, duration, func(name string) (string, error) { return sqliteIn(subfolder(folder, name)), nil }); err != nil {
			return err
		}
	}
	if only == "SQLite" {
		return nil
	}
	server, err := postgres.New(postgres.Options{})
	if err != nil {
		return err
	}
	defer server.Close()
	return benchCleanupOn(w, "PostgreSQL", "pgx", binary, folder, rounds, duration, func(string) (string, error) { return server.NewDatabase() })
}

// keyedServer is a service with many idempotency keys.
type keyedServer struct {
	*server
	database string
	p99      []float64
}

func benchCleanupOn(w io.Writer, engine, driver, binary, folder string, rounds int, duration time.Duration, newDatabase func(name string) (string, error)) error {
	var servers []*keyedServer
	defer func() {
		for _, k := range servers {
			k.resume()
			k.kill()
		}
	}()
	for i, name := range []string{"old", "young"} {
		k, err := startKeyedServer(driver, binary, subfolder(folder, driver+"-"+name), name, newDatabase, time.Now().AddDate(0, 0, 2*(i-1)))
		if err != nil {
			return err
		}
		servers = append(servers, k)
	}
	for round := range rounds + 1 {
		fmt.Fprintf(os.Stderr, "\r%s: round %d of %d", engine, round, rounds)
		for _, k := range servers {
			k.resume()
			r, err := runLoad(k.address, variedLead("/v1/intake", 202), 8, duration)
			k.pause()
			if err != nil || r.wrong > 0 || r.done == 0 {
				return fmt.Errorf("%s: %d good, %d wrong, %v", k.name, r.done, r.wrong, err)
			}
			if round > 0 {
				k.p99 = append(k.p99, r.percentile(0.99).Seconds())
			}
		}
	}
	fmt.Fprintln(os.Stderr)
	old, young := servers[0], servers[1]
	gone, err := old.oldKeys(driver)
	if err != nil {
		return err
	}
	ratios := make([]float64, rounds)
	for i := range ratios {
		ratios[i] = old.p99[i] / young.p99[i]
	}
	fmt.Fprintf(w, "%s: intake p99 while %d old keys are deleted / with as many young ones: %s (%.1f ms / %.1f ms); deleted beside it in %.0f s: %d\n",
		engine, backlog, spreadOf(ratios), 1000*spreadOf(old.p99).median, 1000*spreadOf(young.p99).median, (duration * time.Duration(rounds+1)).Seconds(), backlog-gone)
	return finishCleanup(w, engine, driver, old, young, gone)
}

// startKeyedServer creates a database with keys of a given time, and starts a service on it.
func startKeyedServer(driver, binary, folder, name string, newDatabase func(name string) (string, error), at time.Time) (*keyedServer, error) {
	database, err := newDatabase(driver + "-" + name)
	if err != nil {
		return nil, err
	}
	first, err := startFoyer(binary, folder, "--database", database) // creates the tables
	if err != nil {
		return nil, err
	}
	first.kill()
	db, err := openRaw(driver, database)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	if _, err := db.Exec(fillKeys+numbersOf[driver], backlog, at.UnixMicro()); err != nil {
		return nil, err
	}
	if driver == "pgx" {
		if _, err := db.Exec("VACUUM ANALYZE"); err != nil {
			return nil, err
		}
	}
	s, err := startFoyer(binary, folder, "--database", database)
	if err != nil {
		return nil, err
	}
	s.pause()
	return &keyedServer{server: s, database: database}, nil
}

func openRaw(driver, database string) (*sql.DB, error) {
	if path, found := strings.CutPrefix(database, "sqlite:"); found {
		return sql.Open(driver, "file:"+filepath.ToSlash(path)+"?_pragma=busy_timeout(60000)&_pragma=journal_mode(WAL)")
	}
	return sql.Open(driver, database)
}

// oldKeys returns how many expired keys are left.
func (k *keyedServer) oldKeys(driver string) (n int, err error) {
	db, err := openRaw(driver, k.database)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.QueryRow(`SELECT count(*) FROM idempotency_keys WHERE created_at < $1`, time.Now().AddDate(0, 0, -1).UnixMicro()).Scan(&n)
	return n, err
}
