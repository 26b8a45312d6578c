package app_test

import (
	"bytes"
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
	"foyer/internal/audit"
	"foyer/internal/config"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// service is the whole program in this process, on a real database and a real socket.
type service struct {
	url      string
	database string
	data     config.Data // the database and its keys
	log      *bytes.Buffer
}

// start runs the service with the given flags, on a database of its own, until the test ends.
func start(t *testing.T, flags ...string) *service {
	t.Helper()
	return startOn(t, storetest.Database(t), flags...)
}

// startOn runs the service on a database on which other services may already run.
func startOn(t *testing.T, database string, flags ...string) *service {
	t.Helper()
	log := &bytes.Buffer{}
	s := startLogging(t, database, slog.New(slog.NewJSONHandler(log, nil)), flags...)
	s.log = log
	return s
}

func startLogging(t *testing.T, database string, log *slog.Logger, flags ...string) *service {
	t.Helper()
	s := &service{database: database}
	var settings config.Settings
	parser, err := kong.New(&settings)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"--database", s.database, "--keys", keysOf(t, database)}, flags...)); err != nil {
		t.Fatal(err)
	}
	s.data = settings.Data
	ctx, cancel := context.WithCancel(t.Context())
	a, err := app.New(ctx, settings, "127.0.0.1:0", log)
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + a.Addr()
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

// reader opens the service's database for reading.
func (s *service) reader(t *testing.T) *store.Reader {
	t.Helper()
	r, err := store.OpenReader(t.Context(), s.database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// suppress adds a number as an operator does, beside the running service.
func (s *service) suppress(t *testing.T, phone string) {
	t.Helper()
	st, err := store.Open(t.Context(), s.database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	storetest.Suppress(t, st, phone)
}

// ada is the operator of the tests.
var ada = audit.CLI("ada")

// reply is a response whose body has been read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// client does not follow redirects: the tests check them.
var client = &http.Client{Transport: &http.Transport{DisableCompression: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// send sends a request and checks the response against the OpenAPI document; headers come in pairs.
func (s *service) send(t *testing.T, method, path, body string, headers ...string) reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers) && headers[i] != ""; i += 2 {
		if headers[i] == "Host" {
			req.Host = headers[i+1]
		}
		req.Header.Add(headers[i], headers[i+1])
	}
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	r := reply{res.StatusCode, res.Header, text}
	checkOpenAPI(t, s, req, r)
	return r
}
