package catalog

import (
	"time"

	"foyer/internal/lead"
)

// Suppressed refuses a number whose owner asked not to be contacted. Nothing of the request is kept.
func (b Brand) Suppressed() *lead.Error {
	return &lead.Error{Kind: lead.Refused, Message: "The owner of this phone number asked not to be contacted, so the request was not kept. " +
		"Questions go to " + b.Contact + "."}
}

// UnknownLead answers a look-up of an id that does not exist. A dry run's id never does.
func UnknownLead() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no request with this lead_id. Use the lead_id exactly as the answer to the request gave it; the id of a dry run is never kept."}
}

// KeyReused refuses an idempotency key that came with another request before.
func KeyReused() *lead.Error {
	return &lead.Error{Kind: lead.KeyReused, Message: "This Idempotency-Key was used for another request in the last 24 hours. Send a new key with a new request, or repeat the first request unchanged."}
}

// BadKey refuses an idempotency key that cannot be one.
func BadKey() *lead.Error {
	return lead.InvalidField("Idempotency-Key", "The Idempotency-Key header is not usable: give one value of 1 to 255 characters, for example a UUID.")
}

// TooMany refuses a client that is over a limit.
func TooMany(retry time.Duration, quota lead.Quota) *lead.Error {
	return &lead.Error{
		Kind: lead.RateLimited, Retry: retry, Quota: &quota,
		Message: "Too many requests came from this address. Nothing was kept; send the request again after the time in Retry-After. The plumbing number is never limited.",
	}
}

// Busy refuses work before it is read, because too much is waiting already.
func Busy() *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Message: "The service is busy and did not take this request. Nothing was kept; send it again in a moment."}
}

// NotKept says that the store could not take a request. A plumber's number needs no store, so it is still handed out.
func (b Brand) NotKept(service lead.Service, cause *lead.Error) *lead.Error {
	out := *cause
	out.Message = "The request could not be stored, so nothing was accepted. Send it again in a moment."
	if service.Live() {
		out.Message = "The details could not be stored, and nothing was accepted. The plumbing number works all the same: dial " + b.NumberDisplay() + " yourself."
	}
	return &out
}
