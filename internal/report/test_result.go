package report

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode"

	"foyer/internal/buyer"
	"foyer/internal/operator"
	"foyer/internal/wire"
)

// PrintTest prints the outcome of a test.
func PrintTest(w io.Writer, result operator.TestResult) error {
	if result.Foreign != "" {
		fmt.Fprintf(w, "Note: %s.\n", result.Foreign)
	}
	if err := PrintFields(w, testStepFields(result.Buyer.ID, result.First)); err != nil {
		return err
	}
	if result.Delivery != nil {
		fmt.Fprintln(w)
		if err := PrintFields(w, testStepFields(result.Buyer.ID, *result.Delivery)); err != nil {
			return err
		}
	}
	if result.Buyer.State == buyer.Testing && result.Usable() {
		fmt.Fprintf(w, "\nThe buyer is in test. When it is ready: foyer buyers start %s\n", result.Buyer.ID)
	}
	return nil
}

// Test is a test result as JSON: the first message, and the delivery after it.
func Test(result operator.TestResult) wire.Object {
	o := append(testStepFields(result.Buyer.ID, result.First), wire.Member{"note", result.Foreign})
	if result.Delivery == nil {
		return append(o, wire.Member{"delivery", nil})
	}
	return append(o, wire.Member{"delivery", testStepFields(result.Buyer.ID, *result.Delivery)})
}

func testStepFields(id string, step operator.TestStep) wire.Object {
	r := step.Outcome
	failure := string(r.Failure)
	if failure != "" {
		failure += ": " + r.Detail
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
		{"answer", printableAnswer(r.Answer)},
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
