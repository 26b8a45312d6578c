package postgres

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// Kill ends all processes of the server, as a crash does, and waits for their end.
func (s *Server) Kill() error {
	if s.Alive() {
		all, err := s.halt()
		if err != nil {
			return err
		}
		s.leftovers = sharedMemoryOf(all)
		signalAll(all, syscall.SIGKILL)
		if err := await(all, neverDone); err != nil {
			return fmt.Errorf("postgres: killed, but not gone: %w", err)
		}
	}
	s.reap()
	return nil
}

// Pause makes the server hang: the kernel still accepts connections for it, but the server does not answer.
func (s *Server) Pause() error {
	all, err := s.halt()
	if err != nil {
		return err
	}
	signalAll(all, syscall.SIGSTOP)
	if err := await(all, process.stopped); err != nil {
		return fmt.Errorf("postgres: the server does not hang: %w", err)
	}
	return nil
}

// Resume ends a Pause.
func (s *Server) Resume() {
	if s.Alive() {
		signalAll(s.processes(), syscall.SIGCONT)
	}
}

// halt stops the first process, so that it starts no others, and returns all processes. Each leads its own process group:
// no one group could be signaled.
func (s *Server) halt() ([]process, error) {
	if !s.Alive() {
		return nil, fmt.Errorf("postgres: the server is down\n%s", s.logTail())
	}
	s.signal(syscall.SIGSTOP)
	if err := await([]process{readProcess(s.PID())}, process.stopped); err != nil {
		return nil, fmt.Errorf("postgres: the server does not stand still: %w", err)
	}
	return s.processes(), nil
}

// processes returns the server's first process and its children.
func (s *Server) processes() []process { return processTree(s.PID()) }

func signalAll(all []process, sig syscall.Signal) {
	for _, p := range all {
		_ = syscall.Kill(p.id, sig)
	}
}

// neverDone is the condition for a process that must end.
func neverDone(process) bool { return false }

// await waits until a condition holds for all processes that still exist.
func await(all []process, done func(process) bool) error {
	waiting := func(p process) bool { return p.alive() && !done(p) }
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		i := slices.IndexFunc(all, waiting)
		if i < 0 {
			return nil
		}
		if time.Since(began) > Patience {
			return fmt.Errorf("process %d is in state %q", all[i].id, readProcess(all[i].id).state)
		}
	}
}
