package lead

import "time"

// ReturnWindow is how long after its delivery a lead can be given back.
const ReturnWindow = 7 * 24 * time.Hour

// ReturnSlip is what a buyer writes when it gives a lead back: a reason. Like every HTTP body it may hold other members,
// which are ignored.
var ReturnSlip = &Slip{Name: "a return"}

// ReasonField describes the one field of a return. It is no field of a request, so it stands beside the table.
var ReasonField = Field{
	Name: "reason", Kind: Text, Required: true, Min: 1, Max: 500, Label: "Reason",
	Help:    "Why the lead comes back, for the operator. It needs no name, phone number or address: the offer tells which lead is meant.",
	Wants:   "Give why the lead comes back in 1 to 500 characters, for example: the number is not in service",
	Example: "The number is not in service",
}

// Reason reads why a lead comes back, by the rules of every text.
func Reason(v Value) (string, *Error) {
	reading, t := ReasonField.read(v)
	if t != "" {
		return "", invalid([]Problem{ReasonField.problem(t)})
	}
	return reading.text, nil
}
