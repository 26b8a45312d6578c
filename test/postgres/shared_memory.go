package postgres

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// sharedMemory is a System V shared memory segment. It outlives killed processes. The next start on the same data removes
// what it finds, but there may be no next start, and a segment that was just being created is in no list.
type sharedMemory string

// sharedMemoryOf finds the shared memory of processes that still live.
func sharedMemoryOf(all []process) (found []sharedMemory) {
	for _, p := range all {
		maps, _ := os.ReadFile(fmt.Sprintf("/proc/%d/maps", p.id))
		for line := range strings.Lines(string(maps)) {
			fields := strings.Fields(line)
			switch {
			case len(fields) < 6:
			case strings.HasPrefix(fields[5], "/dev/shm/PostgreSQL."):
				found = append(found, sharedMemory(fields[5]))
			case strings.HasPrefix(fields[5], "/SYSV"):
				found = append(found, sharedMemory(fields[4])) // the id is in the inode column
			}
		}
	}
	return found
}

// removeSharedMemory removes what a killed server left behind, unless the next start did.
func (s *Server) removeSharedMemory() {
	for _, l := range s.leftovers {
		l.remove()
	}
	s.leftovers = nil
}

func (l sharedMemory) remove() {
	if id, err := strconv.Atoi(string(l)); err == nil {
		const ipcRemove = 0
		_, _, _ = syscall.Syscall(syscall.SYS_SHMCTL, uintptr(id), ipcRemove, 0)
		return
	}
	_ = os.Remove(string(l))
}
