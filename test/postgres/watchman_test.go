package postgres

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

// TestMain is also a program that starts a server and is killed before it can stop it.
func TestMain(m *testing.M) {
	if how := os.Getenv("POSTGRES_ABANDON"); how != "" {
		abandon(how == "hung")
	}
	os.Exit(m.Run())
}

// abandon starts a server, tells where it is, and waits for the end.
func abandon(hung bool) {
	s, err := New(Options{Fast: true})
	if err == nil && hung {
		err = s.Pause()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.PID(), s.watchman.process.Process.Pid, s.home)
	select {}
}

// TestNothingOutlivesUs kills a program that has a server. What it leaves behind comes to us, as to a supervisor: the
// kernel would wake a hung process that comes to nobody, and hide that we do not.
func TestNothingOutlivesUs(t *testing.T) {
	const setChildSubreaper = 36
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		t.Fatal(errno)
	}
	for _, how := range []string{"running", "hung"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			_, err := findBinaries("")
			demand(t, err)
			program := exec.Command(os.Args[0])
			program.Env, program.Stderr = append(os.Environ(), "POSTGRES_ABANDON="+how), os.Stderr
			out, err := program.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			var server, watchman int
			var home string
			line, _ := bufio.NewReader(out).ReadString('\n')
			_, err = fmt.Sscan(line, &server, &watchman, &home)
			all := append(family(server), state(watchman))
			_ = program.Process.Kill()
			_ = program.Wait()
			if err != nil {
				t.Fatalf("the program said %q", line)
			}
			if len(all) < 5 {
				t.Errorf("only %d processes were found: this test proves nothing", len(all))
			}
			if err := await(all, never); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(home); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", home, err)
			}
		})
	}
}
