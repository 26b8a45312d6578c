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
	Fast      = Mode(syscall.SIGINT)  // clients are sent away, and all is written to the disk
	Immediate = Mode(syscall.SIGQUIT) // nothing is written: the next start recovers, as after a crash
)

// PID is the id of the server's first process, or 0 while it is down.
func (s *Server) PID() int {
	if s.process == nil {
		return 0
	}
	return s.process.Process.Pid
}

// Alive says whether the server runs. It may end by itself: a failed fsync is one reason.
func (s *Server) Alive() bool { return s.process != nil && state(s.PID()).runs() }

// Start starts a server that is down, on the port and the data that it had, and waits until it takes clients.
func (s *Server) Start() error {
	switch {
	case s.Alive():
		return errors.New("postgres: the server runs already")
	case s.watchman == nil:
		return errors.New("postgres: the server is closed")
	}
	s.bury()
	if err := s.launch(); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	if err := s.untilItTakesClients(); err != nil {
		return errors.Join(err, s.Kill())
	}
	s.sweep()
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
	return s.watchman.watch(cmd.Process.Pid)
}

// takesClients looks into the file in which the server says so, where pg_ctl looks too. After a crash, that of the one
// before is still there.
func (s *Server) takesClients() bool {
	text, _ := os.ReadFile(filepath.Join(s.data, "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	return len(lines) > 7 && lines[0] == strconv.Itoa(s.PID()) && strings.TrimSpace(lines[7]) == "ready"
}

func (s *Server) untilItTakesClients() error {
	for began := time.Now(); !s.takesClients(); time.Sleep(2 * time.Millisecond) {
		switch {
		case !s.Alive():
			return fmt.Errorf("postgres: the server did not start\n%s", s.tail())
		case time.Since(began) > Patience:
			return fmt.Errorf("postgres: the server takes no clients\n%s", s.tail())
		}
	}
	return nil
}

// Stop ends the server and waits until it is gone. One that hangs is woken first.
func (s *Server) Stop(m Mode) error {
	if s.Alive() {
		s.signal(syscall.Signal(m))
		s.Resume()
		if err := await([]process{state(s.PID())}, never); err != nil {
			return fmt.Errorf("postgres: the server does not stop: %w\n%s", err, s.tail())
		}
	}
	s.bury()
	return nil
}

// bury takes leave of a process that has ended. Its id may be another's afterwards, so the watchman has to know before.
func (s *Server) bury() {
	if s.process != nil {
		_ = s.watchman.watch(0)
		_ = s.process.Wait()
		s.process = nil
	}
}

// signal reaches the first process, which tells the others.
func (s *Server) signal(sig syscall.Signal) { _ = s.process.Process.Signal(sig) }
