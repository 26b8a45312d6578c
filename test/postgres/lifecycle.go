package postgres

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Mode is a way to stop.
type Mode syscall.Signal

const (
	Fast      = Mode(syscall.SIGINT)  // disconnects clients, and writes everything to the disk
	Immediate = Mode(syscall.SIGQUIT) // writes nothing: the next start recovers, as after a crash
)

// PID returns the id of the server's first process, or 0 while it is down.
func (s *Server) PID() int {
	if s.process == nil {
		return 0
	}
	return s.process.Process.Pid
}

// Alive reports whether the server runs. It may end by itself, for example after a failed fsync.
func (s *Server) Alive() bool { return s.process != nil && readProcess(s.PID()).running() }

// Start starts a stopped server, on the same port and data, and waits until it accepts connections.
func (s *Server) Start() error {
	switch {
	case s.Alive():
		return errors.New("postgres: the server runs already")
	case s.watchdog == nil:
		return errors.New("postgres: the server is closed")
	}
	s.reap()
	if err := s.launch(); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	if err := s.awaitConnections(); err != nil {
		return errors.Join(err, s.Kill())
	}
	s.removeSharedMemory()
	return nil
}

func (s *Server) launch() error {
	log, err := os.OpenFile(s.log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	args := []string{"-D", s.data}
	for _, setting := range s.settings() {
		args = append(args, "-c", setting)
	}
	cmd := s.command("postgres", args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process = cmd
	return s.watchdog.watch(cmd.Process.Pid)
}

// acceptsConnections reads the status file that pg_ctl reads, too. After a crash, the file of the previous process is still
// there.
func (s *Server) acceptsConnections() bool {
	text, _ := os.ReadFile(filepath.Join(s.data, "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(s.PID()) && strings.TrimSpace(lines[7]) == "ready"
}

func (s *Server) awaitConnections() error {
	for began := time.Now(); !s.acceptsConnections(); time.Sleep(2 * time.Millisecond) {
		switch {
		case !s.Alive():
			return fmt.Errorf("postgres: the server did not start\n%s", s.logTail())
		case time.Since(began) > Patience:
			return fmt.Errorf("postgres: the server takes no clients\n%s", s.logTail())
		}
	}
	return nil
}

// Stop ends the server and waits for its end. It resumes a hung server first.
func (s *Server) Stop(m Mode) error {
	if s.Alive() {
		s.signal(syscall.Signal(m))
		s.Resume()
		if err := await([]process{readProcess(s.PID())}, neverDone); err != nil {
			return fmt.Errorf("postgres: the server does not stop: %w\n%s", err, s.logTail())
		}
	}
	s.reap()
	return nil
}

// reap waits for a process that has ended. Its id may be reused afterwards, so the watchdog has to know first.
func (s *Server) reap() {
	if s.process != nil {
		_ = s.watchdog.watch(0)
		_ = s.process.Wait()
		s.process = nil
	}
}

// signal signals the first process, which signals the others.
func (s *Server) signal(sig syscall.Signal) { _ = s.process.Process.Signal(sig) }

func (s *Server) log() string { return filepath.Join(s.home, "log") }

// Log returns what the server has logged so far, over all its starts.
func (s *Server) Log() string {
	text, _ := os.ReadFile(s.log())
	return string(text)
}

// logTail returns the end of the log, for error messages.
func (s *Server) logTail() string {
	const enough = 25
	lines := strings.SplitAfter(s.Log(), "\n")
	return "PostgreSQL's log:\n" + strings.Join(lines[max(0, len(lines)-enough):], "")
}
