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
	buyerFlags
	config.Network
	Service string `placeholder:"SERVICE" help:"The service to test with, such as hvac. Default: one that the buyer takes."`
	ZIP     string `name:"zip" placeholder:"ZIP" help:"The ZIP code to test with, such as 33139. Default: one that the buyer covers."`
	Deliver bool   `help:"If the buyer accepts the test offer, send it the made-up contact, too."`
}

// Help explains what is sent and what it leads to.
func (*buyersTry) Help() string {
	return "The messages are signed like real ones, marked \"test\": true, and entirely made up. Nothing follows from the answer, and nothing is stored. " +
		"The output shows how the answer is understood and, if it is not, exactly why. Exits 1 if the answer is no decision, or if the delivery is not acknowledged."
}

// AfterApply validates the choices before anything is sent.
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
func (c *buyersTry) Run(e env) error {
	return c.withBuyer(e, c.Network, func(op *operator.Operator) error {
		result, err := op.Try(e.ctx, c.ID, operator.Test{Service: lead.Service(c.Service), ZIP: c.ZIP, Deliver: c.Deliver})
		if err != nil {
			return err
		}
		if c.JSON {
			_, err = e.stdout.Write(wire.MarshalIndent(testObject(result)))
		} else {
			err = printTestResult(e, result)
		}
		if err == nil && !result.Usable() {
			err = errNoAnswer
		}
		return err
	})
}

func printTestResult(e env, result operator.TestResult) error {
	if result.Foreign != "" {
		fmt.Fprintf(e.stdout, "Note: %s.\n", result.Foreign)
	}
	if err := printFields(e, testStepFields(result.Buyer.ID, result.First)); err != nil {
		return err
	}
	if result.Delivery != nil {
		fmt.Fprintln(e.stdout)
		if err := printFields(e, testStepFields(result.Buyer.ID, *result.Delivery)); err != nil {
			return err
		}
	}
	if result.Buyer.State == buyer.Testing && result.Usable() {
		fmt.Fprintf(e.stdout, "\nThe buyer is in test. When it is ready: foyer buyers start %s\n", result.Buyer.ID)
	}
	return nil
}

// testObject is a test result as JSON: the first message, and the delivery after it.
func testObject(result operator.TestResult) wire.Object {
	o := append(testStepFields(result.Buyer.ID, result.First), wire.Member{"note", result.Foreign})
	if result.Delivery == nil {
		return append(o, wire.Member{"delivery", nil})
	}
	return append(o, wire.Member{"delivery", testStepFields(result.Buyer.ID, *result.Delivery)})
}

func testStepFields(id string, step operator.TestStep) wire.Object {
	r := step.Reply
	failure := r.Failure
	if r.Detail != "" {
		failure = strings.TrimPrefix(failure+": "+r.Detail, ": ")
	}
	return wire.Object{
		{"buyer_id", id},
		{"type", step.Kind},
		{"webhook_id", step.Message.ID},
		{"status", r.Status},
		{"took_ms", float64(r.Took.Round(100*time.Microsecond).Microseconds()) / 1000},
		{"failure", failure},
		{"understood", meaningText(step.Verdict)},
		{"why", step.Why},
		{"code", step.Verdict.Code},
		{"buyer_ref", step.Verdict.Ref},
		{"answer", printableAnswer(r.Body)},
	}
}

// meaningText says what an answer would mean.
func meaningText(v buyer.Verdict) string {
	return map[buyer.Meaning]string{
		buyer.Accepts:   "accept",
		buyer.Declines:  "reject",
		buyer.Fails:     "failed: this attempt would count as a failure",
		buyer.Withdraw:  "refused: the buyer would be paused",
		buyer.SwitchOff: "gone: the buyer would be switched off",
	}[v.Meaning]
}

// printableAnswer returns the beginning of an answer, without anything that a terminal would act on.
func printableAnswer(body []byte) string {
	text := strings.ToValidUTF8(string(body[:min(len(body), buyer.MaxAnswer)]), "?")
	return strings.Map(func(r rune) rune {
		if r != '\n' && !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.TrimSpace(text))
}
