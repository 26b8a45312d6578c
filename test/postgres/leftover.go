package postgres

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// leftover is memory that processes share through the system. It stays when they are killed. The next start on the same
// data removes what it finds, but there may be none, and a piece that was just being made is in no list.
type leftover string

// leftoversOf finds the shared memory of processes that still live.
func leftoversOf(all []process) (found []leftover) {
	for _, p := range all {
		maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", p.id))
		for line := range strings.Lines(string(maps)) {
			fields := strings.Fields(line)
			switch {
			case len(fields) < 6:
			case strings.HasPrefix(fields[5], "/dev/shm/PostgreSQL."):
				found = append(found, leftover(fields[5]))
			case strings.HasPrefix(fields[5], "/SYSV"):
				found = append(found, leftover(fields[4])) // its id stands where files have their inode
			}
		}
	}
	return found
}

// sweep removes what a server that was killed left behind, where the next one did not.
func (s *Server) sweep() {
	for _, l := range s.leftovers {
		l.remove()
	}
	s.leftovers = nil
}

func (l leftover) remove() {
	if id, err := strconv.Atoi(string(l)); err == nil {
		const ipcRemove = 0
		_, _, _ = syscall.Syscall(syscall.SYS_SHMCTL, uintptr(id), ipcRemove, 0)
		return
	}
	_ = os.Remove(string(l))
}
