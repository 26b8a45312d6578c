package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
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

// binary is the program, built once for all tests here: they use it as its users do.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "foyer-e2e-")
	if err != nil {
		panic(err)
	}
	binary = filepath.Join(dir, "foyer")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// process is a running service.
type process struct {
	t        *testing.T
	cmd      *exec.Cmd
	url      string
	database string // as the setting names it
	mu       sync.Mutex
	log      bytes.Buffer
	logged   chan struct{} // closed at the end of the log
}

// serve starts the binary on a database in a folder, and waits for the line that says where it listens.
func serve(t *testing.T, folder string, flags ...string) *process {
	t.Helper()
	p := &process{t: t, database: "sqlite:" + filepath.Join(folder, "foyer.db"), logged: make(chan struct{})}
	p.cmd = exec.Command(binary, append([]string{"--addr", "127.0.0.1:0", "--database", p.database}, flags...)...)
	p.cmd.Env = cleanEnv()
	stderr, err := p.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	go p.follow(stderr, address)
	t.Cleanup(func() { p.cmd.Process.Kill(); <-p.logged; p.cmd.Wait() })
	select {
	case a := <-address:
		p.url = "http://" + a
	case <-p.logged:
		t.Fatalf("the service did not start:\n%s", p.logs())
	case <-time.After(10 * time.Second):
		t.Fatalf("the service did not say where it listens:\n%s", p.logs())
	}
	return p
}

// follow keeps the log and finds the address in it.
func (p *process) follow(stderr io.Reader, address chan<- string) {
	defer close(p.logged)
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		p.mu.Lock()
		p.log.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Address != "" {
			address <- line.Address
		}
	}
}

func (p *process) logs() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// stop asks the service to end and returns its exit code.
func (p *process) stop() int {
	p.t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	select {
	case <-p.logged:
	case <-time.After(30 * time.Second):
		p.t.Fatalf("the service did not stop:\n%s", p.logs())
	}
	_ = p.cmd.Wait()
	return p.cmd.ProcessState.ExitCode()
}

// run runs the binary to its end.
func run(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = cleanEnv()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	_ = cmd.Run()
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// cleanEnv is the environment without settings of whoever runs the tests.
func cleanEnv(with ...string) []string {
	env := with
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FOYER_") && !strings.HasPrefix(v, "PORT=") {
			env = append(env, v)
		}
	}
	return env
}

var client = &http.Client{
	Timeout:       20 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// post sends a body and returns the status, the body and the headers of the answer.
func (p *process) post(path, contentType, body string) (int, []byte, http.Header) {
	p.t.Helper()
	res, err := client.Post(p.url+path, contentType, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, text, res.Header
}

func (p *process) get(path string) (int, []byte) {
	p.t.Helper()
	res, err := client.Get(p.url + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res.StatusCode, text
}

const goodLead = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}`

// submit sends a good request and returns its lead_id.
func (p *process) submit() string {
	p.t.Helper()
	status, body, _ := p.post("/v1/intake", "application/json", goodLead)
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(body, &receipt); err != nil || status != http.StatusAccepted {
		p.t.Fatalf("got %d %s", status, body)
	}
	return receipt.LeadID
}
