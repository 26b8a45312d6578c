package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// quotaPeriod is short, so that a process that used up its share waits for a few milliseconds.
const quotaPeriod = 10_000 // microseconds

// errNoQuota means that this machine lets nobody limit the CPU of a process.
var errNoQuota = errors.New("the CPU of a process cannot be limited here, which takes root and cgroups")

// limitCPU gives a process a share of one core, as a small machine of its own would. It uses cgroups of either version.
func (s *server) limitCPU(share float64) (release func(), err error) {
	quota := strconv.Itoa(int(share * quotaPeriod))
	for parent, limits := range map[string][][2]string{
		"/sys/fs/cgroup/cpu": {{"cpu.cfs_period_us", strconv.Itoa(quotaPeriod)}, {"cpu.cfs_quota_us", quota}},
		"/sys/fs/cgroup":     {{"cpu.max", quota + " " + strconv.Itoa(quotaPeriod)}},
	} {
		group := filepath.Join(parent, "foyer-bench-"+strconv.Itoa(s.cmd.Process.Pid))
		if err = writeGroup(group, append(limits, [2]string{"cgroup.procs", strconv.Itoa(s.cmd.Process.Pid)})); err == nil {
			return func() { s.kill(); os.Remove(group) }, nil
		}
		os.Remove(group)
	}
	return nil, fmt.Errorf("%w: %w", errNoQuota, err)
}

func writeGroup(group string, files [][2]string) error {
	if _, err := os.Stat(filepath.Join(filepath.Dir(group), "cgroup.procs")); err != nil {
		return err
	}
	if err := os.Mkdir(group, 0o755); err != nil {
		return err
	}
	var errs []error
	for _, f := range files {
		errs = append(errs, os.WriteFile(filepath.Join(group, f[0]), []byte(f[1]), 0o644))
	}
	return errors.Join(errs...)
}
