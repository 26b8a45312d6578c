package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"foyer/internal/buyer"
	"foyer/internal/config"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

type buyersTry struct {
	oneBuyer
	config.Network
	Service string `placeholder:"SERVICE" help:"The service to test with, such as hvac. Default: one that the buyer takes."`
	ZIP     string `name:"zip" placeholder:"ZIP" help:"The ZIP code to test with, such as 33139. Default: one that the buyer covers."`
	Deliver bool   `help:"If the buyer accepts the test offer, send it the made-up contact, too."`
}

// Help tells what is sent, and what follows from it.
func (*buyersTry) Help() string {
	return "The messages are signed like real ones, marked \"test\": true, and entirely made up. Nothing follows from the answer, and nothing is stored. " +
		"The output shows how the answer is understood and, if it is not, exactly why. Exits 1 if the answer is no decision, or if the delivery is not acknowledged."
}

// AfterApply looks at what was chosen before anything is sent.
func (c *buyersTry) AfterApply() error {
	if c.Service != "" {
		services, err := operator.Services(c.Service)
		if err == nil && len(services) != 1 {
			err = errors.New("write one service")
		}
		if err != nil {
			return fmt.Errorf("--service: %w", err)
		}
		c.Service = string(services[0])
	}
	if _, ok := lead.ZIP(c.ZIP); c.ZIP != "" && !ok {
		return fmt.Errorf("--zip: %q is not a ZIP code: write five digits such as 33139", c.ZIP)
	}
	return nil
}

var errNoAnswer = errors.New("the buyer gave no answer that can be used")

// Run sends test messages and prints the answers.
func (c *buyersTry) Run(s env) error {
	return c.at(s, c.Network, func(d *operator.Operator) error {
		t, err := d.Try(s.ctx, c.ID, operator.Test{Service: lead.Service(c.Service), ZIP: c.ZIP, Deliver: c.Deliver})
		if err != nil {
			return err
		}
		if c.JSON {
			_, err = s.stdout.Write(wire.MarshalIndent(trialObject(t)))
		} else {
			err = printTrial(s, t)
		}
		if err == nil && !t.Usable() {
			err = errNoAnswer
		}
		return err
	})
}

func printTrial(s env, t operator.TestResult) error {
	if t.Foreign != "" {
		fmt.Fprintf(s.stdout, "Note: %s.\n", t.Foreign)
	}
	if err := printSheet(s, triedSheet(t.Buyer.ID, t.First)); err != nil {
		return err
	}
	if t.Delivery != nil {
		fmt.Fprintln(s.stdout)
		if err := printSheet(s, triedSheet(t.Buyer.ID, *t.Delivery)); err != nil {
			return err
		}
	}
	if t.Buyer.State == buyer.Testing && t.Usable() {
		fmt.Fprintf(s.stdout, "\nThe buyer is in test. When it is ready: foyer buyers start %s\n", t.Buyer.ID)
	}
	return nil
}

// trialObject is the same for programs: the first message, and the delivery behind it.
func trialObject(t operator.TestResult) wire.Object {
	o := append(triedSheet(t.Buyer.ID, t.First), wire.Member{"note", t.Foreign})
	if t.Delivery == nil {
		return append(o, wire.Member{"delivery", nil})
	}
	return append(o, wire.Member{"delivery", triedSheet(t.Buyer.ID, *t.Delivery)})
}

func triedSheet(id string, t operator.TestStep) wire.Object {
	r := t.Reply
	failure := r.Failure
	if r.Detail != "" {
		failure = strings.TrimPrefix(failure+": "+r.Detail, ": ")
	}
	return wire.Object{
		{"buyer_id", id},
		{"type", t.Kind},
		{"webhook_id", t.Message.ID},
		{"status", r.Status},
		{"took_ms", float64(r.Took.Round(100*time.Microsecond).Microseconds()) / 1000},
		{"failure", failure},
		{"understood", understood(t.Verdict)},
		{"why", t.Why},
		{"code", t.Verdict.Code},
		{"buyer_ref", t.Verdict.Ref},
		{"answer", firstLines(r.Body)},
	}
}

// understood says what an answer would mean.
func understood(v buyer.Verdict) string {
	return map[buyer.Meaning]string{
		buyer.Accepts:   "accept",
		buyer.Declines:  "reject",
		buyer.Fails:     "failed: this attempt would count as a failure",
		buyer.Withdraw:  "refused: the buyer would be paused",
		buyer.SwitchOff: "gone: the buyer would be switched off",
	}[v.Meaning]
}

// firstLines is the first part of an answer, without anything that a terminal would act on.
func firstLines(body []byte) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), buyer.MaxAnswer)]), "?")
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.TrimSpace(text))
}
