package demo

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"foyer/internal/lead"
	"foyer/internal/webhook"
)

// network is how a buyer behaves.
type network struct {
	accepts  float64  // share of the offers
	declines []string // the codes of the others
	takes    time.Duration
	flaky    float64 // share of the messages that fail and go well when they are repeated
	stuck    float64 // share of the contacts that it cannot take until the operator sends them again
	returns  float64 // share of the contacts
	outages  []outage
	oneStep  bool // it decides when it gets the contact
}

// outage is a time in which all messages fail.
type outage struct {
	day    int // since the month began, as is the hour
	hour   int
	lasts  time.Duration
	status int // 0 if there is no answer at all
}

// offer answers an offer. since is how much of the month has passed.
func (n network) offer(random *rand.Rand, since time.Duration) webhook.Outcome {
	if failed, ok := n.fail(random, since); ok {
		return failed
	}
	if !chance(random, n.accepts) {
		return n.answer(random, fmt.Sprintf(`{"decision":"reject","code":%q}`, oneOf(random, n.declines)))
	}
	return n.answer(random, fmt.Sprintf(`{"decision":"accept","buyer_ref":"%06d"}`, random.IntN(1e6)))
}

// delivery answers a contact, or another message that is not an offer. stuck is one that it cannot take.
func (n network) delivery(random *rand.Rand, since time.Duration, stuck bool) webhook.Outcome {
	if failed, ok := n.fail(random, since); ok {
		return failed
	}
	if stuck {
		return failure(http.StatusInternalServerError)
	}
	return n.answer(random, `{"received":true}`)
}

// fail returns how a message fails, if it does.
func (n network) fail(random *rand.Rand, since time.Duration) (webhook.Outcome, bool) {
	for _, o := range n.outages {
		begin := time.Duration(o.day)*24*time.Hour + time.Duration(o.hour)*time.Hour
		if since >= begin && since < begin+o.lasts {
			return failure(o.status), true
		}
	}
	if chance(random, n.flaky) {
		return failure(oneOf(random, []int{0, http.StatusBadGateway, http.StatusServiceUnavailable})), true
	}
	return webhook.Outcome{}, false
}

// timeout is how long a sender waits for an answer.
const timeout = 10 * time.Second

func failure(status int) webhook.Outcome {
	if status == 0 {
		return webhook.Outcome{Failure: webhook.Timeout, Detail: "no answer", Sent: true, Took: timeout}
	}
	return webhook.Outcome{Status: status, Answer: []byte(http.StatusText(status)), Sent: true, Took: 200 * time.Millisecond}
}

func (n network) answer(random *rand.Rand, body string) webhook.Outcome {
	return webhook.Outcome{Status: http.StatusOK, Answer: []byte(body), Sent: true, Took: min(around(random, n.takes), timeout-time.Second)}
}

// comeback is why a contact comes back, and when.
type comeback struct {
	after  time.Duration
	code   lead.ReturnCode
	reason string
}

var reasons = []weighted[comeback]{
	{5, comeback{code: lead.ReturnBadContact, reason: "The number does not answer after three tries."}},
	{2, comeback{code: lead.ReturnBadContact, reason: "Wrong number."}},
	{2, comeback{code: lead.ReturnDuplicate, reason: "A customer of ours already."}},
	{1, comeback{code: lead.ReturnOutOfArea, reason: "Too far for our crews."}},
	{1, comeback{code: lead.ReturnNotOffered, reason: "We do not do this kind of work."}},
	{1, comeback{code: lead.ReturnOther, reason: "The customer found somebody else."}},
}

// comesBack says whether a contact comes back.
func (n network) comesBack(random *rand.Rand) (r comeback, back bool) {
	if !chance(random, n.returns) {
		return r, false
	}
	r = pick(random, reasons)
	r.after = time.Hour + min(around(random, 30*time.Hour), 6*24*time.Hour)
	return r, true
}
