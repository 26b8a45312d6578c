package hostile

import (
	"bufio"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"foyer/test/stopwatch"
)

const (
	manyIdle  = 10_000
	maxMemory = 320 << 20
)

// TestManyIdleConnections opens ten thousand connections, each of which sends one request and then stays open. Other
// clients are served immediately, and memory stays bounded.
func TestManyIdleConnections(t *testing.T) {
	t.Parallel()
	raiseFileLimit(t, manyIdle+500)
	s := serve(t)
	s.connectMany(t, manyIdle, "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n", true)
	s.wantPrompt(t)
	t.Logf("%d idle connections: %d MB", manyIdle, s.memory(t)>>20)
}

// TestManyHalfSentBodies has thousands of clients begin a request and never finish it. They must not block clients that do.
func TestManyHalfSentBodies(t *testing.T) {
	raiseFileLimit(t, 3500)
	s := serve(t)
	s.connectMany(t, 3000, unframed("{", "Content-Length: 60000"), false)
	s.wantPrompt(t)
	t.Logf("3000 half-sent bodies: %d MB", s.memory(t)>>20)
}

// connectMany opens many connections that each send the same, and read one answer if one is expected.
func (s *service) connectMany(t *testing.T, size int, sent string, answered bool) {
	t.Helper()
	var mu sync.Mutex
	var all []net.Conn
	var failed error
	var opening sync.WaitGroup
	for range 50 {
		opening.Go(func() {
			for range size / 50 {
				conn, err := net.DialTimeout("tcp", s.address, 10*time.Second)
				if err == nil {
					_, err = io.WriteString(conn, sent)
				}
				if err == nil && answered {
					_, err = s.readReply(bufio.NewReader(conn))
				}
				mu.Lock()
				all, failed = append(all, conn), errors.Join(failed, err)
				mu.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	opening.Wait()
	t.Cleanup(func() {
		for _, conn := range all {
			if conn != nil {
				conn.Close()
			}
		}
	})
	if failed != nil {
		t.Fatalf("after %d connections: %v", len(all), failed)
	}
}

// wantPrompt wants other clients to be served as usual.
func (s *service) wantPrompt(t *testing.T) {
	t.Helper()
	for range 20 {
		for request, want := range map[string]int{post("/v1/intake", goodLead, "Connection: close"): 202, "GET /v1/services HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n": 200} {
			watch := stopwatch.Start()
			got, _ := s.exchange(request)
			if len(got) != 1 || got[0].status != want {
				t.Fatalf("others were answered %v, want %d", statuses(got), want)
			}
			if took := watch.Stop(); took > time.Second {
				t.Errorf("others waited %v", took)
			}
		}
	}
	if used := s.memory(t); used > maxMemory {
		t.Errorf("the service uses %d MB", used>>20)
	}
}

// memory returns the resident memory of the process.
func (s *service) memory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile("/proc/" + itoa(s.Cmd.Process.Pid) + "/status")
	if err != nil {
		t.Skipf("no /proc to read the memory from: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kilobytes, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(kilobytes)
	if err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// raiseFileLimit allows enough connections on this side; the service raises its own limit.
func raiseFileLimit(t *testing.T, need uint64) {
	t.Helper()
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Skip(err)
	}
	if files.Max < need {
		t.Skipf("this needs %d open files, and the system allows %d", need, files.Max)
	}
	files.Cur = files.Max
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &files); err != nil {
		t.Skip(err)
	}
}
