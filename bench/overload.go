package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"time"
)

// How overload is made: ten times what the service can do, from many clients that do not wait for each other.
const (
	overloadTimes = 10
	overloadTime  = 10 * time.Second
	peakTime      = 5 * time.Second
)

// storm is what came of an open loop.
type storm struct {
	accepted, refused, other []time.Duration
	elapsed                  time.Duration
}

// overload measures the peak in a closed loop, then offers ten times as much in an open one: every client sends at its
// own fixed times, whether or not others have been answered. A time at which it still waits for an answer is skipped.
func overload(w io.Writer, f *field, connections int) error {
	shot := post("/v1/intake", lead, 202)
	var peak float64
	for _, n := range []int{64, 512, 64, 512} {
		r, err := fire(f.foyer.address, shot, n, peakTime/4)
		if err != nil {
			return err
		}
		peak = max(peak, r.perSecond())
	}
	fmt.Fprintf(os.Stderr, "peak %.0f a second; now %.0f a second from %d connections\n", peak, peak*overloadTimes, connections)
	before := f.foyer.cpu()
	s, err := f.foyer.storm(shot, peak*overloadTimes, connections)
	if err != nil {
		return err
	}
	busy := f.foyer.cpu() - before
	_, most := f.foyer.memory()
	goodput := float64(len(s.accepted)) / s.elapsed.Seconds()
	fmt.Fprintf(w, "overload from %d connections: goodput / peak %.2f; accepted %d, p50 %v, p99 %v; refused %d, p99 %v; other %d; CPU %.0f %%; memory at most %.0f MB\n",
		connections, goodput/peak, len(s.accepted), at(s.accepted, 0.5), at(s.accepted, 0.99), len(s.refused), at(s.refused, 0.99), len(s.other),
		100*busy.Seconds()/s.elapsed.Seconds(), float64(most)/1e6)
	return nil
}

func at(sorted []time.Duration, share float64) time.Duration {
	return result{latencies: sorted}.at(share).Round(100 * time.Microsecond)
}

func (sv *server) storm(s shot, rate float64, connections int) (storm, error) {
	period := time.Duration(float64(connections) / rate * float64(time.Second))
	var total storm
	var mu sync.Mutex
	var clients sync.WaitGroup
	var failed error
	began := time.Now().Add(time.Second) // all are connected by then
	for i := range connections {
		first := began.Add(period * time.Duration(i) / time.Duration(connections))
		clients.Go(func() {
			part, err := sv.drop(s, first, began.Add(overloadTime), period)
			mu.Lock()
			defer mu.Unlock()
			total.accepted = append(total.accepted, part.accepted...)
			total.refused = append(total.refused, part.refused...)
			total.other = append(total.other, part.other...)
			if err != nil {
				failed = err
			}
		})
	}
	clients.Wait()
	total.elapsed = overloadTime
	for _, list := range [][]time.Duration{total.accepted, total.refused, total.other} {
		slices.Sort(list)
	}
	return total, failed
}

// drop is one client of the storm.
func (sv *server) drop(s shot, next, end time.Time, period time.Duration) (storm, error) {
	var mine storm
	conn, err := net.Dial("tcp", sv.address)
	if err != nil {
		return mine, err
	}
	defer conn.Close()
	answers := bufio.NewReaderSize(conn, 2<<10)
	for next.Before(end) {
		time.Sleep(time.Until(next))
		sent := time.Now()
		if _, err := conn.Write(s.raw); err != nil {
			return mine, err
		}
		status, err := skipAnswer(answers)
		if err != nil {
			return mine, err
		}
		took := time.Since(sent)
		switch status {
		case s.want:
			mine.accepted = append(mine.accepted, took)
		case 503:
			mine.refused = append(mine.refused, took)
		default:
			mine.other = append(mine.other, took)
		}
		for now := time.Now(); next.Before(now); {
			next = next.Add(period)
		}
	}
	return mine, nil
}
