// Package postgres runs temporary PostgreSQL servers: for tests, for torture and for measuring. Each has its own folder and
// port. A server can be stopped, killed, hung and restarted, and it ends with the program that started it, however that
// ends.
//
// The package talks to servers through their own programs and brings no driver. It knows nothing about Foyer's tables,
// installs nothing (make postgres-tools does), and touches no server that it did not start.
package postgres

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// Patience is how long a start, a stop or a statement may take on a busy machine, recovery after a crash included.
const Patience = time.Minute

// Options configure a server. All are optional.
type Options struct {
	Fast     bool     // commits do not wait for the disk, and a kill loses the last of them: only for tests of answers
	Settings []string // as in postgresql.conf: "max_connections=20"
	Data     string   // data folder, empty or with earlier data; it stays after Close. Default: a temporary one
	Port     int      // default: a free one
	Binaries string   // folder with the programs; default: POSTGRES_BINARIES, or the newest installed
}

// Server is a PostgreSQL server. Only one goroutine at a time may start, stop and hang it; any may use Exec, URL and the
// databases.
type Server struct {
	options   Options
	binaries  string
	owner     *syscall.Credential // the user that runs it; nil if that is us
	home      string              // log and socket, and the data unless Options.Data is set
	data      string
	port      int
	watchdog  *Watchdog
	process   *exec.Cmd // nil while the server is down
	leftovers []sharedMemory
	shared    bool // used by many tests
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

// prepare does everything that is done once, up to data that a server can start on.
func (s *Server) prepare() (err error) {
	if s.binaries, err = FindBinaries(s.options.Binaries); err != nil {
		return err
	}
	if _, err = findPsql(s.binaries); err != nil {
		return err
	}
	if s.owner, err = FindOwner(); err != nil {
		return err
	}
	if s.port == 0 {
		if s.port, err = FreePort(); err != nil {
			return err
		}
	}
	if s.home, err = makeHome(s.options.Fast); err != nil {
		return err
	}
	if s.watchdog, err = startWatchdog(s.home); err != nil {
		return errors.Join(err, os.Remove(s.home))
	}
	if s.data, err = filepath.Abs(cmp.Or(s.options.Data, filepath.Join(s.home, "data"))); err != nil {
		return err
	}
	return s.initialize()
}

// fastRoom is how much memory must be free for the data of a fast server: several run at the same time.
const fastRoom = 4 << 30

// makeHome creates a folder with a short name: the path of a socket in it may have at most 107 characters. A fast server lives in
// memory where there is room, because half of what it computes on a disk is removing the files of databases that were dropped.
func makeHome(fast bool) (string, error) {
	base := os.TempDir()
	var memory syscall.Statfs_t
	if fast && syscall.Statfs("/dev/shm", &memory) == nil && memory.Bavail*uint64(memory.Bsize) >= fastRoom {
		base = "/dev/shm"
	}
	if len(base) > 70 {
		base = "/tmp"
	}
	return os.MkdirTemp(base, "foyer-postgres-")
}

// initialize creates the folders, and the data if there is none yet. A server whose commits wait for the disk needs its
// first files on the disk, too: otherwise a power cut would lose them.
func (s *Server) initialize() error {
	if err := Chown(s.owner, s.home); err != nil {
		return err
	}
	if err := os.Mkdir(s.data, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	if err := Chown(s.owner, s.data); err != nil {
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

// settings returns the server's settings. The last of a name wins.
func (s *Server) settings() []string {
	all := []string{"listen_addresses=127.0.0.1", fmt.Sprintf("port=%d", s.port), "unix_socket_directories=" + s.home}
	if s.options.Fast {
		all = append(all, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "log_checkpoints=off", "max_wal_size=128MB")
	}
	return append(all, s.options.Settings...)
}

// command is one of PostgreSQL's programs, run as the server's user.
func (s *Server) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(s.binaries, name), args...)
	cmd.Dir, cmd.Env = s.home, Environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.owner, Setpgid: true} // Ctrl-C is for the tests, not for the server
	return cmd
}

// Environment is ours without the variables that PostgreSQL's programs read. A known time zone saves initdb the search for
// one.
func Environment() []string {
	env := []string{"LC_ALL=C", "TZ=UTC"}
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "PG") && !strings.HasPrefix(v, "LC_ALL=") && !strings.HasPrefix(v, "TZ=") {
			env = append(env, v)
		}
	}
	return env
}

// Close ends the server and removes everything, except data in the caller's folder.
func (s *Server) Close() error {
	err := s.end()
	s.removeSharedMemory()
	err = errors.Join(err, s.watchdog.Finish())
	s.watchdog = nil // a second Close does nothing
	return err
}

// end stops the server, gracefully if its data stays, and kills it if it does not react.
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

// FreePort finds a port below those that Linux gives to clients (32768 and up). Those are not safe while a server is down:
// a client that connects elsewhere may get the port, and one that connects to the port may be connected to itself.
func FreePort() (int, error) {
	for range 100 {
		port := 15_000 + rand.IntN(17_000)
		if l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			return port, l.Close()
		}
	}
	return 0, errors.New("there is no free port")
}
