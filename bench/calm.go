package main

import "time"

// calm is fire from one loop: each client sends its next request when it has its answer. Answers that came when the time was over
// count, and so does the time until they came.
func calm(address string, s shot, connections int, while time.Duration) (r result, err error) {
	crowd, err := gather(address, s, connections)
	if err != nil {
		return r, err
	}
	defer crowd.leave()
	began := time.Now()
	for _, x := range crowd.clients {
		if err := x.send(time.Now()); err != nil {
			return r, err
		}
	}
	for waiting := connections; waiting > 0; {
		err := crowd.answers(time.Minute, func(x *client, status int, now time.Time) error {
			if status == s.want {
				r.done++
				r.latencies = append(r.latencies, now.Sub(x.sent))
			} else {
				r.wrong++
			}
			if now.Sub(began) < while {
				return x.send(now)
			}
			waiting--
			return nil
		})
		if err != nil {
			return r, err
		}
	}
	r.elapsed = time.Since(began)
	r.sort()
	return r, nil
}
