package postgres

import (
	"strings"
	"testing"

	"foyer/internal/store/db"
)

// A remote server must prove its identity.
func TestCheckFindsUnverifiedConnections(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://foyer@127.0.0.1/foyer":                                       "",
		"postgres://foyer@localhost/foyer":                                       "",
		"postgres://foyer@[::1]/foyer":                                           "",
		"postgres://foyer@/foyer?host=/run/postgresql":                           "",
		"postgres://foyer@db.example.com/foyer":                                  "db.example.com:5432",
		"postgres://foyer@db.example.com/foyer?sslmode=disable":                  "db.example.com:5432",
		"postgres://foyer@db.example.com/foyer?sslmode=require":                  "db.example.com:5432",
		"postgres://foyer@db.example.com/foyer?sslmode=verify-full":              "",
		"postgres://foyer@192.0.2.7:6000/foyer?sslmode=prefer":                   "192.0.2.7:6000",
		"postgres://foyer@localhost,db2.example.com/foyer":                       "db2.example.com:5432",
		"postgres://foyer@db1.example.com,db2.example.com/foyer?sslmode=require": "db1.example.com:5432 db2.example.com:5432",
	} {
		server, err := New(address)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		server.checkEncryption(func(f db.Finding) {
			_, rest, _ := strings.Cut(f.What, "the connection to ")
			host, _, _ := strings.Cut(rest, " is not verified")
			found = append(found, host)
		})
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: found %q, want %q", address, got, want)
		}
	}
}
