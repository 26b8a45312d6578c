package hostile

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"foyer/internal/store"
)

// service is a running binary, and what it said it kept.
type service struct {
	t        *testing.T
	cmd      *exec.Cmd
	address  string
	database string
	mu       sync.Mutex
	log      bytes.Buffer
	accepted []string      // the lead_id of every acceptance that was read
	ended    chan struct{} // closed at the end of the log
}

// serve starts the binary. When the test ends, it must be alive and well.
func serve(t *testing.T) *service {
	t.Helper()
	s := &service{t: t, database: "sqlite:" + filepath.Join(t.TempDir(), "foyer.db"), ended: make(chan struct{})}
	s.cmd = exec.Command(binary, "--addr", "127.0.0.1:0", "--database", s.database, "--rate-limit", "off")
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
	found := make(chan string, 1)
	go s.follow(stderr, found)
	t.Cleanup(func() { s.cmd.Process.Kill(); <-s.ended; s.cmd.Wait() })
	select {
	case s.address = <-found:
	case <-s.ended:
		t.Fatalf("the service did not start:\n%s", s.logs())
	case <-time.After(20 * time.Second):
		t.Fatalf("the service did not say where it listens:\n%s", s.logs())
	}
	t.Cleanup(s.wantWell)
	return s
}

// follow keeps the log, without the line of each request, and finds the address in it.
func (s *service) follow(stderr io.Reader, found chan<- string) {
	defer close(s.ended)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Address != "" {
			found <- line.Address
		}
		if line.Msg != "request" {
			s.mu.Lock()
			s.log.WriteString(lines.Text() + "\n")
			s.mu.Unlock()
		}
	}
}

func (s *service) logs() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// wantWell looks whether the attack left a trace: the service answers, has seen no bug, and holds what it accepted and
// nothing else.
func (s *service) wantWell() {
	if s.t.Skipped() {
		return
	}
	res, err := (&http.Client{Timeout: 10 * time.Second}).Get("http://" + s.address + "/health")
	if err != nil {
		s.t.Fatalf("after the attack: %v\n%s", err, s.logs())
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		s.t.Errorf("after the attack: health is %d", res.StatusCode)
	}
	if strings.Contains(s.logs(), `"level":"ERROR"`) {
		s.t.Errorf("the attack found a bug:\n%s", s.logs())
	}
	s.mu.Lock()
	accepted := slices.Clone(s.accepted)
	s.mu.Unlock()
	for _, id := range s.stored() {
		i := slices.Index(accepted, id)
		if i < 0 {
			s.t.Errorf("%s was stored, and nobody was told so", id)
			continue
		}
		accepted = slices.Delete(accepted, i, i+1)
	}
	if len(accepted) > 0 {
		s.t.Errorf("accepted and not stored: %v", accepted)
	}
}

// stored are the leads in the database.
func (s *service) stored() []string {
	s.t.Helper()
	ctx := context.Background() // that of the test has ended when its cleanups run
	reader, err := store.OpenReader(ctx, s.database)
	if err != nil {
		s.t.Fatal(err)
	}
	defer reader.Close()
	leads, err := reader.Newest(ctx, 100_000)
	if err != nil {
		s.t.Fatal(err)
	}
	ids := make([]string, len(leads))
	for i, l := range leads {
		ids[i] = l.ID
	}
	return ids
}
