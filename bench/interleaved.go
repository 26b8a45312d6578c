package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// interleavedIntake is an intake that is measured in alternation with others.
type interleavedIntake struct {
	*server
	request loadRequest
	rates   []float64
}

// benchIntakeWithBuyers measures the intake with and without buyers, in alternation, against a server that does nothing.
// The servers that are not being measured are stopped, so that the leads they still have to forward do not slow the others
// down.
func benchIntakeWithBuyers(w io.Writer, binary, folder string, rounds int, duration time.Duration) error {
	buyers, err := startTestBuyers()
	if err != nil {
		return err
	}
	var all []*interleavedIntake
	defer func() {
		for _, b := range all {
			b.kill()
		}
	}()
	for _, name := range []string{"plain", "closed", "open"} {
		s, err := startFoyer(binary, subfolder(folder, name), "--allow-private-buyers")
		if err != nil {
			return err
		}
		all = append(all, &interleavedIntake{server: s, request: variedLead("/v1/intake", 202)})
	}
	receipt, err := all[0].ask("POST", "/v1/intake", lead)
	if err != nil {
		return err
	}
	noop, err := startPeer("noop")
	if err != nil {
		return err
	}
	all = append(all, &interleavedIntake{server: noop, request: variedLead(fmt.Sprintf("/bytes/%d", len(receipt)), 200)})
	if err := buyers.addTo(binary, sqliteIn(subfolder(folder, "closed")), "*", 3, "--hours", tomorrow()+" 00:00-24:00", "--time-zone", "UTC"); err != nil {
		return err
	}
	if err := buyers.addTo(binary, sqliteIn(subfolder(folder, "open")), "*", 3); err != nil {
		return err
	}
	time.Sleep(2 * time.Second) // a change takes effect within two seconds
	if err := runInterleaved(all, rounds, duration); err != nil {
		return err
	}
	plain, closed, open, nothing := all[0], all[1], all[2], all[3]
	fmt.Fprintf(w, "intake at 64 connections / no-op POST: %s without buyers, %s with a row for the delivery and three buyers that are closed, %s while three buyers take everything\n",
		plain.ratioTo(nothing), closed.ratioTo(nothing), open.ratioTo(nothing))
	fmt.Fprintf(w, "intake with three closed buyers / without any: %s; with three that take everything: %s, %.0f a second beside it, %d delivered meanwhile\n",
		closed.ratioTo(plain), open.ratioTo(plain), spreadOf(open.rates).median, buyers.delivered.Load())
	return nil
}

// runInterleaved lets each server run alone for a while, in rounds. The first round only warms up.
func runInterleaved(all []*interleavedIntake, rounds int, duration time.Duration) error {
	for _, b := range all {
		b.pause()
	}
	for round := range rounds + 1 {
		for _, b := range all {
			b.resume()
			r, err := runLoad(b.address, b.request, 64, duration)
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

// ratioTo divides the rates of two intakes round by round.
func (b *interleavedIntake) ratioTo(other *interleavedIntake) spread {
	ratios := make([]float64, len(b.rates))
	for i := range ratios {
		ratios[i] = b.rates[i] / other.rates[i]
	}
	return spreadOf(ratios)
}

// tomorrow returns the next day of the week, which is outside today's hours.
func tomorrow() string {
	return strings.ToLower(time.Now().UTC().AddDate(0, 0, 1).Weekday().String()[:3])
}
