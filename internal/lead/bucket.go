package lead

import "time"

// Bucket is one of the allowances a client address has.
type Bucket uint8

// The allowances: for leads that are kept, for what is only checked or refused, and for look-ups of ids that do not exist.
const (
	BucketLeads Bucket = iota
	BucketAttempts
	BucketUnknownIDs
)

// Allowance is what is left of a bucket for a client.
type Allowance struct {
	Granted bool
	Retry   time.Duration // when to come back, where it was not granted
	Quota   Quota
}
