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
		runAbandonedServer(how == "hung")
	}
	os.Exit(m.Run())
}

// runAbandonedServer starts a server, prints where it is, and waits to be killed.
func runAbandonedServer(hung bool) {
	s, err := New(Options{Fast: true})
	if err == nil && hung {
		err = s.Pause()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(s.PID(), s.watchdog.process.Process.Pid, s.home)
	select {}
}

// TestServerDiesWithProgram kills a program that has a server. Its orphans become our children, as with a supervisor: the
// kernel would resume a hung orphan that has no such parent, and hide that we do not.
func TestServerDiesWithProgram(t *testing.T) {
	skipIfShort(t)
	const setChildSubreaper = 36
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); errno != 0 {
		t.Fatal(errno)
	}
	for _, how := range []string{"running", "hung"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			_, err := FindBinaries("")
			requireServer(t, err)
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
			all := append(processTree(server), readProcess(watchman))
			_ = program.Process.Kill()
			_ = program.Wait()
			if err != nil {
				t.Fatalf("the program said %q", line)
			}
			if len(all) < 5 {
				t.Errorf("only %d processes were found: this test proves nothing", len(all))
			}
			if err := await(all, neverDone); err != nil {
				t.Error(err)
			}
			if _, err := os.Stat(home); !os.IsNotExist(err) {
				t.Errorf("%s is still there: %v", home, err)
			}
		})
	}
}
