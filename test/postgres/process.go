package postgres

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// process is what Linux tells of one.
type process struct {
	id, parent int
	letter     string // of its state: T stands still, Z has ended
	born       string // in ticks of the kernel: two processes with one id differ in it
}

// state reads a process. One that is not there has no letter.
func state(id int) process {
	p := process{id: id}
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", id))
	_, rest, _ := strings.Cut(string(text), ") ") // the name before may be anything
	if fields := strings.Fields(rest); len(fields) > 19 {
		p.letter, p.born = fields[0], fields[19]
		p.parent, _ = strconv.Atoi(fields[1])
	}
	return p
}

// family is a process and its children.
func family(head int) (all []process) {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	for _, folder := range folders {
		id, _ := strconv.Atoi(filepath.Base(folder))
		if p := state(id); p.runs() && (p.id == head || p.parent == head) {
			all = append(all, p)
		}
	}
	return all
}

// runs says that it had not ended when it was read.
func (p process) runs() bool { return p.letter != "" && p.letter != "Z" && p.letter != "X" }

// lives says that it has not ended by now.
func (p process) lives() bool {
	now := state(p.id)
	return now.runs() && now.born == p.born
}

// stands says that it stands still by now, also where somebody traces it.
func (p process) stands() bool { return strings.EqualFold(state(p.id).letter, "T") }
