package postgres

import (
	"fmt"
	"syscall"
)

// KillTree ends a process and its children, as a crash of a machine does, waits for their end, and removes their shared memory. It is
// for servers that another program has started, such as Patroni.
func KillTree(head int) error {
	all, err := haltTree(head)
	if err != nil {
		return err
	}
	leftovers := sharedMemoryOf(all)
	if err := killAll(all); err != nil {
		return err
	}
	for _, l := range leftovers {
		l.remove()
	}
	return nil
}

// PauseTree makes a process and its children hang.
func PauseTree(head int) error {
	all, err := haltTree(head)
	if err != nil {
		return err
	}
	signalAll(all, syscall.SIGSTOP)
	if err := await(all, process.stopped); err != nil {
		return fmt.Errorf("postgres: the processes do not hang: %w", err)
	}
	return nil
}

// ResumeTree ends a PauseTree.
func ResumeTree(head int) { signalAll(processTree(head), syscall.SIGCONT) }

// haltTree stops the first process, so that it starts no others, and returns all processes. Each leads its own process group:
// no one group could be signaled.
func haltTree(head int) ([]process, error) {
	_ = syscall.Kill(head, syscall.SIGSTOP)
	if err := await([]process{readProcess(head)}, process.stopped); err != nil {
		return nil, fmt.Errorf("postgres: process %d does not stand still: %w", head, err)
	}
	return processTree(head), nil
}

func killAll(all []process) error {
	signalAll(all, syscall.SIGKILL)
	if err := await(all, neverDone); err != nil {
		return fmt.Errorf("postgres: killed, but not gone: %w", err)
	}
	return nil
}
