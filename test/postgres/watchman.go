package postgres

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// watchman is a small process that outlives us. When our end of its pipe closes, however we ended, it stops the server
// and removes the folder. The signal that Linux can send at the death of a parent does neither: a process that hangs does not hear it.
type watchman struct {
	pipe    *os.File
	process *exec.Cmd
}

// duty is what it does; the id that it was told last counts. The server would kill children that hang, but only after
// five seconds: to wake them is quicker.
const duty = `
while read -r id; do server=$id; done
if [ "${server:-0}" -gt 0 ]; then
	kill -QUIT "$server"
	kill -CONT "$server" $(cat "/proc/$server/task/$server/children")
	for i in $(seq 200); do grep -q '^State:.[^Z]' "/proc/$server/status" && sleep 0.05 || break; done
fi
rm -rf -- "$1"
`

func hire(folder string) (*watchman, error) {
	hear, tell, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer hear.Close()
	w := &watchman{pipe: tell, process: exec.Command("/bin/sh", "-c", duty, "watchman", folder)}
	w.process.Dir, w.process.Stdin = "/", hear
	w.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what is sent to us all is not for it
	if err := w.process.Start(); err != nil {
		_ = tell.Close()
		return nil, err
	}
	return w, nil
}

// watch tells which process to stop, or 0 for none.
func (w *watchman) watch(id int) error {
	_, err := fmt.Fprintln(w.pipe, id)
	return err
}

// dismiss has the watchman do the work now, and waits for it.
func (w *watchman) dismiss() error {
	if w == nil {
		return nil
	}
	_ = w.pipe.Close()
	return w.process.Wait()
}
