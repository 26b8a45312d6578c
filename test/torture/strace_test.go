package torture

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// inject forges the kernel's answers to a running service, until the returned function is called.
func (s *service) inject(fault string) (end func()) {
	s.t.Helper()
	calls, _, _ := strings.Cut(fault, ":")
	tracer := exec.Command("strace", "-f", "-qq", "-o", os.DevNull, "-e", "trace="+calls, "-e", "inject="+fault, "-p", fmt.Sprint(s.Cmd.Process.Pid))
	tracer.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGINT} // it detaches from the service instead of killing it, too
	var complaint strings.Builder
	tracer.Stderr = &complaint
	if err := tracer.Start(); err != nil {
		s.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = tracer.Wait(); close(ended) }()
	end = func() { _ = tracer.Process.Signal(syscall.SIGINT); <-ended }
	s.t.Cleanup(end)
	for deadline := time.Now().Add(10 * time.Second); !s.traced(); time.Sleep(5 * time.Millisecond) {
		select {
		case <-ended:
			skipOrFail(s.t, "strace cannot attach here: %s", complaint.String())
		default:
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("strace does not attach: %s", complaint.String())
		}
	}
	return end
}

// traced reports whether every thread of the service is traced: the writer may run on any of them.
func (s *service) traced() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", s.Cmd.Process.Pid))
	for _, path := range threads {
		if status, err := os.ReadFile(path); err == nil && strings.Contains(string(status), "TracerPid:\t0\n") {
			return false
		}
	}
	return len(threads) > 0
}
