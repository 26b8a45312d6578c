package lead

import "time"

// Limits that are enforced and also documented for clients.
const (
	MaxBody           = 64 << 10       // bytes in a request body
	MaxKey            = 255            // characters in an idempotency key
	IdempotencyWindow = 24 * time.Hour // how long an idempotency key is remembered
)

// Bucket is one of the rate limit buckets of a client address.
type Bucket uint8

// The buckets: leads that are saved, requests that are only checked or refused, and look-ups of unknown ids.
const (
	BucketLeads Bucket = iota
	BucketAttempts
	BucketUnknownIDs
)

// Charge is a rate limit to charge, that of a client or of a network that the client is in: one request for each Step, with
// bursts of up to Burst.
type Charge struct {
	Key   string
	Step  time.Duration
	Burst int
}

// Allowance is the result of taking from a client's bucket.
type Allowance struct {
	Granted bool
	Retry   time.Duration // when to retry, if not granted
	Quota   Quota
}
