package lead

import (
	"slices"
	"time"
)

// Status is the state of a lead.
type Status string

// The statuses of the published interface.
const (
	Received      Status = "received"
	Validated     Status = "validated"
	Forwarded     Status = "forwarded"
	Collected     Status = "collected" // held: no buyer has it now
	CallToConnect Status = "call_to_connect"
	Rejected      Status = "rejected"
	Errored       Status = "error"
)

// Statuses lists every status in the order of the published interface.
var Statuses = []Status{Received, Validated, Forwarded, Collected, CallToConnect, Rejected, Errored}

// The allowed transitions: nextStatuses for every actor, operatorOnly for the operator.
var (
	nextStatuses = map[Status][]Status{
		Received:  {Forwarded, Collected, Rejected, Errored},
		Collected: {Received, Rejected},
	}
	operatorOnly = map[Status][]Status{
		Errored: {Received, Collected},
	}
)

// MayBecome reports whether a lead may change from one status to another. Only the operator can move a lead out of error.
func (s Status) MayBecome(to Status, actor string) bool {
	return slices.Contains(nextStatuses[s], to) || actor == ByOperator && slices.Contains(operatorOnly[s], to)
}

// Change is one entry in a lead's history.
type Change struct {
	At     time.Time
	Status Status
	Actor  string
	Reason string
}

// The actors that can change a lead.
const (
	ByService  = "service"
	ByOperator = "operator"
)
