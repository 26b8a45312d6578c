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

// Behaviour is how the buyer treats messages. Of several ways, chance takes one for each message. The zero value is none.
type Behaviour struct {
	text string
	acts []act
}

// act is one way to treat a message.
type act struct {
	word      string // as it is typed
	decision  string // accept or reject; "" where none is taken
	code      string
	ref       string
	status    int
	after     string        // what Retry-After says
	body      string        // what is said instead of a decision
	wait      time.Duration // before the answer
	flaps     bool          // fails now and then: by chance, or every other time where the chance is 0
	chance    float64
	responder responder
}

// Codes are the reasons that a buyer can decline with.
var Codes = []string{"duplicate", "out_of_area", "service_not_offered", "cap", "closed", "bad_contact", "consent", "other"}

// Ways are the words for what a buyer can do, as they are typed.
const Ways = "accept, reject:CODE, plain, slow:3s, hang, drip, endless, reset, reset-body, duplicate, status:500, status:429:7 (the 7 is Retry-After), " +
	"flapping, flapping:0.5"

const accepts, declines = "accept", "reject"

var (
	accept = act{word: "accept", decision: accepts, status: http.StatusOK, responder: answer}
	fail   = act{word: "status:503", status: http.StatusServiceUnavailable, responder: answer}

	refuse  = act{status: http.StatusUnauthorized, body: `{"error":"the signature is not right"}`, responder: answer}
	puzzled = act{status: http.StatusBadRequest, body: `{"error":"this is not a message"}`, responder: answer}
	ignore  = act{status: http.StatusNoContent, responder: answer} // a type that came later than this buyer
)

// simple are the ways that need no more than a word.
var simple = []act{
	accept,
	{word: "plain", status: http.StatusOK, body: "thank you\n", responder: answer},
	{word: "hang", responder: hang},
	{word: "drip", responder: drip},
	{word: "endless", responder: endless},
	{word: "reset", responder: reset},
	{word: "reset-body", decision: accepts, responder: resetBody},
	{word: "duplicate", decision: accepts, status: http.StatusOK, responder: twice},
	{word: "flapping", decision: accepts, status: http.StatusOK, flaps: true, responder: answer},
}

// ParseBehaviour reads one way, or several with commas between them.
func ParseBehaviour(text string) (Behaviour, error) {
	b := Behaviour{text: text}
	for word := range strings.SplitSeq(text, ",") {
		a, ok := parseAct(strings.TrimSpace(word))
		if !ok {
			return Behaviour{}, fmt.Errorf("%q is not a behavior: write one of %s; CODE is one of %s", word, Ways, strings.Join(Codes, ", "))
		}
		b.acts = append(b.acts, a)
	}
	return b, nil
}

func parseAct(text string) (act, bool) {
	if i := slices.IndexFunc(simple, func(a act) bool { return a.word == text }); i >= 0 {
		return simple[i], true
	}
	word, rest, _ := strings.Cut(text, ":")
	a := accept
	a.word = text
	switch word {
	case "reject":
		a.decision, a.code = declines, rest
		return a, slices.Contains(Codes, rest)
	case "slow":
		var err error
		a.wait, err = time.ParseDuration(rest)
		return a, err == nil && a.wait >= 0
	case "flapping":
		var err error
		a.flaps = true
		a.chance, err = strconv.ParseFloat(rest, 64)
		return a, err == nil && a.chance > 0 && a.chance <= 1
	case "status":
		return parseStatus(text, rest)
	}
	return act{}, false
}

func parseStatus(text, rest string) (act, bool) {
	code, after, _ := strings.Cut(rest, ":")
	status, err := strconv.Atoi(code)
	_, notSeconds := strconv.ParseUint(after, 10, 32)
	return act{word: text, status: status, after: after, responder: answer}, err == nil && status >= 200 && status <= 599 && (after == "" || notSeconds == nil)
}

// UnmarshalText reads a behaviour where it is a flag.
func (b *Behaviour) UnmarshalText(text []byte) (err error) {
	*b, err = ParseBehaviour(string(text))
	return err
}

// String is the behaviour as it was typed.
func (b Behaviour) String() string { return b.text }

// set says whether there is one.
func (b Behaviour) set() bool { return len(b.acts) > 0 }

// pick takes one way for a message. Flaps counts the messages that met one that fails every other time.
func (b Behaviour) pick(chance *rand.Rand, flaps *int) act {
	if !b.set() {
		return accept
	}
	a := b.acts[0]
	if len(b.acts) > 1 {
		a = b.acts[chance.IntN(len(b.acts))]
	}
	switch {
	case !a.flaps:
		return a
	case a.chance > 0 && chance.Float64() < a.chance:
		return fail
	case a.chance == 0:
		if *flaps++; *flaps%2 == 1 { // the first too, so that one lead is enough to see it
			return fail
		}
	}
	return a
}

// told says in a few words what is done.
func (a act) told() string {
	if a.status == 0 {
		return a.word
	}
	text := strings.TrimSpace(fmt.Sprintf("%d %s", a.status, strings.TrimSpace(a.decision+" "+a.code)))
	switch {
	case a.wait > 0:
		text += " after " + a.wait.String()
	case a.after != "":
		text += " Retry-After " + a.after
	case a.word == "duplicate":
		text += ", twice"
	}
	return text
}
