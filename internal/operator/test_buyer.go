package operator

import (
	"context"
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
)

// Test is what a buyer is to be tried with. The zero value is an offer of something that it covers.
type Test struct {
	Service lead.Service // "" for one that it takes
	ZIP     string       // "" for one that it covers
	Deliver bool         // where it accepts the offer, the made-up contact is sent, too
}

// TestResult is what came of a test.
type TestResult struct {
	Buyer    buyer.Buyer
	Foreign  string // why it would not be asked about such a lead, or ""
	First    TestStep
	Delivery *TestStep // nil where none was sent
}

// TestStep is one test message and what came back.
type TestStep struct {
	Kind    string // the type of the message
	Message forward.Message
	Reply   forward.Reply
	Verdict buyer.Verdict
	Why     string // why the answer was not understood, or not as it may have been meant; else ""
}

// Usable says whether the buyer decided, one way or the other, and took what was delivered.
func (t TestResult) Usable() bool {
	decided := t.First.Verdict.Meaning == buyer.Accepts || t.First.Verdict.Meaning == buyer.Declines
	return decided && (t.Delivery == nil || t.Delivery.Verdict.Meaning == buyer.Accepts)
}

// Try sends a buyer messages about a lead that there is not, and reads the answers as they would be read. Nothing of it is
// written down, and a buyer that is in test or paused is tried like any other: that is when it is wanted.
func (d *Operator) Try(ctx context.Context, id string, test Test) (t TestResult, err error) {
	err = d.view(ctx, func(p Tx) error {
		var err error
		t.Buyer, err = present(p, id)
		return err
	})
	if err != nil {
		return t, err
	}
	terms, now := t.Buyer.Terms, d.now()
	to, offer, about := test.narrowed(t.Buyer), d.NewID("offer_"), d.NewID("lead_")
	t.Foreign = test.foreign(t.Buyer)
	kind, letter := forward.Sample(to, about, offer, now)
	t.First = d.try(ctx, kind, letter)
	t.First.Verdict = buyer.Read(t.First.Reply.Answer, terms.OneStep && terms.PlainAccept)
	t.First.Why = because(t.First.Reply, buyer.Explain(t.First.Reply.Answer, terms.OneStep && terms.PlainAccept))
	if !test.Deliver || terms.OneStep || t.First.Verdict.Meaning != buyer.Accepts {
		return t, nil
	}
	kind, letter = forward.SampleDelivery(to, about, offer, t.First.Verdict.Ref, now)
	then := d.try(ctx, kind, letter)
	then.Verdict = buyer.ReadDelivery(then.Reply.Answer)
	then.Why = because(then.Reply, buyer.ExplainDelivery(then.Reply.Answer))
	t.Delivery = &then
	return t, nil
}

func (d *Operator) try(ctx context.Context, kind string, l forward.Message) TestStep {
	return TestStep{Kind: kind, Message: l, Reply: d.Send(ctx, l)}
}

// narrowed is the buyer as if it covered nothing but what it is tried with.
func (t Test) narrowed(b buyer.Buyer) buyer.Buyer {
	if t.Service != "" {
		b.Terms.Services = []lead.Service{t.Service}
	}
	if t.ZIP != "" {
		b.Terms.Area.ZIPs = t.ZIP
	}
	return b
}

// foreign says that a buyer would not be asked about what it is tried with: a refusal is then what one would expect.
func (t Test) foreign(b buyer.Buyer) string {
	to := buyer.NewCoverage([]buyer.Buyer{b}, nil).Find(b.ID)
	switch {
	case t.Service != "" && !b.Terms.Takes(t.Service):
		return fmt.Sprintf("its terms do not include %s", t.Service)
	case t.ZIP != "" && len(b.Terms.Services) > 0 && !to.Covers(b.Terms.Services[0], t.ZIP):
		return fmt.Sprintf("its area does not include %s", t.ZIP)
	}
	return ""
}

// because adds to an explanation what is known where no answer came.
func because(r forward.Reply, why string) string {
	if r.Failure == "" {
		return why
	}
	if r.Detail == "" {
		return fmt.Sprintf("%s: %s", why, r.Failure)
	}
	return fmt.Sprintf("%s: %s (%s)", why, r.Detail, r.Failure)
}
