package lead

import "time"

// Bounds that are both checked and told.
const (
	MaxBody           = 64 << 10       // bytes of a body
	MaxKey            = 255            // characters of an idempotency key
	IdempotencyWindow = 24 * time.Hour // how long an idempotency key is remembered
)
