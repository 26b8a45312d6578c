package patroni

import (
	"os"
	"os/exec"
	"syscall"
)

// watchdog is a small process that outlives us. When our end of its pipe closes, it ends the servers: Patroni and etcd die with us,
// but servers are children of nobody.
type watchdog struct {
	pipe    *os.File
	process *exec.Cmd
}

const watchdogScript = `
read -r never
home=$1; shift
for data; do
	server=$(head -n 1 "$data/postmaster.pid" 2>/dev/null) || continue
	[ "$(readlink "/proc/$server/cwd")" = "$data" ] || continue
	children=$(cat "/proc/$server/task/$server/children")
	kill -QUIT "$server"
	kill -CONT "$server" $children
	ended=$server
done
[ -z "$ended" ] || sleep 1
rm -rf -- "$home"
`

func startWatchdog(home string, data []string) (*watchdog, error) {
	hear, tell, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer hear.Close()
	dog := &watchdog{pipe: tell, process: exec.Command("/bin/sh", append([]string{"-c", watchdogScript, "watchdog", home}, data...)...)}
	dog.process.Dir, dog.process.Stdin = "/", hear
	dog.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := dog.process.Start(); err != nil {
		_ = tell.Close()
		return nil, err
	}
	return dog, nil
}

// finish makes the watchdog do its work now, and waits for it.
func (dog *watchdog) finish() error {
	if dog == nil {
		return nil
	}
	_ = dog.pipe.Close()
	return dog.process.Wait()
}
