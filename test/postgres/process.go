package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// process is what Linux reports about a process.
type process struct {
	id, parent int
	state      string // T is stopped, Z has ended
	startTicks string // distinguishes two processes with the same id
}

// readProcess reads a process. The state of one that does not exist is empty.
func readProcess(id int) process {
	p := process{id: id}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	_, rest, _ := strings.Cut(string(text), ") ") // the name before it may contain anything
	if fields := strings.Fields(rest); len(fields) > 19 {
		p.state, p.startTicks = fields[0], fields[19]
		p.parent, _ = strconv.Atoi(fields[1])
	}
	return p
}

// processTree returns a process and its children.
func processTree(head int) (all []process) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		id, _ := strconv.Atoi(filepath.Base(folder))
		if p := readProcess(id); p.running() && (p.id == head || p.parent == head) {
			all = append(all, p)
		}
	}
	return all
}

// running reports whether the process had not ended when it was read.
func (p process) running() bool { return p.state != "" && p.state != "Z" && p.state != "X" }

// alive reports whether the process has not ended by now.
func (p process) alive() bool {
	now := readProcess(p.id)
	return now.running() && now.startTicks == p.startTicks
}

// stopped reports whether the process is stopped by now, also if traced.
func (p process) stopped() bool { return strings.EqualFold(readProcess(p.id).state, "T") }
