package postgres

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// ErrNoPooler means that PgBouncer is not installed.
var ErrNoPooler = errors.New("PgBouncer is not installed here; make postgres-tools installs it")

// Pooler is a PgBouncer in front of a server.
type Pooler struct {
	server  *Server
	home    string // configuration and log
	port    int
	process *exec.Cmd
}

// StartPooler starts a PgBouncer for one test, with the defaults of PgBouncer except for the given settings, as in pgbouncer.ini:
// "pool_mode=transaction". If it is not installed, the test is skipped, or fails with POSTGRES=required.
func StartPooler(tb testing.TB, s *Server, settings ...string) *Pooler {
	tb.Helper()
	program, err := findPooler()
	switch {
	case err != nil && os.Getenv("POSTGRES") == "required":
		tb.Fatal(err)
	case err != nil:
		tb.Skipf("NOT TESTED: %v", err)
	}
	p := &Pooler{server: s}
	if err := p.start(tb, program, settings); err != nil {
		tb.Fatalf("pgbouncer: %v\n%s", err, p.log())
	}
	tb.Cleanup(func() {
		if tb.Failed() {
			tb.Logf("PgBouncer's log:\n%s", p.log())
		}
	})
	return p
}

// findPooler finds the program. Debian's folder for it is not in everybody's PATH.
func findPooler() (string, error) {
	for _, name := range []string{"pgbouncer", "/usr/sbin/pgbouncer"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", ErrNoPooler
}

func (p *Pooler) start(tb testing.TB, program string, settings []string) (err error) {
	if p.port, err = FreePort(); err != nil {
		return err
	}
	if p.home, err = makeHome(false); err != nil {
		return err
	}
	dog, err := startWatchdog(p.home)
	if err != nil {
		return errors.Join(err, os.Remove(p.home))
	}
	tb.Cleanup(func() {
		p.stop(dog)
		if err := dog.Finish(); err != nil {
			tb.Error(err)
		}
	})
	if err := p.configure(settings); err != nil {
		return err
	}
	p.process = exec.Command(program, "--quiet", filepath.Join(p.home, "pgbouncer.ini"))
	p.process.Dir, p.process.Env = p.home, Environment()
	p.process.SysProcAttr = &syscall.SysProcAttr{Credential: p.server.owner, Setpgid: true} // it does not run as root either
	if err := p.process.Start(); err != nil {
		p.process = nil
		return err
	}
	if err := dog.watch(p.process.Process.Pid); err != nil {
		return err
	}
	return p.await()
}

// configure writes the files that PgBouncer reads. Everybody who may use the server may use the pooler.
func (p *Pooler) configure(settings []string) error {
	lines := append([]string{
		"[databases]", fmt.Sprintf("* = host=127.0.0.1 port=%d", p.server.port),
		"[pgbouncer]", "listen_addr = 127.0.0.1", fmt.Sprintf("listen_port = %d", p.port), "unix_socket_dir =",
		"auth_type = trust", "auth_file = " + filepath.Join(p.home, "users"), "logfile = " + filepath.Join(p.home, "log"),
		"log_connections = 0", "log_disconnections = 0", // a failed test shows this log, and they would bury its reason
	}, settings...)
	for name, text := range map[string]string{"pgbouncer.ini": strings.Join(lines, "\n") + "\n", "users": `"postgres" ""` + "\n"} {
		if err := os.WriteFile(filepath.Join(p.home, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return Chown(p.server.owner, p.home)
}

// await waits until PgBouncer accepts connections.
func (p *Pooler) await() error {
	for began := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
		if err == nil {
			return c.Close()
		}
		if !readProcess(p.process.Process.Pid).running() || time.Since(began) > Patience {
			return fmt.Errorf("it did not start: %w", err)
		}
	}
}

// stop ends PgBouncer. Its id may be reused afterwards, so the watchdog has to know first.
func (p *Pooler) stop(dog *Watchdog) {
	if p.process != nil {
		_ = p.process.Process.Kill()
		_ = dog.watch(0)
		_ = p.process.Wait()
	}
}

func (p *Pooler) log() string {
	text, _ := os.ReadFile(filepath.Join(p.home, "log"))
	return string(text)
}

// Through returns the URL of a database of the server through the pooler.
func (p *Pooler) Through(url string) string {
	return strings.Replace(url, fmt.Sprintf("127.0.0.1:%d", p.server.port), fmt.Sprintf("127.0.0.1:%d", p.port), 1)
}
