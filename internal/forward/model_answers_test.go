package forward_test

import (
	"fmt"
	"slices"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/webhook"
)

// meaning is how the buyer API defines an answer.
type meaning string

const (
	yes    meaning = "yes"
	no     meaning = "no"
	fails  meaning = "fails"
	pauses meaning = "pauses" // pauses the buyer until the operator resumes it
	ends   meaning = "ends"   // the buyer is gone
)

// answer is a possible answer of a buyer, with its expected meaning, written by hand.
type answer struct {
	name      string
	reply     webhook.Outcome
	offer     meaning    // to an offer, and to the contact by a one-step buyer
	code      buyer.Code // of a reject
	explicit  bool       // the body contains the reject; otherwise the status alone implies it
	plain     bool       // a 2xx without a decision: yes if the terms say so
	delivered meaning    // to the contact, by a buyer that accepted the offer
}

// answers lists every kind of answer, the likely ones more than once.
var answers = listAnswers()

func listAnswers() []*answer {
	accept := answer{name: "accept", reply: reply(200, `{"decision":"accept","buyer_ref":"A-1"}`), offer: yes, delivered: yes}
	all := []answer{accept, accept, accept, noAnswer(true), accept, accept, noAnswer(false), accept, accept, accept, accept, accept}
	for _, code := range []buyer.Code{"duplicate", "out_of_area", "service_not_offered", "cap", "closed", "bad_contact", "consent", "other", "cap", "closed", "cap"} {
		all = append(all, answer{name: "reject " + string(code), reply: reply(200, fmt.Sprintf(`{"decision":"reject","code":%q}`, code)), offer: no, code: code, explicit: true, delivered: yes})
	}
	all = append(all, answer{name: "reject without a known code", reply: reply(201, `{"decision":"reject","code":"mood"}`), offer: no, code: "other", explicit: true, delivered: yes})
	for _, body := range []string{"", "ok", `{"decision":"perhaps"}`} {
		all = append(all, answer{name: "2xx without a decision", reply: reply(202, body), offer: fails, plain: true, delivered: yes})
	}
	for _, status := range []int{400, 409, 422} {
		all = append(all, answer{name: fmt.Sprint(status), reply: reply(status, "no"), offer: no, code: "other", delivered: no})
	}
	all = append(all,
		answer{name: "422 cap", reply: reply(422, `{"decision":"reject","code":"cap"}`), offer: no, code: "cap", explicit: true, delivered: no},
		answer{name: "409 that accepts", reply: reply(409, `{"decision":"accept"}`), offer: no, code: "other", delivered: no})
	for _, status := range []int{401, 403, 404, 301} {
		all = append(all, answer{name: fmt.Sprint(status), reply: reply(status, `{"decision":"accept"}`), offer: pauses, delivered: pauses})
	}
	all = append(all, answer{name: "410", reply: reply(410, ""), offer: ends, delivered: ends})
	for _, status := range []int{408, 425, 429, 500, 503, 402, 418, 500, 500} {
		all = append(all, answer{name: fmt.Sprint(status), reply: reply(status, `{"decision":"accept"}`), offer: fails, delivered: fails})
	}
	for _, wait := range []time.Duration{time.Second, 30 * time.Second, time.Hour, 48 * time.Hour} {
		later := answer{name: fmt.Sprint("429 for ", wait), reply: reply(429, ""), offer: fails, delivered: fails}
		later.reply.RetryAfter = wait
		all = append(all, later)
	}
	for range 4 {
		all = append(all, noAnswer(true), noAnswer(false))
	}
	list := make([]*answer, len(all)) // the simplest first: rapid shrinks failures toward it
	for i := range all {
		list[i] = &all[i]
	}
	return list
}

// capReached is the answer of a buyer that has reached its cap.
var capReached = answers[slices.IndexFunc(answers, func(a *answer) bool { return a.code == buyer.CodeCap })]

// failingAnswers are mostly failures, so that breakers open.
var failingAnswers = slices.Concat(slices.DeleteFunc(slices.Clone(answers), func(a *answer) bool { return a.offer != fails || a.plain }), answers[:4])

func reply(status int, body string) webhook.Outcome {
	return webhook.Outcome{Status: status, Answer: []byte(body), Sent: true, Took: time.Millisecond}
}

// noAnswer is no response: either the buyer may have seen the message, or it certainly has not.
func noAnswer(sent bool) answer {
	a := answer{name: "nobody there", offer: fails, delivered: fails}
	a.reply = webhook.Outcome{Failure: "connection refused"}
	if sent {
		a.name, a.reply = "silence", webhook.Outcome{Failure: "timeout", Sent: true}
	}
	return a
}

// means returns the expected meaning of an answer to the message of a flight.
func (a answer) means(f *flight) meaning {
	switch {
	case f.kind == forward.LeadDelivered && !f.on.oneStep:
		return a.delivered
	case a.plain && f.on.oneStep && f.plain:
		return yes
	}
	return a.offer
}
