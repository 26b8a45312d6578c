package buyer

import (
	"encoding/json"
	"slices"
	"strings"
)

// Answer is a buyer's response to one message.
//
// 429 (http.StatusTooManyRequests: the buyer is throttling us) means Fails, like 408, 425 and 5xx, and counts toward the breaker:
//   - An offer is sent once more two seconds later, and then goes to the next buyer; at once, if Retry-After is longer (OfferRetry).
//   - A contact stays with the buyer and is sent again, with backoff, and not before Retry-After says so (DeliveryRetry). So is that of a
//     one-step offer that may have arrived.
//   - 429 with Retry-After also means that the buyer wants no new offers until then, up to MaxRetryAfter (Health.Quiet).
type Answer struct {
	Status int // 0 if there was no response
	Body   []byte
}

// The statuses that have a meaning of their own, as http.StatusGone and so on: a pure package does not import net/http.
const (
	statusBadRequest       = 400
	statusUnauthorized     = 401
	statusForbidden        = 403
	statusNotFound         = 404
	statusMethodNotAllowed = 405
	statusConflict         = 409
	statusGone             = 410
	statusUnprocessable    = 422
	statusTooManyRequests  = 429
)

// Meaning is what an answer means for the lead and the buyer.
type Meaning string

// The meanings. PauseBuyer and SwitchOff concern the buyer; what happens to the lead depends on whether the buyer has the contact.
const (
	Accepts    Meaning = "accept"
	Declines   Meaning = "reject"
	Fails      Meaning = "failed"     // no decision: no response, 408, 425, 429, 5xx or any other status; worth another attempt
	PauseBuyer Meaning = "pause"      // the address rejects our requests: no more offers until the operator resumes the buyer
	SwitchOff  Meaning = "switch_off" // the address is gone
)

// Verdict is an interpreted answer.
type Verdict struct {
	Meaning Meaning
	Code    Code   // why the buyer declined
	Ref     string // the buyer's reference for the lead
	Said    bool   // the body contained the decision; otherwise the status alone implies it
}

// Code is a buyer's reason for declining.
type Code string

// The codes of the buyer API.
const (
	CodeDuplicate  Code = "duplicate"
	CodeOutOfArea  Code = "out_of_area"
	CodeNotOffered Code = "service_not_offered"
	CodeCap        Code = "cap"
	CodeClosed     Code = "closed"
	CodeBadContact Code = "bad_contact"
	CodeConsent    Code = "consent"
	CodeOther      Code = "other"
)

// Codes lists every code.
var Codes = []Code{CodeDuplicate, CodeOutOfArea, CodeNotOffered, CodeCap, CodeClosed, CodeBadContact, CodeConsent, CodeOther}

// ForGood reports whether a buyer that declined with this code is never asked about the lead again.
func (c Code) ForGood() bool { return c != CodeCap && c != CodeClosed }

// maxRef bounds the length of a buyer's reference, in bytes.
const maxRef = 200

// Read interprets an answer to an offer or to a one-step delivery.
func Read(a Answer, plainAccepts bool) Verdict {
	said, decided := parseDecision(a.Body)
	switch {
	case a.Status == statusUnauthorized || a.Status == statusForbidden || a.Status == statusNotFound || a.Status >= 300 && a.Status < 400: // about the address, not the lead
		return Verdict{Meaning: PauseBuyer}
	case a.Status == statusGone:
		return Verdict{Meaning: SwitchOff}
	case a.Status >= 200 && a.Status < 300 && decided:
		return said
	case a.Status >= 200 && a.Status < 300 && plainAccepts:
		return Verdict{Meaning: Accepts}
	case a.Status == statusBadRequest || a.Status == statusConflict || a.Status == statusUnprocessable:
		if said.Meaning != Declines {
			said = Verdict{Meaning: Declines, Code: CodeOther}
		}
		return said
	}
	return Verdict{Meaning: Fails} // 429 too: see Answer
}

// ReadDelivery interprets an answer to a delivery after the buyer accepted the offer: any 2xx acknowledges the contact.
func ReadDelivery(a Answer) Verdict {
	v := Read(a, true)
	switch {
	case a.Status >= 200 && a.Status < 300:
		return Verdict{Meaning: Accepts, Ref: v.Ref}
	case v.Meaning == Declines:
		return Verdict{Meaning: Declines, Code: v.Code}
	}
	return v
}

// decision is the body of an answer.
type decision struct {
	Decision Meaning         `json:"decision"`
	Code     any             `json:"code"`
	Ref      json.RawMessage `json:"buyer_ref"`
}

// parseDecision reads the decision from a body, if there is one.
func parseDecision(body []byte) (Verdict, bool) {
	var said decision
	if json.Unmarshal(body, &said) != nil {
		return Verdict{}, false
	}
	v := Verdict{Meaning: said.Decision, Ref: textOrNumber(said.Ref), Said: true}
	switch v.Meaning {
	case Accepts:
		return v, true
	case Declines:
		code, _ := said.Code.(string)
		if v.Code = Code(code); !slices.Contains(Codes, v.Code) {
			v.Code = CodeOther
		}
		return v, true
	}
	return Verdict{}, false
}

// textOrNumber reads a value that may be a string or a number, as many buyers write their ids. A number keeps its digits: an id may have more
// of them than a float64.
func textOrNumber(v json.RawMessage) string {
	text := string(v)
	switch {
	case text == "" || strings.ContainsAny(text[:1], "{[tfn"):
		return ""
	case text[0] == '"' && json.Unmarshal(v, &text) != nil:
		return ""
	}
	return Clean(text[:min(len(text), maxRef)])
}

// Clean makes a buyer's text safe to store: valid UTF-8, and no NUL, which databases refuse.
func Clean(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}
