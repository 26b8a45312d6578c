package main

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// shot is one kind of request, written out in full: the generator must cost as little as it can, because it shares the
// machine with what it measures.
type shot struct {
	raw  []byte
	want int                  // the status of a good answer
	vary func(request []byte) // makes it another each time, where that matters
}

// result is what a round of shots showed.
type result struct {
	done      int // good answers
	wrong     int // any other answer
	elapsed   time.Duration
	latencies []time.Duration // of the good answers, sorted
}

func (r result) perSecond() float64 { return float64(r.done) / r.elapsed.Seconds() }

func (r result) sort() { slices.Sort(r.latencies) }

// at is the latency below which a share of the answers came.
func (r result) at(share float64) time.Duration {
	if len(r.latencies) == 0 {
		return 0
	}
	return r.latencies[min(len(r.latencies)-1, int(share*float64(len(r.latencies))))]
}

// fire sends a shot over and over on a number of connections for a while, each waiting for its answer (a closed loop).
func fire(address string, s shot, connections int, while time.Duration) (result, error) {
	var (
		stop    atomic.Bool
		clients sync.WaitGroup
		mu      sync.Mutex
		total   result
		failed  error
	)
	began := time.Now()
	for range connections {
		clients.Go(func() {
			part, err := gun(address, s, &stop)
			mu.Lock()
			defer mu.Unlock()
			total.done += part.done
			total.wrong += part.wrong
			total.latencies = append(total.latencies, part.latencies...)
			if err != nil {
				failed = err
			}
		})
	}
	time.Sleep(while)
	stop.Store(true)
	clients.Wait()
	total.elapsed = time.Since(began)
	total.sort()
	return total, failed
}

func gun(address string, s shot, stop *atomic.Bool) (result, error) {
	var (
		r    result
		next reply
	)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return r, err
	}
	defer conn.Close()
	raw, buffer := slices.Clone(s.raw), make([]byte, 16<<10)
	for !stop.Load() {
		if s.vary != nil {
			s.vary(raw)
		}
		began := time.Now()
		if _, err := conn.Write(raw); err != nil {
			return r, err
		}
		status, err := next.read(conn, buffer)
		if err != nil {
			return r, err
		}
		if status != s.want {
			r.wrong++
			continue
		}
		r.done++
		r.latencies = append(r.latencies, time.Since(began))
	}
	return r, nil
}

func get(path string, headers ...string) shot {
	return shot{raw: request("GET", path, "", headers...), want: 200}
}

func post(path, body string, want int, headers ...string) shot {
	return shot{raw: request("POST", path, body, append([]string{"Content-Type: application/json"}, headers...)...), want: want}
}

func request(method, path, body string, headers ...string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: localhost\r\n", method, path)
	for _, h := range headers {
		io.WriteString(&b, h+"\r\n")
	}
	if method == "POST" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	io.WriteString(&b, "\r\n"+body)
	return b.Bytes()
}
