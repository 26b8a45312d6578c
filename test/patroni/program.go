package patroni

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"foyer/test/postgres"
)

// program is a running process, and its log.
type program struct {
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// run starts a program that logs to NAME.log, after what is already there.
func (c *Cluster) run(name string, args ...string) (*program, error) {
	log, err := os.OpenFile(c.logFile(name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	p := &program{cmd: c.command(args...), done: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { _ = p.cmd.Wait(); close(p.done) }()
	return p, nil
}

// command is a program that runs as the owner, and not longer than we do.
func (c *Cluster) command(args ...string) *exec.Cmd {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = c.home, append(c.environment(), "HOME="+c.home)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner, Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return cmd
}

// environment is ours without the variables that Patroni and etcd read.
func (c *Cluster) environment() []string {
	return slices.DeleteFunc(postgres.Environment(), func(v string) bool {
		return strings.HasPrefix(v, "PATRONI") || strings.HasPrefix(v, "ETCD") || strings.HasPrefix(v, "HOME=")
	})
}

func (c *Cluster) logFile(name string) string { return filepath.Join(c.home, name+".log") }

// LogTail returns the end of every log, for error messages.
func (c *Cluster) LogTail() string {
	var all strings.Builder
	for _, name := range append([]string{"etcd"}, Names...) {
		const enough = 40
		text, _ := os.ReadFile(c.logFile(name))
		lines := strings.SplitAfter(string(text), "\n")
		fmt.Fprintf(&all, "the log of %s:\n%s\n", name, strings.Join(lines[max(0, len(lines)-enough):], ""))
	}
	return all.String()
}

func (p *program) signal(s syscall.Signal) {
	if p != nil {
		_ = p.cmd.Process.Signal(s)
	}
}

func (p *program) kill() {
	if p != nil {
		p.signal(syscall.SIGKILL)
		<-p.done
	}
}

// Switchover makes the other node the primary, as an operator does.
func (c *Cluster) Switchover(from *Node) error {
	cmd := c.command("patronictl", "-c", from.settings, "switchover", "--master", from.Name, "--candidate", c.Other(from).Name, "--force")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("patronictl: %w: %s", err, out)
	}
	return nil
}
