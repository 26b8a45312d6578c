package lead

import (
	"cmp"
	"time"
)

// ReturnWindow is how long after delivery a buyer can return a lead, if it agreed on nothing else with the operator.
const ReturnWindow = 7 * 24 * time.Hour

// ReturnCode is the kind of reason why a lead comes back. What follows from it can be agreed on with a buyer.
type ReturnCode string

// The codes of returns.
const (
	ReturnBadContact ReturnCode = "bad_contact"
	ReturnDuplicate  ReturnCode = "duplicate"
	ReturnOutOfArea  ReturnCode = "out_of_area"
	ReturnNotOffered ReturnCode = "service_not_offered"
	ReturnConsent    ReturnCode = "consent"
	ReturnOther      ReturnCode = "other"
)

// ReturnCodes lists every code.
var ReturnCodes = []ReturnCode{ReturnBadContact, ReturnDuplicate, ReturnOutOfArea, ReturnNotOffered, ReturnConsent, ReturnOther}

// Return is a buyer's return of a lead.
type Return struct {
	Offer   string
	Code    ReturnCode
	Reason  string
	Message string // the buyer's own id for the message
	Body    []byte // as signed; distinguishes a retry from another message with the same id
}

// ReturnInput is the input of a return: the offer, a code and a reason. Like every HTTP body it may have other members, which are
// ignored.
var ReturnInput = &InputSpec{Name: "a return"}

// The fields of a return are not fields of a request, so they are not in the table.
var (
	OfferField = Field{
		Name: "offer_id", Kind: Text, Required: true, Min: 1, Max: 64, Label: "Offer",
		Help:    "The offer whose lead comes back: the same as in the address. It stands in the body because only the body is signed.",
		Wants:   "Give the same offer_id as in the address, inside the signed body",
		Example: "offer_01jc3n8p0qk7m2x4vw5yz6abcdefghijklm",
	}
	ReasonField = Field{
		Name: "reason", Kind: Text, Required: true, Min: 1, Max: 500, Label: "Reason",
		Help:    "Why the lead comes back, for the operator. It needs no name, phone number or address: the offer tells which lead is meant.",
		Wants:   "Give why the lead comes back in 1 to 500 characters, for example: the number is not in service",
		Example: "The number is not in service",
	}
	CodeField = Field{
		Name: "code", Kind: Choice, Choices: toStrings(ReturnCodes), Default: string(ReturnOther), Label: "Code",
		Help:    "What kind of reason it is. Returns with some codes may be decided at once, if you agreed on that.",
		Wants:   wantsOneOf(toStrings(ReturnCodes)) + ", or leave it out",
		Example: string(ReturnBadContact),
	}
)

// ReadReturn parses the code and the reason of a return, or returns all its problems at once. The body must name the offer of the URL:
// only the body is signed, so otherwise one signed return would be valid for every offer of its buyer.
func ReadReturn(offer string, named, code, reason Value) (Return, *Error) {
	var problems []Problem
	given, wrong := OfferField.parse(named)
	if wrong == "" && given.text != offer {
		wrong = "not the one in the address"
	}
	if wrong != "" {
		problems = append(problems, OfferField.problem(wrong))
	}
	parsedCode, wrong := CodeField.parse(code)
	if wrong != "" {
		problems = append(problems, CodeField.problem(wrong))
	}
	parsedReason, wrong := ReasonField.parse(reason)
	if wrong != "" {
		problems = append(problems, ReasonField.problem(wrong))
	}
	if len(problems) > 0 {
		return Return{}, InvalidFields(problems)
	}
	return Return{Offer: offer, Code: ReturnCode(cmp.Or(parsedCode.text, CodeField.Default)), Reason: parsedReason.text}, nil
}
