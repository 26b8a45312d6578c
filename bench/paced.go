package main

import (
	"fmt"
	"time"
)

// runPaced sends requests at a fixed rate for a while, spread over some connections (an open loop). A request whose
// connection still waits at its time is sent late, and its latency counts from that time.
func runPaced(address string, req loadRequest, connections int, rate float64, duration time.Duration) (r result, err error) {
	pool, err := newClientPool(address, req, connections)
	if err != nil {
		return r, err
	}
	defer pool.close()
	period := time.Duration(float64(connections) / rate * float64(time.Second))
	began := time.Now()
	var queue sendQueue
	for i, cl := range pool.clients {
		queue.add(cl, began.Add(period*time.Duration(i)/time.Duration(connections)))
	}
	for heard, waiting := began, 0; waiting > 0 || queue.Len() > 0; {
		sent, err := queue.send(time.Now())
		if err != nil {
			return r, err
		}
		waiting += sent
		err = pool.poll(min(queue.wait(time.Now()), answerTimeout), func(cl *client, status int, now time.Time) error {
			heard = now
			waiting--
			if status == req.want {
				r.done++
				r.latencies = append(r.latencies, now.Sub(cl.sent))
			} else {
				r.wrong++
			}
			next := cl.due.Add(period)
			if next.Sub(began) >= duration {
				return nil
			}
			if next.After(now) {
				queue.add(cl, next)
				return nil
			}
			waiting++
			err := cl.send(now)
			cl.due, cl.sent = next, next
			return err
		})
		if err == nil && waiting > 0 && time.Since(heard) >= answerTimeout {
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
