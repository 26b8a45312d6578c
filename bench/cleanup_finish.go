package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"time"
)

// A steady intake is far more than an operator of this size ever gets, and leaves the writer idle most of the time.
const (
	steadyRate        = 50 // leads a second
	steadyConnections = 4
	steadyWindow      = 10 * time.Second
	windowsPerUsual   = 3             // of the old server for each of the young one, where nothing is deleted meanwhile
	maxCleanup        = 2 * time.Hour // for the rest of the backlog, without the windows of the young server
)

// steadyIntake collects the latencies of a server's windows.
type steadyIntake struct {
	p99 []float64 // of each window, in seconds
	all result
}

// finishCleanup lets the old server delete the rest beside a steady intake. Its windows alternate with those of the young
// server, which is as large and as loaded, but has nothing to delete; only one of the two runs at a time.
func finishCleanup(w io.Writer, engine, driver string, old, young *keyedServer, rest int) error {
	var forgetting, usual steadyIntake
	var worked time.Duration
	for left := rest; left > 0; {
		for range windowsPerUsual {
			elapsed, err := forgetting.window(old)
			if err != nil {
				return err
			}
			worked += elapsed
		}
		if _, err := usual.window(young); err != nil {
			return err
		}
		var err error
		if left, err = old.oldKeys(driver); err != nil {
			return err
		}
		if left > 0 && worked > maxCleanup {
			return fmt.Errorf("%s: %d old keys are still there after %.0f s", engine, left, worked.Seconds())
		}
		fmt.Fprintf(os.Stderr, "%s: %d of %d old keys are left after %.0f s; p99 %.1f ms, usual %.1f ms\n",
			engine, left, rest, worked.Seconds(), 1000*forgetting.p99[len(forgetting.p99)-1], 1000*usual.p99[len(usual.p99)-1])
	}
	ratios := make([]float64, len(forgetting.p99))
	for i := range ratios {
		ratios[i] = forgetting.p99[i] / usual.p99[i/windowsPerUsual]
	}
	slices.Sort(ratios)
	forgetting.all.sort()
	usual.all.sort()
	fmt.Fprintf(w, "%s: the other %d were deleted in %.0f s (%.0f a second) beside %d leads a second; intake p99 / usual: %s, half of the %d windows %.2f..%.2f (%.1f ms / %.1f ms); of all %d leads: %.2f (%.1f ms / %.1f ms), p50 %.2f\n",
		engine, rest, worked.Seconds(), float64(rest)/worked.Seconds(), steadyRate, spreadOf(ratios), len(ratios), ratios[len(ratios)/4], ratios[len(ratios)*3/4],
		1000*spreadOf(forgetting.p99).median, 1000*spreadOf(usual.p99).median, forgetting.all.done, forgetting.all.over(usual.all, 0.99),
		1000*forgetting.all.percentile(0.99).Seconds(), 1000*usual.all.percentile(0.99).Seconds(), forgetting.all.over(usual.all, 0.5))
	return nil
}

// over divides a percentile by that of another load.
func (r result) over(other result, share float64) float64 {
	return r.percentile(share).Seconds() / other.percentile(share).Seconds()
}

// window sends leads for a while to a server that is paused before and after.
func (i *steadyIntake) window(k *keyedServer) (time.Duration, error) {
	k.resume()
	began := time.Now()
	r, err := runPaced(k.address, variedLead("/v1/intake", 202), steadyConnections, steadyRate, steadyWindow)
	k.pause()
	if err != nil || r.wrong > 0 || r.done == 0 {
		return 0, fmt.Errorf("%s: %d good, %d wrong, %v", k.name, r.done, r.wrong, err)
	}
	i.p99 = append(i.p99, r.percentile(0.99).Seconds())
	i.all.done += r.done
	i.all.latencies = slices.Concat(i.all.latencies, r.latencies)
	return time.Since(began), nil
}
