package sim

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Behaviour is how the buyer treats messages. If it has several actions, each message gets a random one. The zero value
// is unset.
type Behaviour struct{ actions []action }

// action is one way to treat a message.
type action struct {
	word string // as typed on the command line
	verdict
	status     int
	retryAfter string        // the Retry-After header
	body       string        // the body if there is no decision
	wait       time.Duration // delay before the answer
	flaps      bool          // fails with failChance, or every other time if failChance is 0
	failChance float64
	responder  responder
}

// verdict is a decision as the answer states it, or empty if the action makes none.
type verdict struct {
	Decision string `json:"decision"` // accept or reject
	Code     string `json:"code,omitempty"`
	Ref      string `json:"buyer_ref,omitempty"`
}

// Codes are the reasons that a buyer can give for a rejection.
var Codes = []string{"duplicate", "out_of_area", "service_not_offered", "cap", "closed", "bad_contact", "consent", "other"}

// Ways lists the actions, as typed on the command line.
const Ways = "accept, reject:CODE, plain, slow:3s, hang, drip, endless, reset, reset-body, duplicate, status:500, status:429:7 (the 7 is Retry-After), " +
	"flapping, flapping:0.5"

var (
	accepted = verdict{Decision: "accept"}

	accept = action{word: "accept", verdict: accepted, status: http.StatusOK, responder: answer}
	fail   = action{word: "status:503", status: http.StatusServiceUnavailable, responder: answer}

	refuse    = action{status: http.StatusUnauthorized, body: `{"error":"the signature is not right"}`, responder: answer}
	malformed = action{status: http.StatusBadRequest, body: `{"error":"this is not a message"}`, responder: answer}
	ignore    = action{status: http.StatusNoContent, responder: answer} // a message type that this buyer does not know yet
)

// fixedActions are the actions without arguments.
var fixedActions = []action{
	accept,
	{word: "plain", status: http.StatusOK, body: "thank you\n", responder: answer},
	{word: "hang", responder: hang},
	{word: "drip", responder: drip},
	{word: "endless", responder: endless},
	{word: "reset", responder: reset},
	{word: "reset-body", verdict: accepted, responder: resetBody},
	{word: "duplicate", verdict: accepted, status: http.StatusOK, responder: answerTwice},
	{word: "flapping", verdict: accepted, status: http.StatusOK, flaps: true, responder: answer},
}

// ParseBehaviour parses one action, or several separated by commas.
func ParseBehaviour(text string) (Behaviour, error) {
	var b Behaviour
	for word := range strings.SplitSeq(text, ",") {
		a, ok := parseAction(strings.TrimSpace(word))
		if !ok {
			return Behaviour{}, fmt.Errorf("%q is not a behavior: write one of %s; CODE is one of %s", word, Ways, strings.Join(Codes, ", "))
		}
		b.actions = append(b.actions, a)
	}
	return b, nil
}

func parseAction(text string) (action, bool) {
	if i := slices.IndexFunc(fixedActions, func(a action) bool { return a.word == text }); i >= 0 {
		return fixedActions[i], true
	}
	word, rest, _ := strings.Cut(text, ":")
	a := accept
	a.word = text
	switch word {
	case "reject":
		a.verdict = verdict{Decision: "reject", Code: rest}
		return a, slices.Contains(Codes, rest)
	case "slow":
		var err error
		a.wait, err = time.ParseDuration(rest)
		return a, err == nil && a.wait >= 0
	case "flapping":
		var err error
		a.flaps = true
		a.failChance, err = strconv.ParseFloat(rest, 64)
		return a, err == nil && a.failChance > 0 && a.failChance <= 1
	case "status":
		return parseStatus(text, rest)
	}
	return action{}, false
}

func parseStatus(text, rest string) (action, bool) {
	code, retryAfter, _ := strings.Cut(rest, ":")
	status, err := strconv.Atoi(code)
	_, notSeconds := strconv.ParseUint(retryAfter, 10, 32)
	return action{word: text, status: status, retryAfter: retryAfter, responder: answer}, err == nil && status >= 200 && status <= 599 && (retryAfter == "" || notSeconds == nil)
}

// UnmarshalText parses a behavior from a flag.
func (b *Behaviour) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBehaviour(string(text))
	return err
}

// isSet reports whether there is a behavior.
func (b Behaviour) isSet() bool { return len(b.actions) > 0 }

// pick chooses an action for a message. flaps counts the messages that got an action that fails every other time.
func (b Behaviour) pick(rng *rand.Rand, flaps *int) action {
	if !b.isSet() {
		return accept
	}
	a := b.actions[0]
	if len(b.actions) > 1 {
		a = b.actions[rng.IntN(len(b.actions))]
	}
	switch {
	case !a.flaps:
		return a
	case a.failChance > 0 && rng.Float64() < a.failChance:
		return fail
	case a.failChance == 0:
		if *flaps++; *flaps%2 == 1 { // fail the first time, so that one lead is enough to see it
			return fail
		}
	}
	return a
}

// summary describes the action in a few words.
func (a action) summary() string {
	if a.status == 0 {
		return a.word
	}
	text := strings.TrimSpace(fmt.Sprintf("%d %s", a.status, strings.TrimSpace(a.Decision+" "+a.Code)))
	switch {
	case a.wait > 0:
		text += " after " + a.wait.String()
	case a.retryAfter != "":
		text += " Retry-After " + a.retryAfter
	case a.word == "duplicate":
		text += ", twice"
	}
	return text
}
