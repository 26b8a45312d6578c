package postgres

import (
	"fmt"
	"slices"
	"syscall"
	"time"
)

// Kill ends all processes of the server, as a crash does, and waits until they are gone.
func (s *Server) Kill() error {
	if s.Alive() {
		all, err := s.halt()
		if err != nil {
			return err
		}
		s.leftovers = leftoversOf(all)
		each(all, syscall.SIGKILL)
		if err := await(all, never); err != nil {
			return fmt.Errorf("postgres: killed, but not gone: %w", err)
		}
	}
	s.bury()
	return nil
}

// Pause makes the server hang: it takes connections, because the kernel does that for it, but says nothing any more.
func (s *Server) Pause() error {
	all, err := s.halt()
	if err != nil {
		return err
	}
	each(all, syscall.SIGSTOP)
	if err := await(all, process.stands); err != nil {
		return fmt.Errorf("postgres: the server does not hang: %w", err)
	}
	return nil
}

// Resume ends a Pause.
func (s *Server) Resume() {
	if s.Alive() {
		each(s.processes(), syscall.SIGCONT)
	}
}

// halt has the first process stand still, so that no further ones come, and tells which there are. Each is the head of
// a process group of its own: there is no group that a signal could be sent to.
func (s *Server) halt() ([]process, error) {
	if !s.Alive() {
		return nil, fmt.Errorf("postgres: the server is down\n%s", s.tail())
	}
	s.signal(syscall.SIGSTOP)
	if err := await([]process{state(s.PID())}, process.stands); err != nil {
		return nil, fmt.Errorf("postgres: the server does not stand still: %w", err)
	}
	return s.processes(), nil
}

// processes are the server's first process and its children.
func (s *Server) processes() []process { return family(s.PID()) }

func each(all []process, sig syscall.Signal) {
	for _, p := range all {
		_ = syscall.Kill(p.id, sig)
	}
}

// never is what is awaited of a process that is to end.
func never(process) bool { return false }

// await waits until something is true of all processes that are still there.
func await(all []process, done func(process) bool) error {
	waiting := func(p process) bool { return p.lives() && !done(p) }
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		i := slices.IndexFunc(all, waiting)
		if i < 0 {
			return nil
		}
		if time.Since(began) > Patience {
			return fmt.Errorf("process %d is in state %q", all[i].id, state(all[i].id).letter)
		}
	}
}
