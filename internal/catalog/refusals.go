package catalog

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"foyer/internal/lead"
)

// Suppressed refuses a number whose owner asked not to be contacted. Nothing of the request is kept.
func (b Brand) Suppressed() *lead.Error {
	return &lead.Error{Kind: lead.Refused, Message: "The owner of this phone number asked not to be contacted, so the request was not kept. " +
		"For questions, write to " + b.Contact + "."}
}

// UnknownLead answers a look-up of an id that does not exist. A dry run's id never does.
func UnknownLead() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no request with this lead_id. Use the lead_id exactly as it was returned; the id of a dry run is never kept."}
}

// KeyReused refuses an idempotency key that came with another request before.
func KeyReused() *lead.Error {
	return &lead.Error{Kind: lead.KeyReused, Message: "This Idempotency-Key was used for a different request in the last " + inWords(lead.IdempotencyWindow) + ". Use a new key for a new request, or repeat the first request unchanged."}
}

// BadKey refuses an idempotency key that cannot be one.
func BadKey() *lead.Error {
	return lead.InvalidField("Idempotency-Key", "The Idempotency-Key header can't be used. Send one value of 1 to "+strconv.Itoa(lead.MaxKey)+" characters, for example a UUID.")
}

// TooMany refuses a request of a client that is over a limit. A plumber's number has none.
func (b Brand) TooMany(service lead.Service, a lead.Allowance) *lead.Error {
	return b.withNumber(service, overLimit(a, "Too many requests came from this address, so nothing was kept. Try again in "+inWords(a.Retry)+"."))
}

// TooManyRepeats refuses a client that repeats its idempotency keys too often. What was kept before stays kept.
func (b Brand) TooManyRepeats(service lead.Service, a lead.Allowance) *lead.Error {
	return b.withNumber(service, overLimit(a, "Too many requests came from this address, so nothing new was kept. If a request with this Idempotency-Key was accepted before, "+
		"that answer still holds. Try again in "+inWords(a.Retry)+"."))
}

// withNumber adds the plumbing number to a refusal: it needs no request.
func (b Brand) withNumber(service lead.Service, e *lead.Error) *lead.Error {
	if service.Live() {
		e.Message += " The plumbing number needs no request: dial " + b.NumberDisplay() + " yourself."
	}
	return e
}

// TooManyLookUps refuses a client that keeps asking for ids that do not exist.
func TooManyLookUps(a lead.Allowance) *lead.Error {
	return overLimit(a, "Too many lookups of unknown ids came from this address. Try again in "+inWords(a.Retry)+".")
}

func overLimit(a lead.Allowance, message string) *lead.Error {
	return &lead.Error{Kind: lead.RateLimited, Retry: a.Retry, Quota: &a.Quota, Message: message}
}

// inWords is a length of time in words, rounded up: a client that comes back a moment early is refused again.
func inWords(d time.Duration) string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d >= 2*unit.length {
			return strconv.Itoa(int((d+unit.length-1)/unit.length)) + " " + unit.name + "s"
		}
	}
	if n := int((d + time.Second - 1) / time.Second); n > 1 {
		return strconv.Itoa(n) + " seconds"
	}
	return "1 second"
}

// TooManyReturns refuses a client that gives back, or tries to, more than the limit allows.
func TooManyReturns(a lead.Allowance) *lead.Error {
	return overLimit(a, "Too many returns came from this address, so nothing was noted. Try again in "+inWords(a.Retry)+".")
}

// NotSigned refuses a return that is not signed by the buyer. It is the same for an offer that does not exist, so that
// nobody finds out which do.
func NotSigned() *lead.Error {
	return &lead.Error{Kind: lead.Unauthorized, Message: "The signature is missing or does not fit. Send webhook-id, webhook-timestamp and webhook-signature as the Standard Webhooks say, " +
		"made within the last 5 minutes over exactly this body, with the secret of the buyer that the offer went to."}
}

// NotReturnable refuses to take back what was not delivered, or was too long ago.
func (b Brand) NotReturnable() *lead.Error {
	return &lead.Error{Kind: lead.Refused, Message: "Only a lead that was delivered can be given back, and only within " + strconv.Itoa(int(lead.ReturnWindow/(24*time.Hour))) + " days of its delivery. " +
		"For questions, write to " + b.Contact + "."}
}

// MessageReused refuses a return whose webhook-id came with another body before.
func MessageReused() *lead.Error {
	return &lead.Error{Kind: lead.KeyReused, Message: "This webhook-id came with another body a few minutes ago, so nothing was noted. Give each message a webhook-id of its own, or repeat the first message unchanged."}
}

// NotNoted says that the store could not note a return.
func NotNoted(cause error) *lead.Error {
	return unavailable(cause, "The return could not be noted right now. Send it again in a moment.")
}

// NotJSON refuses a body of another kind, where only JSON is read.
func NotJSON() *lead.Error {
	return &lead.Error{Kind: lead.UnsupportedMedia, Message: "This kind of body is not supported. Send JSON with Content-Type: application/json."}
}

// Busy refuses work before it is read, because too much is waiting already.
func Busy() *lead.Error {
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Message: "The service is busy and didn't take this request. Nothing was kept. Please send it again in a moment."}
}

// NotKept says that the store could not take a request. A plumber's number needs no store, so it is still handed out.
func (b Brand) NotKept(service lead.Service, cause error) *lead.Error {
	e := unavailable(cause, "The request couldn't be stored, so nothing was accepted. Please send it again in a moment.")
	if service.Live() {
		e.Message = "The details couldn't be stored, and nothing was accepted. The plumbing number still works: dial " + b.NumberDisplay() + " yourself."
	}
	return e
}

// NotNow says that the store cannot look a request up at the moment.
func NotNow(cause error) *lead.Error {
	return unavailable(cause, "The request couldn't be looked up right now. Please try again in a moment.")
}

func unavailable(err error, message string) *lead.Error {
	cause := err
	if told := (*lead.Error)(nil); errors.As(err, &told) && told.Cause != nil {
		cause = told.Cause // the log names what is behind it, once
	}
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause, Message: message}
}

// Bug is all that is told of one: where it can be found in the log.
func Bug(id string) *lead.Error {
	return &lead.Error{Kind: lead.Internal, Message: "Something went wrong on our side and was logged as " + id + "."}
}

// TooLarge refuses a body that is over the bound.
func TooLarge() *lead.Error {
	return &lead.Error{Kind: lead.TooLarge, Message: "The body is too large. Send at most " + strconv.Itoa(lead.MaxBody>>10) + " KiB."}
}

// Compressed refuses a body that would have to be unpacked first.
func Compressed() *lead.Error {
	return &lead.Error{Kind: lead.UnsupportedMedia, Message: "Compressed bodies are not supported. Send the body without Content-Encoding."}
}

// BrokenBody refuses a body whose framing is broken.
func BrokenBody() *lead.Error {
	return lead.Malformed("The body couldn't be read: its chunks are malformed.")
}

// NotThisWay refuses a method that an address does not take.
func NotThisWay(methods []string) *lead.Error {
	return &lead.Error{Kind: lead.MethodNotAllowed, Message: "This address takes " + strings.Join(methods, " and ") + " only."}
}

// NeitherJSONNorForm refuses a body of another kind.
func NeitherJSONNorForm() *lead.Error {
	return &lead.Error{Kind: lead.UnsupportedMedia, Message: "This kind of body is not supported. Send JSON with Content-Type: application/json, or a form with application/x-www-form-urlencoded."}
}

// NoOperation answers for an address under /v1 that does not exist.
func (b Brand) NoOperation() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no such operation. The operations are listed at " + b.URL("/openapi.json") + "."}
}
