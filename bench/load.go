package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
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

// silence is after how long without any answer a run is given up.
const silence = time.Minute

// fire sends a shot over and over on a number of connections for a while, each waiting for its answer (a closed loop). Answers that
// came when the time was over count, and so does the time until they came.
func fire(address string, s shot, connections int, while time.Duration) (result, error) {
	return fireUntil(address, s, connections, func(_ int, elapsed time.Duration) bool { return elapsed >= while })
}

// fireTimes does the same for a fixed number of requests, where all that are measured must do the same work.
func fireTimes(address string, s shot, connections, requests int) (result, error) {
	return fireUntil(address, s, min(connections, requests), func(sent int, _ time.Duration) bool { return sent >= requests })
}

func fireUntil(address string, s shot, connections int, enough func(sent int, elapsed time.Duration) bool) (r result, err error) {
	crowd, err := gather(address, s, connections)
	if err != nil {
		return r, err
	}
	defer crowd.leave()
	began := time.Now()
	heard := began
	for _, x := range crowd.clients {
		if err := x.send(time.Now()); err != nil {
			return r, err
		}
	}
	for sent, waiting := connections, connections; waiting > 0; {
		err := crowd.answers(silence, func(x *client, status int, now time.Time) error {
			heard = now
			if status == s.want {
				r.done++
				r.latencies = append(r.latencies, now.Sub(x.sent))
			} else {
				r.wrong++
			}
			if enough(sent, now.Sub(began)) {
				waiting--
				return nil
			}
			sent++
			return x.send(now)
		})
		if err == nil && time.Since(heard) >= silence {
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
