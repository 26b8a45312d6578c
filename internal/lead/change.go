package lead

import "time"

// Change is one line of a lead's history.
type Change struct {
	At     time.Time
	Status Status
	Actor  string
	Reason string
}

// The actors that change leads.
const (
	ByService  = "service"
	ByOperator = "operator"
)
