// Package postgres runs PostgreSQL servers to throw away: for tests, for torture and for measuring. Each has a folder and
// a port of its own. It can be stopped, killed, hung and started again, and it goes when the program that started it
// goes, however that ends.
//
// It speaks to them through their own programs and brings no driver. It knows nothing of what Foyer keeps, installs
// nothing (make postgres-tools does), and touches no server that it did not start.
package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Patience is how long a start, a stop or a statement may take on a busy machine, recovery after a crash included.
const Patience = time.Minute

// Options say how a server is to be. None are needed.
type Options struct {
	Fast     bool     // commits do not wait for the disk, and a kill takes the last of them: for tests of answers only
	Settings []string // as in postgresql.conf: "max_connections=20"
	Data     string   // folder for the data, empty or with data from before; it stays after Close. Otherwise a temporary one
	Port     int      // otherwise one that is free
	Binaries string   // folder with the programs; otherwise the newest that are installed
}

// Server is a PostgreSQL server. One goroutine at a time may start, stop and hang it; any may use Exec, URL and the
// databases.
type Server struct {
	options   Options
	binaries  string
	owner     *syscall.Credential // who runs it, where that is not us
	home      string              // log and socket, and the data where no other folder was named
	data      string
	port      int
	watchman  *watchman
	process   *exec.Cmd // nil while it is down
	leftovers []leftover
	shared    bool // many tests use it
}

// New starts a server.
func New(o Options) (*Server, error) {
	s := &Server{options: o, port: o.Port}
	if err := s.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("postgres: %w", err), s.Close())
	}
	if err := s.Start(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// prepare does all that is done once: it ends with data that a server can start on.
func (s *Server) prepare() (err error) {
	if s.binaries, err = findBinaries(s.options.Binaries); err != nil {
		return err
	}
	if s.owner, err = findOwner(); err != nil {
		return err
	}
	if s.port == 0 {
		if s.port, err = freePort(); err != nil {
			return err
		}
	}
	if s.home, err = makeHome(); err != nil {
		return err
	}
	if s.watchman, err = hire(s.home); err != nil {
		return errors.Join(err, os.Remove(s.home))
	}
	if s.data, err = filepath.Abs(cmp.Or(s.options.Data, filepath.Join(s.home, "data"))); err != nil {
		return err
	}
	return s.initialize()
}

// makeHome makes a folder with a short name: the path of a socket in it may have no more than 107 characters.
func makeHome() (string, error) {
	base := os.TempDir()
	if len(base) > 70 {
		base = "/tmp"
	}
	return os.MkdirTemp(base, "foyer-postgres-")
}

// initialize makes the folders, and the data where there is none yet. A server whose commits wait for the disk needs its
// first files on the disk too: a power cut would take them otherwise.
func (s *Server) initialize() error {
	if err := s.own(s.home); err != nil {
		return err
	}
	if err := os.Mkdir(s.data, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	if err := s.own(s.data); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(s.data, "PG_VERSION")); err == nil {
		return nil
	}
	args := []string{"--pgdata=" + s.data, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"}
	if s.options.Fast {
		args = append(args, "--no-sync")
	}
	initdb := s.command("initdb", args...)
	initdb.SysProcAttr.Pdeathsig = syscall.SIGKILL
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// settings are what the server is started with. The last of a name counts.
func (s *Server) settings() []string {
	all := []string{"listen_addresses=127.0.0.1", fmt.Sprintf("port=%d", s.port), "unix_socket_directories=" + s.home}
	if s.options.Fast {
		all = append(all, "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	return append(all, s.options.Settings...)
}

// command is one of PostgreSQL's programs, run as the user it accepts.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.binaries, name), args...)
	cmd.Dir, cmd.Env = s.home, environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner, Setpgid: true} // a Ctrl-C is for the tests, not for it
	return cmd
}

// environment is ours without what PostgreSQL's programs would take for settings. A known time zone saves initdb the
// search for one.
func environment() []string {
	env := []string{"LC_ALL=C", "TZ=UTC"}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PG") && !strings.HasPrefix(v, "LC_ALL=") && !strings.HasPrefix(v, "TZ=") {
			env = append(env, v)
		}
	}
	return env
}

// Close ends the server and removes all of it, but for data in a folder of the caller's.
func (s *Server) Close() error {
	err := s.end()
	s.sweep()
	err = errors.Join(err, s.watchman.dismiss())
	s.watchman = nil // to close it once more does nothing
	return err
}

// end stops the server, in order where its data stays, and kills it where it does not listen.
func (s *Server) end() error {
	mode := Immediate
	if s.options.Data != "" {
		mode = Fast
	}
	if err := s.Stop(mode); err != nil {
		return errors.Join(err, s.Kill())
	}
	return nil
}
