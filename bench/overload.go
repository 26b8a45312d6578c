package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"
)

// How overload is made: ten times what the service can do, from many clients that do not wait for each other.
const (
	overloadTimes = 10
	overloadTime  = 3 * time.Second
	peakTime      = 1500 * time.Millisecond
	settleTime    = 200 * time.Millisecond // after so many have connected at once
)

// storm is what came of an open loop.
type storm struct {
	accepted, refused, other []time.Duration
	goodput                  float64 // accepted a second / at the peak just before
	cpu                      time.Duration
}

// overload measures the peak in a closed loop, then offers ten times as much in an open one: every client sends at its
// own fixed times, whether or not others have been answered. A time at which it still waits for an answer is skipped. Each
// round has a peak of its own, because the machine is not the same from one to the next.
func overload(w io.Writer, f *field, connections, rounds int) error {
	var (
		all   storm
		ratio []float64
	)
	for round := range rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, rounds)
		s, err := f.foyer.overload(connections)
		if err != nil {
			return err
		}
		if round > 0 { // the first warms everything up
			ratio = append(ratio, s.goodput)
			all.add(s)
		}
	}
	fmt.Fprintln(os.Stderr)
	all.sort()
	_, most := f.foyer.memory()
	fmt.Fprintf(w, "overload from %d connections: goodput / peak %s; accepted %d, p50 %v, p99 %v; refused %d, p99 %v; other %d; CPU %.0f %%; memory at most %.0f MB\n",
		connections, spreadOf(ratio), len(all.accepted), at(all.accepted, 0.5), at(all.accepted, 0.99), len(all.refused), at(all.refused, 0.99), len(all.other),
		100*all.cpu.Seconds()/(overloadTime.Seconds()*float64(rounds)), float64(most)/1e6)
	return nil
}

// overload is one round: the best of 64 and of 512 connections, then the storm.
func (sv *server) overload(connections int) (storm, error) {
	shot := post("/v1/intake", lead, 202)
	var peak float64
	for _, n := range []int{64, 512} {
		r, err := fire(sv.address, shot, n, peakTime)
		if err != nil {
			return storm{}, err
		}
		peak = max(peak, r.perSecond())
	}
	before := sv.cpu()
	s, err := sv.storm(shot, peak*overloadTimes, connections)
	s.cpu = sv.cpu() - before
	s.goodput = float64(len(s.accepted)) / overloadTime.Seconds() / peak
	return s, err
}

func (s *storm) add(part storm) {
	s.accepted = append(s.accepted, part.accepted...)
	s.refused = append(s.refused, part.refused...)
	s.other = append(s.other, part.other...)
	s.cpu += part.cpu
}

func (s *storm) sort() {
	for _, list := range [][]time.Duration{s.accepted, s.refused, s.other} {
		slices.Sort(list)
	}
}

func at(sorted []time.Duration, share float64) time.Duration {
	return result{latencies: sorted}.at(share).Round(100 * time.Microsecond)
}

// storm has every client send at its own times, a period apart, until the time is over and all are answered.
func (sv *server) storm(s shot, rate float64, connections int) (storm, error) {
	var total storm
	crowd, err := gather(sv.address, s, connections)
	if err != nil {
		return total, err
	}
	defer crowd.leave()
	period := time.Duration(float64(connections) / rate * float64(time.Second))
	began := time.Now().Add(settleTime)
	end := began.Add(overloadTime)
	var plan agenda
	for i, x := range crowd.clients {
		plan.add(x, began.Add(period*time.Duration(i)/time.Duration(connections)))
	}
	for waiting := 0; waiting > 0 || plan.Len() > 0; {
		sent, err := plan.send(time.Now())
		if err != nil {
			return total, err
		}
		waiting += sent
		err = crowd.answers(plan.wait(time.Now()), func(x *client, status int, now time.Time) error {
			waiting--
			total.count(s.want, status, now.Sub(x.sent))
			due := x.due
			for !due.After(now) {
				due = due.Add(period)
			}
			if due.Before(end) {
				plan.add(x, due)
			}
			return nil
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

func (s *storm) count(want, status int, took time.Duration) {
	switch status {
	case want:
		s.accepted = append(s.accepted, took)
	case http.StatusServiceUnavailable:
		s.refused = append(s.refused, took)
	default:
		s.other = append(s.other, took)
	}
}
