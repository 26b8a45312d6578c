package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"
)

// Overload is ten times the service's capacity, from many clients that do not wait for each other.
const (
	overloadTimes = 10
	overloadTime  = 3 * time.Second
	peakTime      = 1500 * time.Millisecond
	settleTime    = 200 * time.Millisecond // after all have connected
)

// overloadResult is the outcome of an open loop.
type overloadResult struct {
	accepted, refused, other []time.Duration
	goodput                  float64 // accepted per second / the peak just before
	cpu                      time.Duration
}

// benchOverload measures the peak in a closed loop, then offers ten times as much in an open one: every client sends at its
// own fixed times, whether or not others have been answered. A client skips a time at which it still waits for an answer.
// Each round has its own peak, because the machine is not the same from one to the next.
func benchOverload(w io.Writer, s *suite, connections, rounds int) error {
	var (
		all   overloadResult
		ratio []float64
	)
	for round := range rounds + 1 {
		fmt.Fprintf(os.Stderr, "\rround %d of %d", round, rounds)
		s, err := s.foyer.overload(connections)
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
	_, most := s.foyer.memory()
	fmt.Fprintf(w, "overload from %d connections: goodput / peak %s; accepted %d, p50 %v, p99 %v; refused %d, p99 %v; other %d; CPU %.0f %%; memory at most %.0f MB\n",
		connections, spreadOf(ratio), len(all.accepted), percentile(all.accepted, 0.5), percentile(all.accepted, 0.99), len(all.refused), percentile(all.refused, 0.99), len(all.other),
		100*all.cpu.Seconds()/(overloadTime.Seconds()*float64(rounds)), float64(most)/1e6)
	return nil
}

// overload is one round: the peak, the better of 64 and 512 connections, and then the open loop.
func (srv *server) overload(connections int) (overloadResult, error) {
	req := post("/v1/intake", lead, 202)
	var peak float64
	for _, n := range []int{64, 512} {
		r, err := runLoad(srv.address, req, n, peakTime)
		if err != nil {
			return overloadResult{}, err
		}
		peak = max(peak, r.perSecond())
	}
	before := srv.cpu()
	s, err := srv.runOpenLoop(req, peak*overloadTimes, connections)
	s.cpu = srv.cpu() - before
	s.goodput = float64(len(s.accepted)) / overloadTime.Seconds() / peak
	return s, err
}

func (s *overloadResult) add(part overloadResult) {
	s.accepted = append(s.accepted, part.accepted...)
	s.refused = append(s.refused, part.refused...)
	s.other = append(s.other, part.other...)
	s.cpu += part.cpu
}

func (s *overloadResult) sort() {
	for _, list := range [][]time.Duration{s.accepted, s.refused, s.other} {
		slices.Sort(list)
	}
}

func percentile(sorted []time.Duration, share float64) time.Duration {
	return result{latencies: sorted}.percentile(share).Round(100 * time.Microsecond)
}

// runOpenLoop has every client send at its own times, a period apart, until the time is up and all are answered.
func (srv *server) runOpenLoop(req loadRequest, rate float64, connections int) (overloadResult, error) {
	var total overloadResult
	pool, err := newClientPool(srv.address, req, connections)
	if err != nil {
		return total, err
	}
	defer pool.close()
	period := time.Duration(float64(connections) / rate * float64(time.Second))
	began := time.Now().Add(settleTime)
	end := began.Add(overloadTime)
	var queue sendQueue
	for i, cl := range pool.clients {
		queue.add(cl, began.Add(period*time.Duration(i)/time.Duration(connections)))
	}
	for waiting := 0; waiting > 0 || queue.Len() > 0; {
		sent, err := queue.send(time.Now())
		if err != nil {
			return total, err
		}
		waiting += sent
		err = pool.poll(queue.wait(time.Now()), func(cl *client, status int, now time.Time) error {
			waiting--
			total.count(req.want, status, now.Sub(cl.sent))
			due := cl.due
			for !due.After(now) {
				due = due.Add(period)
			}
			if due.Before(end) {
				queue.add(cl, due)
			}
			return nil
		})
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

func (s *overloadResult) count(want, status int, took time.Duration) {
	switch status {
	case want:
		s.accepted = append(s.accepted, took)
	case http.StatusServiceUnavailable:
		s.refused = append(s.refused, took)
	default:
		s.other = append(s.other, took)
	}
}
