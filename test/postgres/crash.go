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
		all, err := haltTree(s.PID())
		if err != nil {
			return err
		}
		s.leftovers = sharedMemoryOf(all)
		if err := killAll(all); err != nil {
			return err
		}
	}
	s.reap()
	return nil
}

// Pause makes the server hang: the kernel still accepts connections for it, but the server does not answer.
func (s *Server) Pause() error {
	if !s.Alive() {
		return fmt.Errorf("postgres: the server is down\n%s", s.logTail())
	}
	return PauseTree(s.PID())
}

// Resume ends a Pause.
func (s *Server) Resume() {
	if s.Alive() {
		ResumeTree(s.PID())
	}
}

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
