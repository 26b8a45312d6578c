package mcp

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// serve starts the binary on a free port of this machine and returns the address of the tools.
func serve(t *testing.T) string {
	t.Helper()
	address := freeAddress(t)
	cmd := exec.Command(binary, "--addr", address, "--database", "sqlite:"+filepath.Join(t.TempDir(), "foyer.db"), "--rate-limit", "off")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FOYER_") && !strings.HasPrefix(v, "PORT=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	var log bytes.Buffer
	cmd.Stderr = &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the service ended badly: %v", err)
		}
		if t.Failed() {
			t.Logf("the log of the service ends with\n%s", log.Bytes()[max(0, log.Len()-2000):])
		}
	})
	for range 500 {
		if res, err := http.Get("http://" + address + "/health"); err == nil {
			res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return "http://" + address + "/mcp"
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("the service is not healthy after ten seconds")
	return ""
}

// freeAddress is an address that nobody listens on, found by listening there for a moment.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
