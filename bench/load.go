package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"time"
)

// loadRequest is one kind of request, as raw bytes: the load generator must be cheap, because it shares the machine with
// what it measures.
type loadRequest struct {
	raw  []byte
	want int                  // the status of a good answer
	vary func(request []byte) // changes the request each time, if set
}

// result is the outcome of a load.
type result struct {
	done      int // good answers
	wrong     int // any other answer
	elapsed   time.Duration
	latencies []time.Duration // of the good answers, sorted
}

func (r result) perSecond() float64 { return float64(r.done) / r.elapsed.Seconds() }

func (r result) sort() { slices.Sort(r.latencies) }

// percentile returns the latency below which this share of the answers arrived.
func (r result) percentile(share float64) time.Duration {
	if len(r.latencies) == 0 {
		return 0
	}
	return r.latencies[min(len(r.latencies)-1, int(share*float64(len(r.latencies))))]
}

// answerTimeout ends a run that has had no answer for this long.
const answerTimeout = time.Minute

// runLoad sends a request repeatedly on a number of connections for a while, each waiting for its answer (a closed loop).
// Answers that arrive after the time is up count, and so does the time until they arrive.
func runLoad(address string, req loadRequest, connections int, duration time.Duration) (result, error) {
	return runUntil(address, req, connections, func(_ int, elapsed time.Duration) bool { return elapsed >= duration })
}

// runRequests does the same for a fixed number of requests, for measurements that must all do the same work.
func runRequests(address string, req loadRequest, connections, requests int) (result, error) {
	return runUntil(address, req, min(connections, requests), func(sent int, _ time.Duration) bool { return sent >= requests })
}

func runUntil(address string, req loadRequest, connections int, done func(sent int, elapsed time.Duration) bool) (r result, err error) {
	pool, err := newClientPool(address, req, connections)
	if err != nil {
		return r, err
	}
	defer pool.close()
	began := time.Now()
	heard := began
	for _, cl := range pool.clients {
		if err := cl.send(time.Now()); err != nil {
			return r, err
		}
	}
	for sent, waiting := connections, connections; waiting > 0; {
		err := pool.poll(answerTimeout, func(cl *client, status int, now time.Time) error {
			heard = now
			if status == req.want {
				r.done++
				r.latencies = append(r.latencies, now.Sub(cl.sent))
			} else {
				r.wrong++
			}
			if done(sent, now.Sub(began)) {
				waiting--
				return nil
			}
			sent++
			return cl.send(now)
		})
		if err == nil && time.Since(heard) >= answerTimeout {
			err = fmt.Errorf("%d requests have no answer", waiting)
		}
		if err != nil {
			return r, err
		}
	}
	r.elapsed = time.Since(began)
	r.sort()
	return r, nil
}

func get(path string, headers ...string) loadRequest {
	return loadRequest{raw: request("GET", path, "", headers...), want: 200}
}

func post(path, body string, want int, headers ...string) loadRequest {
	return loadRequest{raw: request("POST", path, body, append([]string{"Content-Type: application/json"}, headers...)...), want: want}
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
