package main_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// testTerminal is a pseudoterminal with a program on it.
type testTerminal struct {
	t    *testing.T
	keys *os.File
	cmd  *exec.Cmd
	done chan struct{}

	mu   sync.Mutex
	text bytes.Buffer
}

// onTerminal starts the program on a terminal of its own. Its standard output goes there, too.
func onTerminal(t *testing.T, args ...string) *testTerminal {
	t.Helper()
	return startOnTerminal(t, nil, args...)
}

// startOnTerminal is onTerminal with a standard output that goes elsewhere, unless it is nil.
func startOnTerminal(t *testing.T, stdout *os.File, args ...string) *testTerminal {
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
	s := &testTerminal{t: t, keys: keys, cmd: exec.Command(binary.Program, args...), done: make(chan struct{})}
	s.cmd.Env = binary.Environment()
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, cmp.Or(stdout, tty), tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	go s.watch()
	return s
}

func (s *testTerminal) watch() {
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

func (s *testTerminal) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.ReplaceAll(s.text.String(), "\r\n", "\n")
}

// waitFor waits until a text is on the screen.
func (s *testTerminal) waitFor(text string) {
	s.t.Helper()
	for end := time.Now().Add(20 * time.Second); !strings.Contains(s.output(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			_ = s.cmd.Process.Kill()
			s.t.Fatalf("%q is not on the screen:\n%s", text, s.output())
		}
	}
}

// answer waits for a question and answers it.
func (s *testTerminal) answer(question, answer string) {
	s.t.Helper()
	s.waitFor(question)
	if _, err := s.keys.WriteString(answer); err != nil {
		s.t.Fatal(err)
	}
}

// wait waits for the program, and returns what was on the screen.
func (s *testTerminal) wait() (text string, code int) {
	_ = s.cmd.Wait()
	<-s.done
	s.keys.Close()
	return s.output(), s.cmd.ProcessState.ExitCode()
}

// TestStartBuyerOnTerminal wants a prompt with the number of held leads. An answer that is not understood is asked for
// again.
func TestStartBuyerOnTerminal(t *testing.T) {
	storetest.Parallel(t)
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
		o := cli{t, p.Database}
		p.Submit()
		o.run("buyers", "add", "--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
		s := onTerminal(t, "buyers", "start", "cool air", "--database", o.database)
		s.answer("Which held leads should it get? [none/all/DAYS, q to stop]", c.keys)
		text, code := s.wait()
		if !strings.Contains(text, "Held leads that match: 1, the oldest from") || strings.Count(text, "Which held leads") != c.asked || !strings.Contains(text, c.said) || (code == 0) != (c.status == "active") {
			t.Errorf("%q (exit %d):\n%s", c.keys, code, text)
		}
		if list := o.run("buyers", "list"); !strings.Contains(list, "  "+c.status+"  ") {
			t.Errorf("%q: it is not %s:\n%s", c.keys, c.status, list)
		}
	}
}

// TestRemoveBuyerOnTerminal wants a prompt, and keeps the buyer unless the answer is yes.
func TestRemoveBuyerOnTerminal(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	id, _ := o.addBuyer("--name", "Cool Air", "--url", someBuyer, "--services", "hvac")
	for _, key := range []string{"n\n", "\n", "\x04"} {
		s := onTerminal(t, "buyers", "remove", id, "--database", o.database)
		s.answer("Remove it? [y/N]", key)
		if text, code := s.wait(); code != 1 || !strings.Contains(text, "offers open: 0, contacts being delivered: 0") {
			t.Errorf("%q (exit %d):\n%s", key, code, text)
		}
		o.run("buyers", "show", id)
	}
	s := onTerminal(t, "buyers", "remove", id, "--database", o.database)
	s.answer("Remove it? [y/N]", "y\n")
	if text, code := s.wait(); code != 0 || !strings.Contains(text, "(Cool Air) is removed.") {
		t.Errorf("exit %d:\n%s", code, text)
	}
}

// TestTypedSecretNotShown checks that a secret is not echoed while it is typed.
func TestTypedSecretNotShown(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	const secret = "whsec_AZYpQ20llGE/2Z3FKBP3kJsbzQj4qRVmuRtV59q0I8E="
	s := onTerminal(t, "buyers", "add", "--name", "Cool Air", "--url", someBuyer, "--services", "hvac", "--secret-file", "-", "--json", "--database", o.database)
	s.answer("Secret (not shown): ", secret+"\n")
	text, code := s.wait()
	if code != 0 || strings.Contains(text, secret) || !strings.Contains(text, `"secret": null`) {
		t.Errorf("exit %d:\n%s", code, text)
	}
}

// TestServeOnTerminal prints the link of the first owner, and none once there is a user.
func TestServeOnTerminal(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	start := func() *testTerminal {
		return onTerminal(t, "serve", "--addr", "127.0.0.1:0", "--base-url", "https://foyer.example.com", "--database", o.database)
	}
	s := start()
	s.answer("/console/link/fl_", "\x03") // the keys of an interrupt
	text, code := s.wait()
	if link := linkPattern.FindStringSubmatch(text); code != 0 || link == nil || link[1] != "https://foyer.example.com" || !strings.Contains(text, "No operator can sign in yet.") ||
		strings.Count(text, "fl_") != 1 || strings.Contains(text, "foyer operators link") {
		t.Errorf("exit %d:\n%s", code, text)
	}
	o.run("operators", "add", "ada", "--role", "owner")
	s = start()
	s.answer("foyer is listening", "\x03")
	if text, code := s.wait(); code != 0 || strings.Contains(text, "fl_") {
		t.Errorf("there is a user (exit %d):\n%s", code, text)
	}
}
