package lead

import "slices"

// Status is where a lead stands.
type Status string

// The statuses of the published interface.
const (
	Received      Status = "received"
	Validated     Status = "validated"
	Forwarded     Status = "forwarded"
	Collected     Status = "collected"
	CallToConnect Status = "call_to_connect"
	Rejected      Status = "rejected"
	Errored       Status = "error"
)

// Statuses lists every status in the order of the published interface.
var Statuses = []Status{Received, Validated, Forwarded, Collected, CallToConnect, Rejected, Errored}

// next are the moves a lead makes by itself, and what an operator may undo.
var (
	next = map[Status][]Status{
		Received:  {Forwarded, Collected, Rejected, Errored},
		Collected: {Received, Rejected},
	}
	undo = map[Status][]Status{
		Errored: {Received, Collected},
	}
)

// MayBecome says whether a lead may go from one status to another. No move goes backwards without an operator.
func (s Status) MayBecome(to Status, actor string) bool {
	return slices.Contains(next[s], to) || actor == ByOperator && slices.Contains(undo[s], to)
}
