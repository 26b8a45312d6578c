package buyer

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Answer is what came back from one attempt to send a message.
type Answer struct {
	Status  int // 0 where there was none
	Body    []byte
	Failure string // what went wrong where there was no status
	Sent    bool   // whether the buyer may have seen the message
}

// Meaning is what an answer means for the lead and the buyer.
type Meaning string

// The meanings. Withdraw and SwitchOff concern the buyer; what becomes of the lead depends on what it was told.
const (
	Accepts   Meaning = "accept"
	Declines  Meaning = "reject"
	Fails     Meaning = "failed"     // worth another attempt
	Withdraw  Meaning = "pause"      // the address refuses us: nobody is asked there until the operator has looked
	SwitchOff Meaning = "switch_off" // the address is gone
)

// Verdict is an answer, understood.
type Verdict struct {
	Meaning Meaning
	Code    Code   // why it was declined
	Ref     string // the buyer's own name for the lead
	Said    bool   // it stood in the answer, rather than in its status alone
}

// Code is a buyer's reason for declining.
type Code string

// The codes of the contract with buyers.
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

// ForGood says that a buyer that declined so is never asked about the lead again.
func (c Code) ForGood() bool { return c != CodeCap && c != CodeClosed }

// maxRef bounds what is kept of the buyer's own name for a lead.
const maxRef = 200

// Read says what an answer to an offer, or to a one-step delivery, means.
func Read(a Answer, plainAccepts bool) Verdict {
	if v, done := addressRefusal(a.Status); done {
		return v
	}
	said, decided := parseDecision(a.Body)
	switch {
	case a.Status >= 200 && a.Status < 300 && decided:
		return said
	case a.Status >= 200 && a.Status < 300 && plainAccepts:
		return Verdict{Meaning: Accepts}
	case a.Status == 400 || a.Status == 409 || a.Status == 422:
		if said.Meaning != Declines {
			said = Verdict{Meaning: Declines, Code: CodeOther}
		}
		return said
	}
	return Verdict{Meaning: Fails}
}

// ReadDelivery says what an answer means where the buyer accepted before: its 2xx acknowledges the contact.
func ReadDelivery(a Answer) Verdict {
	if v, done := addressRefusal(a.Status); done {
		return v
	}
	switch {
	case a.Status >= 200 && a.Status < 300:
		said, _ := parseDecision(a.Body)
		return Verdict{Meaning: Accepts, Ref: said.Ref}
	case a.Status == 400 || a.Status == 409 || a.Status == 422:
		said, _ := parseDecision(a.Body)
		if said.Code == "" {
			said.Code = CodeOther
		}
		return Verdict{Meaning: Declines, Code: said.Code}
	}
	return Verdict{Meaning: Fails}
}

// addressRefusal are answers that say something about the address and nothing about the lead.
func addressRefusal(status int) (Verdict, bool) {
	switch {
	case status == 401 || status == 403 || status == 404 || status >= 300 && status < 400:
		return Verdict{Meaning: Withdraw}, true
	case status == 410:
		return Verdict{Meaning: SwitchOff}, true
	}
	return Verdict{}, false
}

// parseDecision reads the decision in a body, if there is one.
func parseDecision(body []byte) (Verdict, bool) {
	var said struct {
		Decision string `json:"decision"`
		Code     any    `json:"code"`
		Ref      any    `json:"buyer_ref"`
	}
	if json.Unmarshal(body, &said) != nil {
		return Verdict{}, false
	}
	v := Verdict{Meaning: Meaning(said.Decision), Ref: textOrNumber(said.Ref), Said: true}
	switch v.Meaning {
	case Accepts:
		return v, true
	case Declines:
		if v.Code = Code(textOrNumber(said.Code)); !slices.Contains(Codes, v.Code) {
			v.Code = CodeOther
		}
		return v, true
	}
	return Verdict{}, false
}

// textOrNumber reads what a buyer calls something: a text, or a number as many write their ids.
func textOrNumber(v any) string {
	switch v := v.(type) {
	case string:
		return Clean(v[:min(len(v), maxRef)])
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// Clean makes what a buyer wrote fit to be kept: whole characters, and none that a database refuses.
func Clean(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}
