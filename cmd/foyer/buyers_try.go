package main

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/desk"
	"foyer/internal/wire"
)

type buyersTry struct {
	oneBuyer
	config.Network
}

var errNoAnswer = errors.New("the buyer gave no answer that can be used")

// Run sends a test offer and prints the answer.
func (c *buyersTry) Run(s stage) error {
	return atDesk(s, c.Data, c.Network, func(d *desk.Desk) error {
		t, err := d.Try(s.ctx, c.ID)
		if err != nil {
			return err
		}
		sheet := trialSheet(t)
		if c.JSON {
			_, err = s.stdout.Write(wire.MarshalIndent(sheet))
		} else {
			err = printSheet(s, sheet)
		}
		if err == nil && !t.Usable() {
			err = errNoAnswer
		}
		return err
	})
}

func trialSheet(t desk.Trial) wire.Object {
	r := t.Reply
	failure := r.Failure
	if r.Detail != "" {
		failure = strings.TrimPrefix(failure+": "+r.Detail, ": ")
	}
	return wire.Object{
		{"buyer_id", t.Buyer.ID},
		{"type", t.Kind},
		{"webhook_id", t.Letter.ID},
		{"status", r.Status},
		{"took_ms", float64(r.Took.Round(100*time.Microsecond).Microseconds()) / 1000},
		{"failure", failure},
		{"understood", understood(t.Verdict)},
		{"code", t.Verdict.Code},
		{"buyer_ref", t.Verdict.Ref},
		{"answer", harmless(r.Body)},
	}
}

// understood says what an answer would mean.
func understood(v buyer.Verdict) string {
	return map[buyer.Meaning]string{
		buyer.Accepts:   "accept",
		buyer.Declines:  "reject",
		buyer.Fails:     "failed: this attempt would count as one that failed",
		buyer.Withdraw:  "refused: the buyer would be paused",
		buyer.SwitchOff: "gone: the buyer would be switched off",
	}[v.Meaning]
}

// harmless is the first part of an answer, without anything that a terminal would act on.
func harmless(body []byte) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), buyer.MostAnswer)]), "?")
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.TrimSpace(text))
}
