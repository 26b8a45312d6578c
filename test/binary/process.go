package binary

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Process is the program, running as a service.
type Process struct {
	T        testing.TB
	Cmd      *exec.Cmd
	URL      string
	Database string        // as in the setting
	Ended    chan struct{} // closed when the process has ended
	address  chan string
	mu       sync.Mutex
	log      bytes.Buffer
}

// Patience is how long a start or a stop may take on a busy machine.
const Patience = 30 * time.Second

// Launch starts a program on a database given by its setting, with its own port, and does not wait for it.
func Launch(t testing.TB, path, database string, flags ...string) *Process {
	t.Helper()
	p := &Process{T: t, Database: database, Ended: make(chan struct{}), address: make(chan string, 1)}
	p.Cmd = exec.Command(path, append([]string{"--addr", "127.0.0.1:0", "--database", p.Database}, flags...)...)
	p.Cmd.Env = EnvironmentOf(p.Cmd)
	p.Cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} // even a killed test leaves no process behind
	stderr, err := p.Cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go p.follow(stderr)
	t.Cleanup(p.Kill)
	return p
}

// Serve starts Program on the database in a folder, and waits until it logs its address.
func Serve(t testing.TB, folder string, flags ...string) *Process {
	t.Helper()
	p := Launch(t, Program, "sqlite:"+filepath.Join(folder, "foyer.db"), flags...)
	p.Await()
	return p
}

// Await waits until the program logs its address.
func (p *Process) Await() {
	p.T.Helper()
	select {
	case a := <-p.address:
		p.URL = "http://" + a
	case <-p.Ended:
		p.T.Fatalf("the service did not start:\n%s", p.Logs())
	case <-time.After(Patience):
		p.T.Fatalf("the service did not say where it listens:\n%s", p.Logs())
	}
}

// follow collects the log and finds the address in it.
func (p *Process) follow(stderr io.Reader) {
	defer close(p.Ended)
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		p.mu.Lock()
		p.log.WriteString(lines.Text() + "\n")
		p.mu.Unlock()
		var line struct{ Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Address != "" {
			p.address <- line.Address
		}
	}
	_ = p.Cmd.Wait()
}

// Logs returns what the program has logged so far.
func (p *Process) Logs() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// Remarks returns the log lines that are not about a request.
func (p *Process) Remarks() string {
	var remarks strings.Builder
	for line := range strings.Lines(p.Logs()) {
		if !strings.Contains(line, `"msg":"request"`) {
			remarks.WriteString(line)
		}
	}
	return remarks.String()
}

// Waited returns how long a thread of the process was ready to run and had no processor: that of the thread that waited longest.
func (p *Process) Waited() (longest time.Duration) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", p.Cmd.Process.Pid))
	for _, thread := range threads {
		text, _ := os.ReadFile(thread)
		var ran, waited time.Duration
		if n, _ := fmt.Sscan(string(text), &ran, &waited); n == 2 {
			longest = max(longest, waited)
		}
	}
	return longest
}

// Kill ends the process as a crash would, and waits for its end.
func (p *Process) Kill() {
	_ = p.Cmd.Process.Kill()
	<-p.Ended
}

// Stop asks the process to end, and returns its exit code.
func (p *Process) Stop() int {
	p.T.Helper()
	_ = p.Cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.Ended:
	case <-time.After(Patience):
		p.T.Fatalf("the service did not stop:\n%s", p.Remarks())
	}
	return p.Cmd.ProcessState.ExitCode()
}

// Environment returns the environment with these variables added, and without the caller's own Foyer settings.
func Environment(with ...string) []string {
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "FOYER_") && !strings.HasPrefix(v, "PORT=") {
			with = append(with, v)
		}
	}
	return with
}

// EnvironmentOf returns the environment for a run of the program. On PostgreSQL it names the key file: by default the keys
// would be in the working folder, which is the source folder.
func EnvironmentOf(cmd *exec.Cmd) []string {
	for _, arg := range cmd.Args {
		if strings.HasPrefix(arg, "postgres://") {
			return Environment("FOYER_KEYS=file:" + KeyFile(cmd.Path, arg))
		}
	}
	return Environment()
}

// KeyFile returns where a program has the keys of a database: beside a database file, or for one on a server beside the
// program, under the name of the database.
func KeyFile(program, database string) string {
	if file, ok := strings.CutPrefix(database, "sqlite:"); ok {
		return filepath.Join(filepath.Dir(file), "foyer.keys")
	}
	_, name, _ := strings.Cut(strings.TrimPrefix(database, "postgres://"), "/")
	name, _, _ = strings.Cut(name, "?")
	return filepath.Join(filepath.Dir(program), name+".keys")
}
