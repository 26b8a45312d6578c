package operator

import (
	"cmp"
	"context"
	"fmt"
	"net/url"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// Test says what to test a buyer with. The zero value offers a lead that the buyer covers.
type Test struct {
	Service lead.Service // "" for one that the buyer takes
	ZIP     string       // "" for one that the buyer covers
	Deliver bool         // if the buyer accepts the offer, send the made-up contact, too
}

// TestResult is the outcome of a test.
type TestResult struct {
	Buyer    buyer.Buyer
	Foreign  string // why the buyer would not be asked about such a lead, or ""
	First    TestStep
	Delivery *TestStep // nil if none was sent
}

// TestStep is one test message and its answer.
type TestStep struct {
	Kind    string // the type of the message
	Message webhook.Message
	Outcome webhook.Outcome
	Verdict buyer.Verdict
	Why     string // why the answer was not understood, or may have been misunderstood; else ""
}

// Usable reports whether the buyer decided, one way or the other, and accepted what was delivered.
func (t TestResult) Usable() bool {
	decided := t.First.Verdict.Meaning == buyer.Accepts || t.First.Verdict.Meaning == buyer.Declines
	return decided && (t.Delivery == nil || t.Delivery.Verdict.Meaning == buyer.Accepts)
}

// why says what went wrong.
func (t TestResult) why() string {
	if t.Delivery != nil {
		return t.Delivery.Why
	}
	return t.First.Why
}

// Try sends a buyer messages about a lead that does not exist, and interprets the answers as real ones. It stores nothing.
// It also tests buyers that are in test or paused: that is when a test is needed most.
func (op *Operator) Try(ctx context.Context, id string, test Test) (t TestResult, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { t.Buyer, err = tx.Buyer(id); return err })
	if err != nil {
		return t, err
	}
	terms, now := t.Buyer.Terms, op.now()
	to, about := test.narrowed(t.Buyer), op.NewID("lead_")
	offer := buyer.Offer{ID: op.NewID("offer_"), Buyer: to.ID, At: now, State: buyer.OfferOpen, OneStep: terms.OneStep}
	t.Foreign = test.notCovered(t.Buyer)
	kind, msg := forward.Sample(to, about, offer)
	outcome, answer := op.send(ctx, msg)
	plainAccepts := terms.OneStep && terms.PlainAccept
	t.First = TestStep{kind, msg, outcome, buyer.Read(answer, plainAccepts), explainTest(msg, outcome, buyer.Explain(answer, plainAccepts))}
	if !test.Deliver || terms.OneStep || t.First.Verdict.Meaning != buyer.Accepts {
		return t, nil
	}
	offer.State, offer.Ref = buyer.OfferAccepted, t.First.Verdict.Ref
	kind, msg = forward.Sample(to, about, offer)
	outcome, answer = op.send(ctx, msg)
	t.Delivery = &TestStep{kind, msg, outcome, buyer.ReadDelivery(answer), explainTest(msg, outcome, buyer.ExplainDelivery(answer))}
	return t, nil
}

func (op *Operator) send(ctx context.Context, msg webhook.Message) (webhook.Outcome, buyer.Answer) {
	o := op.Send(ctx, msg)
	return o, buyer.Answer{Status: o.Status, Body: o.Answer}
}

// narrowed returns the buyer as if it covered only what the test is about.
func (t Test) narrowed(b buyer.Buyer) buyer.Buyer {
	if t.Service != "" {
		b.Terms.Services = []lead.Service{t.Service}
	}
	if t.ZIP != "" {
		b.Terms.Area.ZIPs = t.ZIP
	}
	return b
}

// notCovered says why the buyer would not be asked about the test's lead, in which case a refusal is expected.
func (t Test) notCovered(b buyer.Buyer) string {
	to := buyer.NewCoverage([]buyer.Buyer{b}).Find(b.ID)
	switch {
	case t.Service != "" && !b.Terms.Takes(t.Service):
		return fmt.Sprintf("its terms do not include %s", t.Service)
	case t.ZIP != "" && len(b.Terms.Services) > 0 && !to.Covers(b.Terms.Services[0], t.ZIP):
		return fmt.Sprintf("its area does not include %s", t.ZIP)
	}
	return ""
}

// explainTest says in plain words why there was no answer to a test, or else what is wrong with the answer.
func explainTest(msg webhook.Message, o webhook.Outcome, why string) string {
	if o.Failure == "" {
		return why
	}
	host := "its address"
	if u, err := url.Parse(msg.URL); err == nil {
		host = cmp.Or(u.Host, host)
	}
	if text, known := failureTexts[o.Failure]; known {
		return fmt.Sprintf(text, host)
	}
	return fmt.Sprintf("nothing was sent to %s: %s", host, o.Detail) // it says what is wrong with the address or the secret
}

// failureTexts say what an operator can do about a buyer that did not answer.
var failureTexts = map[webhook.Failure]string{
	webhook.DNS:       "nobody answers at %s: the name does not exist, or cannot be looked up from here. Check the address",
	webhook.Connect:   "nobody answers at %s: the connection is not accepted. Check the address and its port, and ask whether the server runs",
	webhook.TLS:       "the connection to %s is not safe: its certificate is missing, too old, or for another name. Its engineer has to put that right",
	webhook.Timeout:   "%s did not answer in time. Ask its engineer whether it is slow, or whether a firewall drops messages",
	webhook.Reset:     "%s closed the connection before it had answered. Its engineer finds the reason in the server's log",
	webhook.BadAnswer: "what answers at %s cannot be read as a web server's answer. Check the port",
	webhook.Stopped:   "the test was given up before %s answered. Try again",
}
