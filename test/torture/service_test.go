package torture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// service is a running binary.
type service struct {
	t       *testing.T
	cmd     *exec.Cmd
	url     string
	took    time.Duration // from its start to its first answer
	address chan string
	mu      sync.Mutex
	log     bytes.Buffer  // without the line of each request
	ended   chan struct{} // closed after the end of the process
}

// launch starts a binary on the database in a folder, and does not wait for it.
func launch(t *testing.T, program, folder string) *service {
	t.Helper()
	s := &service{t: t, address: make(chan string, 1), ended: make(chan struct{})}
	s.cmd = exec.Command(program, "--addr", "127.0.0.1:0", "--database", database(folder), "--rate-limit", "off")
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // not even a test that is killed leaves one behind
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FOYER_") && !strings.HasPrefix(v, "PORT=") {
			s.cmd.Env = append(s.cmd.Env, v)
		}
	}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go s.follow(stderr)
	t.Cleanup(s.kill)
	return s
}

// serve starts a binary and waits until it says that it is well.
func serve(t *testing.T, program, folder string) *service {
	t.Helper()
	began := time.Now()
	s := launch(t, program, folder)
	select {
	case a := <-s.address:
		s.url = "http://" + a
	case <-s.ended:
		t.Fatalf("the service did not start:\n%s", s.logs())
	case <-time.After(20 * time.Second):
		t.Fatalf("the service did not say where it listens:\n%s", s.logs())
	}
	if status, body := s.get("/health"); status != http.StatusOK {
		t.Fatalf("health after the start: %d %s\n%s", status, body, s.logs())
	}
	s.took = time.Since(began)
	return s
}

func database(folder string) string { return "sqlite:" + filepath.Join(folder, "foyer.db") }

// follow keeps the log and finds the address in it.
func (s *service) follow(stderr io.Reader) {
	defer close(s.ended)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Address != "" {
			s.address <- line.Address
		}
		if line.Msg != "request" {
			s.mu.Lock()
			s.log.WriteString(lines.Text() + "\n")
			s.mu.Unlock()
		}
	}
	_ = s.cmd.Wait()
}

func (s *service) logs() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// kill ends the process as a crash would, and waits until it is gone.
func (s *service) kill() {
	_ = s.cmd.Process.Kill()
	<-s.ended
}

// stop asks the process to end, and returns its exit code.
func (s *service) stop() int {
	s.t.Helper()
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.t.Fatalf("the service did not stop:\n%s", s.logs())
	}
	return s.cmd.ProcessState.ExitCode()
}

// stopInOrder wants the process to end as one does that has nothing to hide.
func (s *service) stopInOrder() {
	s.t.Helper()
	if code := s.stop(); code != 0 {
		s.t.Errorf("exit code %d\n%s", code, s.logs())
	}
}

var visitor = &http.Client{Timeout: 10 * time.Second, Transport: &http.Transport{DisableKeepAlives: true}}

func (s *service) get(path string) (int, string) {
	s.t.Helper()
	res, err := visitor.Get(s.url + path)
	return s.answer(res, err)
}

func (s *service) post(path, body string) (int, string) {
	s.t.Helper()
	res, err := visitor.Post(s.url+path, "application/json", strings.NewReader(body))
	return s.answer(res, err)
}

func (s *service) answer(res *http.Response, err error) (int, string) {
	s.t.Helper()
	if err != nil {
		s.t.Errorf("no answer: %v\n%s", err, s.logs())
		return 0, ""
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Errorf("half an answer: %v\n%s", err, s.logs())
	}
	return res.StatusCode, string(body)
}

// servesTheNumber looks whether people still get the plumber's number, whatever the disk does.
func (s *service) servesTheNumber() {
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
