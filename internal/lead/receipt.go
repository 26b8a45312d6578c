package lead

import "time"

// Receipt is the answer to a request: the LeadResponse of the published interface. All nine members are always present.
type Receipt struct {
	LeadID          string   `json:"lead_id"`
	Status          Status   `json:"status"`
	Message         string   `json:"message"`
	NextSteps       []string `json:"next_steps"`
	PayoutHint      *string  `json:"estimated_payout_hint"`
	Call            *string  `json:"call_to_connect"`
	CallDisplay     *string  `json:"call_to_connect_display"`
	CallInstruction *string  `json:"call_instruction"`
	DryRun          bool     `json:"dry_run"`
}

// StatusAnswer is the answer to a look-up. It reports the status of a lead and nothing about who sent it.
type StatusAnswer struct {
	LeadID    string    `json:"lead_id"`
	Status    Status    `json:"status"`
	Service   Service   `json:"service_type"`
	ZIP       string    `json:"zip_code"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	Message   string    `json:"message"`
	NextSteps []string  `json:"next_steps"`
	Private   bool      `json:"-"` // a privacy request named the lead, so its true status is not shown
}

// Idempotency binds an idempotency key to a request and the answer to that request.
type Idempotency struct {
	Key     string // hash of the key
	Request string // hash of the parsed request
	Answer  []byte
}
