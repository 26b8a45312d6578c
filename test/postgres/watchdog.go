package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// Watchdog is a small process that outlives us. When our end of its pipe closes, however we ended, it does its work: it stops a server
// and removes a folder. Linux can send a signal when a parent dies, but a hung process does not react to it.
type Watchdog struct {
	pipe    *os.File
	process *exec.Cmd
}

// watchdogScript is what the watchdog runs; the last id it was told counts. The server would kill hung children by itself,
// but only after five seconds: resuming them is faster.
const watchdogScript = `
while read -r id; do server=$id; done
if [ "${server:-0}" -gt 0 ]; then
	kill -QUIT "$server"
	kill -CONT "$server" $(cat "/proc/$server/task/$server/children")
	for i in $(seq 200); do grep -q '^State:.[^Z]' "/proc/$server/status" && sleep 0.05 || break; done
fi
rm -rf -- "$1"
`

// startWatchdog starts a watchdog for a server.
func startWatchdog(folder string) (*Watchdog, error) { return StartWatchdog(watchdogScript, folder) }

// StartWatchdog starts a watchdog that runs a shell script. The script does its work when its standard input ends.
func StartWatchdog(script string, args ...string) (*Watchdog, error) {
	hear, tell, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer hear.Close()
	dog := &Watchdog{pipe: tell, process: exec.Command("/bin/sh", append([]string{"-c", script, "watchdog"}, args...)...)}
	dog.process.Dir, dog.process.Stdin = "/", hear
	dog.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // signals to our process group are not for the watchdog
	if err := dog.process.Start(); err != nil {
		_ = tell.Close()
		return nil, err
	}
	return dog, nil
}

// watch sets which process to stop, or 0 for none.
func (dog *Watchdog) watch(id int) error {
	_, err := fmt.Fprintln(dog.pipe, id)
	return err
}

// Finish makes the watchdog do its work now, and waits for it.
func (dog *Watchdog) Finish() error {
	if dog == nil {
		return nil
	}
	_ = dog.pipe.Close()
	return dog.process.Wait()
}
