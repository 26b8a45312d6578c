// Package apptest runs the whole service in the process of a test, on a real database and a real socket: the one way for tests to have
// it there. Tests of the built binary use foyer/test/binary.
//
// It checks every response against the OpenAPI document that the service serves, and leaves everything else to the tests.
package apptest

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/alecthomas/kong"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/operator/access"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// Service is a running service.
type Service struct {
	URL      string
	Database string
	Data     config.Data // the database and its keys
	answered sync.Map    // by operation: a *sync.Map of statuses
}

// Start runs the service with the given flags, on a database of its own, until the test ends.
func Start(t *testing.T, flags ...string) *Service {
	t.Helper()
	return StartOn(t, storetest.Database(t), flags...)
}

// StartOn runs the service on a database on which other services may already run.
func StartOn(t *testing.T, database string, flags ...string) *Service {
	t.Helper()
	return StartWithLog(t, database, slog.New(slog.NewJSONHandler(io.Discard, nil)), flags...)
}

// StartWithLog is StartOn with the logger that the service writes to.
func StartWithLog(t *testing.T, database string, log *slog.Logger, flags ...string) *Service {
	t.Helper()
	s := &Service{Database: database}
	var settings config.Settings
	parser, err := kong.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"--database", s.Database, "--keys", keysOf(t, database)}, flags...)); err != nil {
		t.Fatal(err)
	}
	s.Data = settings.Data
	ctx, cancel := context.WithCancel(t.Context())
	a, err := app.New(ctx, settings, "127.0.0.1:0", log)
	if err != nil {
		t.Fatal(err)
	}
	s.URL = "http://" + a.Addr()
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("the service stopped with: %v", err)
		}
	})
	return s
}

// OpenStore opens the database beside the running service, as an operator's command does.
func (s *Service) OpenStore(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.OpenExisting(t.Context(), s.Database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// Token adds a token for the operator's API.
func (s *Service) Token(t *testing.T, n access.NewToken) string {
	t.Helper()
	op, err := app.OpenOperator(t.Context(), s.Data, false, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	defer op.Close()
	n.Days = cmp.Or(n.Days, 1)
	_, text, err := op.Access().AddToken(t.Context(), "cli:test", n)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// keyDirs maps PostgreSQL databases to the directories of their key files, which by default would be the source directory.
var keyDirs sync.Map

// keysOf returns the --keys setting of a database, the same for all services on it.
func keysOf(t *testing.T, database string) string {
	t.Helper()
	if strings.HasPrefix(database, "sqlite:") {
		return "file:foyer.keys"
	}
	dir, known := keyDirs.Load(database)
	if !known {
		dir, _ = keyDirs.LoadOrStore(database, t.TempDir())
	}
	return "file:" + filepath.Join(dir.(string), "foyer.keys")
}

// Reader opens the service's database for reading.
func (s *Service) Reader(t *testing.T) storetest.Reader {
	t.Helper()
	return storetest.OpenReader(t, s.Database)
}

// WantAddresses wants the client's address in every entry of the audit trail by actors with a prefix, of which there must be some.
func (s *Service) WantAddresses(t *testing.T, actors string) {
	t.Helper()
	entries, err := s.Reader(t).Audit(t.Context(), store.AuditFilter{Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, e := range entries {
		if !strings.HasPrefix(string(e.Actor), actors) {
			continue
		}
		if found++; e.Detail["address"] != "127.0.0.1" {
			t.Errorf("the entry of %s has the address %v", e.Action, e.Detail["address"])
		}
	}
	if found == 0 {
		t.Errorf("no entry by %s", actors)
	}
}

// Suppress adds a number as an operator does, beside the running service.
func (s *Service) Suppress(t *testing.T, phone string) {
	t.Helper()
	storetest.Suppress(t, s.OpenStore(t), phone)
}

// Reply is a response whose body has been read.
type Reply struct {
	Status int
	Header http.Header
	Body   []byte
}

// Client does not follow redirects: the tests check them.
var Client = &http.Client{Transport: &http.Transport{DisableCompression: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// Send sends a request and checks the response against the OpenAPI document; headers come in pairs.
func (s *Service) Send(t *testing.T, method, path, body string, headers ...string) Reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers) && headers[i] != ""; i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := Client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	r := Reply{res.StatusCode, res.Header, text}
	checkOpenAPI(t, s, req, r)
	return r
}

// RPC sends one message to the MCP endpoint.
func (s *Service) RPC(t *testing.T, message string) Reply {
	t.Helper()
	return s.Send(t, http.MethodPost, "/mcp", message, "Content-Type", "application/json",
		"Accept", "application/json, text/event-stream", "MCP-Protocol-Version", "2025-11-25")
}
