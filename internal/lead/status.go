package lead

// Status is where a lead stands.
type Status string

// The statuses of the interface specification.
const (
	Received      Status = "received"
	Validated     Status = "validated"
	Forwarded     Status = "forwarded"
	Collected     Status = "collected"
	CallToConnect Status = "call_to_connect"
	Rejected      Status = "rejected"
	Failed        Status = "error"
)

// Statuses lists every status in the order of the specification.
var Statuses = []Status{Received, Validated, Forwarded, Collected, CallToConnect, Rejected, Failed}
