package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// URL returns the URL of a database. The database postgres always exists.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s", s.port, database)
}

// NewDatabase creates an empty database and returns its URL.
func (s *Server) NewDatabase() (string, error) {
	name := "foyer_" + strings.ToLower(rand.Text())
	if _, err := s.Exec("postgres", "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	return s.URL(name), nil
}

// Exec runs statements, each in its own transaction unless they begin one, and returns the rows: one per line, with |
// between the columns. It stops at the first error.
func (s *Server) Exec(database, statements string) (string, error) {
	return Exec(s.binaries, s.URL(database), statements)
}

// Exec is Server.Exec for any database, with the programs in a folder.
func Exec(binaries, url, statements string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	name, err := findPsql(binaries)
	if err != nil {
		return "", err
	}
	psql := exec.CommandContext(ctx, name,
		"--no-psqlrc", "--no-password", "--quiet", "--no-align", "--tuples-only", "--set=ON_ERROR_STOP=1", "--dbname="+url)
	psql.Dir, psql.Env, psql.Stdin = "/", Environment(), strings.NewReader(statements)
	out, err := psql.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return "", fmt.Errorf("psql: %w: %s", err, strings.TrimSpace(string(exit.Stderr)))
	}
	return strings.TrimSpace(string(out)), err
}
