package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"

	"foyer/internal/buyer"
	"foyer/internal/operator"
	"foyer/internal/operator/query"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// PrintRoute prints a route as a table.
func PrintRoute(w io.Writer, r query.Route) error {
	where := r.ZIP
	if state := buyer.StateOf(r.ZIP); state != "" {
		where += " (" + state + ")"
	}
	fmt.Fprintf(w, "%s in %s\n", r.Service, where)
	if r.Lead != nil {
		fmt.Fprintf(w, "%s is %s%s\n", r.Lead.ID, r.Lead.Status, deliveryText(r.Delivery))
	}
	switch {
	case r.Nobody != "":
		fmt.Fprintf(w, "No buyer is asked: %s.\n", r.Nobody)
		return nil
	case len(r.Stops) == 0:
		fmt.Fprintln(w, "No buyer is asked: there are none yet. Add one with foyer buyers add.")
		return nil
	}
	var rows [][]any
	for _, stop := range r.Stops {
		b := stop.Buyer
		rows = append(rows, []any{ordinal(stop.Place), b.ID, terminal.OneLine(b.Terms.Name), b.Terms.Priority, terminal.Time(stop.Asked), stopReason(stop)})
	}
	return terminal.Table(w, "ASKED\tBUYER\tNAME\tPRIORITY\tLAST ASKED\tWHY", rows)
}

// deliveryText says what the forwarder is doing with a lead.
func deliveryText(d *buyer.Delivery) string {
	switch {
	case d == nil:
		return ""
	case d.Step == buyer.StepAsk && d.BuyerQueue == "":
		return ": it is about to look for a buyer"
	case d.Step == buyer.StepAsk:
		return ": it waits for its turn with " + d.BuyerQueue
	case d.Step == buyer.StepOffer:
		return fmt.Sprintf(": it is being offered to %s", d.BuyerQueue)
	}
	return fmt.Sprintf(": its contact is being delivered to %s, failed attempts: %d, next at %s", d.BuyerQueue, d.Attempts, terminal.Time(d.DueAt))
}

func stopReason(stop query.Stop) string {
	x := stop.Exclusion
	switch {
	case x.Rule == "" && stop.Note != "":
		return "wants " + stop.Note
	case x.Rule == "":
		return ""
	case x.Until.IsZero():
		return fmt.Sprintf("%s: %s", x.Rule, x.Reason)
	}
	return fmt.Sprintf("%s: %s, until %s", x.Rule, x.Reason, terminal.Time(x.Until))
}

func ordinal(n int) string {
	switch {
	case n == 0:
		return "no"
	case n%100/10 == 1:
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// Route is a route as JSON.
func Route(r query.Route) wire.Object {
	stops := make([]wire.Object, 0, len(r.Stops))
	for _, stop := range r.Stops {
		stops = append(stops, wire.Object{
			{"place", wire.OrNull(stop.Place)},
			{"buyer_id", stop.Buyer.ID},
			{"name", stop.Buyer.Terms.Name},
			{"priority", stop.Buyer.Terms.Priority},
			{"last_asked_at", wire.TimeOrNull(stop.Asked)},
			{"rule", wire.OrNull(stop.Exclusion.Rule)},
			{"reason", wire.OrNull(stop.Exclusion.Reason)},
			{"until", wire.TimeOrNull(stop.Exclusion.Until)},
			{"wants", wire.OrNull(stop.Note)},
		})
	}
	o := wire.Object{{"service_type", r.Service}, {"zip_code", r.ZIP}, {"at", r.At}, {"nobody_because", wire.OrNull(r.Nobody)}, {"buyers", stops}}
	if r.Lead != nil {
		o = append(wire.Object{{"lead_id", r.Lead.ID}, {"status", r.Lead.Status}}, o...)
	}
	return o
}

// PrintTest prints the outcome of a test.
func PrintTest(w io.Writer, result operator.TestResult) error {
	if result.Foreign != "" {
		fmt.Fprintf(w, "Note: %s.\n", result.Foreign)
	}
	if err := printTestStep(w, result.Buyer.ID, result.First); err != nil {
		return err
	}
	if result.Delivery != nil {
		fmt.Fprintln(w)
		if err := printTestStep(w, result.Buyer.ID, *result.Delivery); err != nil {
			return err
		}
	}
	if result.Buyer.State == buyer.Testing && result.Usable() {
		fmt.Fprintf(w, "\nThe buyer is in test. When it is ready: foyer buyers start %s\n", result.Buyer.ID)
	}
	return nil
}

// printTestStep prints a message on lines of its own, and then its answer.
func printTestStep(w io.Writer, id string, step operator.TestStep) error {
	fields := testStepFields(id, step)
	fields = slices.DeleteFunc(fields, func(m wire.Member) bool { return m[0] == "request" })
	fmt.Fprintf(w, "request to %s\n%s\n\n", terminal.OneLine(WithoutQuery(step.Message.URL)), Indented(string(step.Message.Body)))
	return PrintFields(w, fields)
}

// Indented writes JSON on lines of its own. What is no JSON stays as it is.
func Indented(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// Test is a test result as JSON: the first message, and the delivery after it.
func Test(result operator.TestResult) wire.Object {
	o := append(testStepFields(result.Buyer.ID, result.First), wire.Member{"note", result.Foreign})
	var delivery *wire.Object
	if result.Delivery != nil {
		delivery = new(testStepFields(result.Buyer.ID, *result.Delivery))
	}
	return append(o, wire.Member{"delivery", delivery})
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
		{"request", string(step.Message.Body)},
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
		buyer.Accepts:    "accept",
		buyer.Declines:   "reject",
		buyer.Fails:      "failed: this attempt would count as a failure",
		buyer.PauseBuyer: "refused: the buyer would be paused",
		buyer.SwitchOff:  "gone: the buyer would be switched off",
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
