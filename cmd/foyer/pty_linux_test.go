package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"foyer/test/binary"
)

// screen is a terminal with somebody in front of it.
type screen struct {
	t    *testing.T
	keys *os.File
	cmd  *exec.Cmd
	done chan struct{}

	mu   sync.Mutex
	text bytes.Buffer
}

// onTerminal starts the program on a terminal of its own. Its standard output goes there, too.
func onTerminal(t *testing.T, args ...string) *screen {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there are no terminals here: ", err)
	}
	var number, locked uint32
	for request, value := range map[uintptr]*uint32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, keys.Fd(), request, uintptr(unsafe.Pointer(value))); code != 0 {
			t.Fatal(code)
		}
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, keys: keys, cmd: exec.Command(program, args...), done: make(chan struct{})}
	s.cmd.Env = binary.Environment()
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	go s.watch()
	return s
}

func (s *screen) watch() {
	defer close(s.done)
	for part := make([]byte, 4096); ; {
		n, err := s.keys.Read(part)
		s.mu.Lock()
		s.text.Write(part[:n])
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

func (s *screen) shows() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.text.String(), "\r\n", "\n")
}

// types waits for a question and answers it.
func (s *screen) types(question, answer string) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(s.shows(), question); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			_ = s.cmd.Process.Kill()
			s.t.Fatalf("nobody asks %q:\n%s", question, s.shows())
		}
	}
	if _, err := s.keys.WriteString(answer); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the program, and says what was on the screen.
func (s *screen) ends() (text string, code int) {
	_ = s.cmd.Wait()
	<-s.done
	s.keys.Close()
	return s.shows(), s.cmd.ProcessState.ExitCode()
}

// TestStartingABuyerOnATerminal is asked about held leads, and tells how many there are. What is not understood is asked again.
func TestStartingABuyerOnATerminal(t *testing.T) {
	for _, c := range []struct {
		keys         string
		asked        int
		said, status string
	}{
		{"all\n", 1, "is active. Held leads that match: 1. They", "active"},
		{"\nyes\nNONE\n", 3, "is active. Held leads that match: 0.", "active"},
		{"7\n", 1, "is active. Held leads that match: 1. They", "active"},
		{"\nq\n", 2, "nothing was changed", "in test"},
		{"\x04", 1, "nothing was changed", "in test"},
	} {
		p := serve(t, t.TempDir())
		o := operator{t, p.Database}
		p.submit()
		o.types("buyers", "add", "--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
		s := onTerminal(t, "buyers", "start", "cool air", "--database", o.database)
		s.types("Which held leads should it get? [none/all/DAYS, q to stop]", c.keys)
		text, code := s.ends()
		if !strings.Contains(text, "Held leads that match: 1, the oldest from") || strings.Count(text, "Which held leads") != c.asked || !strings.Contains(text, c.said) || (code == 0) != (c.status == "active") {
			t.Errorf("%q (exit %d):\n%s", c.keys, code, text)
		}
		if list := o.types("buyers", "list"); !strings.Contains(list, "  "+c.status+"  ") {
			t.Errorf("%q: it is not %s:\n%s", c.keys, c.status, list)
		}
	}
}

// TestRemovingABuyerOnATerminal asks, and leaves it where the answer is not yes.
func TestRemovingABuyerOnATerminal(t *testing.T) {
	o := newOperator(t)
	id, _ := o.adds("--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
	for _, key := range []string{"n\n", "\n", "\x04"} {
		s := onTerminal(t, "buyers", "remove", id, "--database", o.database)
		s.types("Remove it? [y/N]", key)
		if text, code := s.ends(); code != 1 || !strings.Contains(text, "offers open: 0, contacts being delivered: 0") {
			t.Errorf("%q (exit %d):\n%s", key, code, text)
		}
		o.types("buyers", "show", id)
	}
	s := onTerminal(t, "buyers", "remove", id, "--database", o.database)
	s.types("Remove it? [y/N]", "y\n")
	if text, code := s.ends(); code != 0 || !strings.Contains(text, "(Cool Air) is removed.") {
		t.Errorf("exit %d:\n%s", code, text)
	}
}

// TestASecretThatIsTyped is not shown while it is typed.
func TestASecretThatIsTyped(t *testing.T) {
	o := newOperator(t)
	const secret = "whsec_AZYpQ20llGE/2Z3FKBP3kJsbzQj4qRVmuRtV59q0I8E="
	s := onTerminal(t, "buyers", "add", "--name", "Cool Air", "--url", someBuyer, "--services", "hvac", "--secret-file", "-", "--json", "--database", o.database)
	s.types("Secret (not shown): ", secret+"\n")
	text, code := s.ends()
	if code != 0 || strings.Contains(text, secret) || !strings.Contains(text, `"secret": null`) {
		t.Errorf("exit %d:\n%s", code, text)
	}
}
