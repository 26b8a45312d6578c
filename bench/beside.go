package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// beside is an intake that is measured in turns with others.
type beside struct {
	*server
	shot  shot
	rates []float64
}

// besideBuyers measures the intake with and without buyers, in turns, against a server that does nothing. Whichever is not
// measured is stopped, so that what it still has to pass on does not slow the others down.
func besideBuyers(w io.Writer, binary, folder string, rounds int, while time.Duration) error {
	n, err := openNetworks()
	if err != nil {
		return err
	}
	var all []*beside
	defer func() {
		for _, b := range all {
			b.kill()
		}
	}()
	for _, name := range []string{"plain", "closed", "open"} {
		s, err := startFoyer(binary, sub(folder, name), "--allow-private-buyers")
		if err != nil {
			return err
		}
		all = append(all, &beside{server: s, shot: varied("/v1/intake", 202)})
	}
	receipt, err := all[0].ask("POST", "/v1/intake", lead)
	if err != nil {
		return err
	}
	noop, err := startPeer("noop")
	if err != nil {
		return err
	}
	all = append(all, &beside{server: noop, shot: varied(fmt.Sprintf("/bytes/%d", len(receipt)), 200)})
	if err := n.recruit(binary, onFile(sub(folder, "closed")), "*", 3, "--hours", tomorrow()+" 00:00-24:00", "--time-zone", "UTC"); err != nil {
		return err
	}
	if err := n.recruit(binary, onFile(sub(folder, "open")), "*", 3); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // a change takes effect within two seconds
	if err := inTurns(all, rounds, while); err != nil {
		return err
	}
	plain, closed, open, nothing := all[0], all[1], all[2], all[3]
	fmt.Fprintf(w, "intake at 64 connections / no-op POST: %s without buyers, %s with a row for the delivery and three buyers that are closed, %s while three buyers take everything\n",
		plain.against(nothing), closed.against(nothing), open.against(nothing))
	fmt.Fprintf(w, "intake with three closed buyers / without any: %s; with three that take everything: %s, %.0f a second beside it, %d delivered meanwhile\n",
		closed.against(plain), open.against(plain), spreadOf(open.rates).median, n.delivered.Load())
	return nil
}

// inTurns lets each run alone for a while, in rounds of which the first only warms up.
func inTurns(all []*beside, rounds int, while time.Duration) error {
	for _, b := range all {
		b.pause()
	}
	for round := range rounds + 1 {
		for _, b := range all {
			b.resume()
			r, err := fire(b.address, b.shot, 64, while)
			b.pause()
			if err != nil || r.wrong > 0 || r.done == 0 {
				return fmt.Errorf("%s: %d good, %d wrong, %v", b.name, r.done, r.wrong, err)
			}
			if round > 0 {
				b.rates = append(b.rates, r.perSecond())
			}
		}
	}
	return nil
}

// against divides what two did in the same rounds.
func (b *beside) against(other *beside) spread {
	ratios := make([]float64, len(b.rates))
	for i := range ratios {
		ratios[i] = b.rates[i] / other.rates[i]
	}
	return spreadOf(ratios)
}

// tomorrow is a day of the week on which nobody is asked today.
func tomorrow() string {
	return strings.ToLower(time.Now().UTC().AddDate(0, 0, 1).Weekday().String()[:3])
}
