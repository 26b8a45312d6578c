package torture

import (
	"database/sql"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/test/binary"
	"foyer/test/stopwatch"
)

// service is a running binary.
type service struct {
	*binary.Process
	t    *testing.T
	took time.Duration // from its start to its first answer, less what the machine kept it waiting for a processor
}

// launch starts a binary on a database, and does not wait for it. Of flags given twice, the last wins.
func launch(t *testing.T, program, dbURL string, flags ...string) *service {
	t.Helper()
	flags = append([]string{"--allow-private-buyers", "--rate-limit", rateLimit(dbURL)}, flags...)
	return &service{Process: binary.Launch(t, program, dbURL, flags...), t: t}
}

// rateLimit is the limit for clients. Processes that share a database count together, and the tests must exercise that; no
// client reaches the limit itself.
func rateLimit(dbURL string) string {
	if onServer(dbURL) {
		return "999999/second burst 999999"
	}
	return "off"
}

// serve starts a binary and waits until it is healthy.
func serve(t *testing.T, program, dbURL string, flags ...string) *service {
	t.Helper()
	watch := stopwatch.Start()
	s := launch(t, program, dbURL, flags...)
	s.Await()
	if status, body := s.get("/health"); status != http.StatusOK {
		t.Fatalf("health after the start: %d %s\n%s", status, body, s.Remarks())
	}
	s.took = max(0, watch.Stop()-s.Waited())
	return s
}

// database returns the setting for the file in a folder.
func database(folder string) string { return "sqlite:" + filepath.Join(folder, "foyer.db") }

// onServer reports whether a setting names a PostgreSQL database.
func onServer(dbURL string) bool { return strings.HasPrefix(dbURL, "postgres://") }

// open opens a database directly, without the service.
func open(t *testing.T, dbURL string) *sql.DB {
	t.Helper()
	driver, name := "pgx", dbURL
	if path, file := strings.CutPrefix(dbURL, "sqlite:"); file {
		driver, name = "sqlite", "file:"+path
	}
	db, err := sql.Open(driver, name)
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// stopGracefully wants the process to stop with exit code 0.
func (s *service) stopGracefully() {
	s.t.Helper()
	if code := s.Stop(); code != 0 {
		s.t.Errorf("exit code %d\n%s", code, s.Remarks())
	}
}

var httpClient = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func (s *service) get(path string) (int, string) {
	s.t.Helper()
	res, err := httpClient.Get(s.URL + path)
	return s.answer(res, err)
}

func (s *service) post(path, body string) (int, string) {
	s.t.Helper()
	res, err := httpClient.Post(s.URL+path, "application/json", strings.NewReader(body))
	return s.answer(res, err)
}

func (s *service) answer(res *http.Response, err error) (int, string) {
	s.t.Helper()
	if err != nil {
		s.t.Errorf("no answer: %v\n%s", err, s.Remarks())
		return 0, ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Errorf("half an answer: %v\n%s", err, s.Remarks())
	}
	return res.StatusCode, string(body)
}

// wantPlumbingNumber checks that people still get the plumber's number, whatever the disk does.
func (s *service) wantPlumbingNumber() {
	s.t.Helper()
	for _, path := range []string{"/v1/services", "/plumbing"} {
		if status, body := s.get(path); status != http.StatusOK || !strings.Contains(body, "(800) 555-0199") {
			s.t.Errorf("%s: %d without the number", path, status)
		}
	}
	if _, body := s.post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_plumbing_call_number"}}`); !strings.Contains(body, "+18005550199") {
		s.t.Errorf("the tool does not hand out the number: %s", body)
	}
}
