package catalog

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"foyer/internal/lead"
)

// BodyLimit says how large a body may be.
var BodyLimit = strconv.Itoa(lead.MaxBody>>10) + " KiB"

// The errors that are always the same. They are shared: no caller changes one.
var (
	// UnknownLead answers a lookup of an id that does not exist. A dry run's id never does.
	UnknownLead = &lead.Error{Kind: lead.NotFound, Message: "There is no request with this lead_id. Use the lead_id exactly as it was returned; the id of a dry run is never kept."}
	KeyReused   = &lead.Error{Kind: lead.KeyReused, Message: "This Idempotency-Key was used for a different request in the last " + durationText(lead.IdempotencyWindow) + ". Use a new key for a new request, or repeat the first request unchanged."}
	BadKey      = lead.InvalidField("Idempotency-Key", "The Idempotency-Key header can't be used. Send one value of 1 to "+strconv.Itoa(lead.MaxKey)+" characters, for example a UUID.")

	// NoLeadID refuses a lookup tool call without a lead id.
	NoLeadID = lead.InvalidField("lead_id", "lead_id is missing. Give the lead_id that the request returned, as a string.")

	// UnknownPlace says that the place of a ZIP code is not known, which is no reason to reject a request.
	UnknownPlace = &lead.Error{Kind: lead.NotFound, Message: "We don't know the city for this ZIP code. The code may still be right."}

	// NoConsentText answers a hash that no consent text has.
	NoConsentText = &lead.Error{Kind: lead.NotFound, Message: "No consent wording has this hash. Check the address."}

	// Busy refuses a request before it is read, because too many are waiting.
	Busy               = &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Message: "The service is busy and didn't take this request. Nothing was kept. Please send it again in a moment."}
	TooLarge           = &lead.Error{Kind: lead.TooLarge, Message: "The body is too large. Send at most " + BodyLimit + "."}
	Compressed         = &lead.Error{Kind: lead.UnsupportedMedia, Message: "Compressed bodies are not supported. Send the body without Content-Encoding."}
	BrokenBody         = lead.Malformed("The body couldn't be read: its chunks are malformed.")
	NeitherJSONNorForm = &lead.Error{Kind: lead.UnsupportedMedia, Message: "This kind of body is not supported. Send JSON with Content-Type: application/json, or a form with application/x-www-form-urlencoded."}

	// NotJSON refuses a body that is not JSON, where only JSON is accepted.
	NotJSON = &lead.Error{Kind: lead.UnsupportedMedia, Message: "This kind of body is not supported. Send JSON with Content-Type: application/json."}

	// NotAForm refuses a privacy request that does not come from the form.
	NotAForm = &lead.Error{Kind: lead.UnsupportedMedia, Message: "This address doesn't take that kind of body. Send the form on this page as application/x-www-form-urlencoded."}

	// NotSigned refuses a return that the buyer did not sign. It is the same for an offer that does not exist, so that it
	// does not reveal which offers do.
	NotSigned = &lead.Error{Kind: lead.Unauthorized, Message: "The signature is missing or does not fit. Send webhook-id, webhook-timestamp and webhook-signature as the Standard Webhooks say, " +
		"made within the last 5 minutes over exactly this body, with the secret of the buyer that the offer went to."}

	// MessageReused refuses a return whose webhook-id was used with a different body.
	MessageReused = &lead.Error{Kind: lead.KeyReused, Message: "This webhook-id came with another body a few minutes ago, so nothing was noted. Give each message a webhook-id of its own, or repeat the first message unchanged."}

	// ForeignHost refuses a request to the MCP server with a foreign Host: a web page may have made its own name resolve to
	// this machine.
	ForeignHost = &lead.Error{Kind: lead.Forbidden, Message: "This Host is not served on a loopback connection. If it is the public address of this service, set base-url to it."}

	// ForeignOrigin refuses a request to the MCP server from a web page that the operator has not allowed.
	ForeignOrigin = &lead.Error{Kind: lead.Forbidden, Message: "Pages from this origin may not use the tools. The operator can allow them with allowed-origins."}
	NotJSONRPC    = &lead.Error{Kind: lead.UnsupportedMedia, Message: "Send one JSON-RPC message with Content-Type: application/json."}

	// OnlyJSON refuses an MCP client that does not accept JSON.
	OnlyJSON = &lead.Error{Kind: lead.NotAcceptable, Message: "Answers are JSON. Send Accept: application/json, text/event-stream."}
)

// Suppressed refuses a phone number whose owner asked not to be contacted. Nothing of the request is stored.
func (b Brand) Suppressed() *lead.Error {
	return &lead.Error{Kind: lead.Refused, Message: "The owner of this phone number asked not to be contacted, so the request was not kept. " +
		"For questions, write to " + b.Contact + "."}
}

// TooMany refuses a request of a client that is over a limit. The plumbing number has no limit.
func (b Brand) TooMany(service lead.Service, a lead.Allowance) *lead.Error {
	return b.withNumber(service, overLimit(a, "Too many requests came from this address, so nothing was kept. Try again in "+durationText(a.Retry)+"."))
}

// TooManyRepeats refuses a client that repeats its idempotency keys too often. What was stored before stays stored.
func (b Brand) TooManyRepeats(service lead.Service, a lead.Allowance) *lead.Error {
	return b.withNumber(service, overLimit(a, "Too many requests came from this address, so nothing new was kept. If a request with this Idempotency-Key was accepted before, "+
		"that answer still holds. Try again in "+durationText(a.Retry)+"."))
}

// withNumber adds the plumbing number to a refusal, because getting the number needs no request.
func (b Brand) withNumber(service lead.Service, e *lead.Error) *lead.Error {
	if service.Live() {
		e.Message += " The plumbing number needs no request: dial " + b.NumberDisplay() + " yourself."
	}
	return e
}

// TooManyLookUps refuses a client that keeps looking up ids that do not exist.
func TooManyLookUps(a lead.Allowance) *lead.Error {
	return overLimit(a, "Too many lookups of unknown ids came from this address. Try again in "+durationText(a.Retry)+".")
}

func overLimit(a lead.Allowance, message string) *lead.Error {
	return &lead.Error{Kind: lead.RateLimited, Retry: a.Retry, Quota: &a.Quota, Message: message}
}

// durationText returns a duration in words, rounded up: a client that comes back too early is refused again.
func durationText(d time.Duration) string {
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

// TooManyReturns refuses a client that sends more returns, valid or not, than the limit allows.
func TooManyReturns(a lead.Allowance) *lead.Error {
	return overLimit(a, "Too many returns came from this address, so nothing was noted. Try again in "+durationText(a.Retry)+".")
}

// NotReturnable refuses a return of a lead that was not delivered, or was delivered too long ago.
func (b Brand) NotReturnable() *lead.Error {
	return &lead.Error{Kind: lead.Refused, Message: "Only a lead that was delivered can be given back, and only within " + strconv.Itoa(int(lead.ReturnWindow/(24*time.Hour))) + " days of its delivery, or as many as were agreed on. " +
		"For questions, write to " + b.Contact + "."}
}

// NotNoted says that the store could not save a return.
func NotNoted(cause error) *lead.Error {
	return unavailable(cause, "The return could not be noted right now. Send it again in a moment.")
}

// NotKept says that the store could not save a request. The plumbing number needs no store, so the client still gets
// it.
func (b Brand) NotKept(service lead.Service, cause error) *lead.Error {
	e := unavailable(cause, "The request couldn't be stored, so nothing was accepted. Please send it again in a moment.")
	if service.Live() {
		e.Message = "The details couldn't be stored, and nothing was accepted. The plumbing number still works: dial " + b.NumberDisplay() + " yourself."
	}
	return e
}

// NotNow says that the store cannot look up a request at the moment.
func NotNow(cause error) *lead.Error {
	return unavailable(cause, "The request couldn't be looked up right now. Please try again in a moment.")
}

func unavailable(err error, message string) *lead.Error {
	cause := err
	if leadErr, ok := errors.AsType[*lead.Error](err); ok && leadErr.Cause != nil {
		cause = leadErr.Cause // the underlying error, which the log reports once
	}
	return &lead.Error{Kind: lead.Unavailable, Retry: time.Second, Cause: cause, Message: message}
}

// Bug is all that a client learns of a bug: the id under which the log has it.
func Bug(id string) *lead.Error {
	return &lead.Error{Kind: lead.Internal, Message: "Something went wrong on our side and was logged as " + id + "."}
}

// NotThisWay refuses a method that an address does not support.
func NotThisWay(methods []string) *lead.Error {
	return &lead.Error{Kind: lead.MethodNotAllowed, Message: "This address takes " + strings.Join(methods, " and ") + " only."}
}

// NoOperation answers an address under /v1 that does not exist.
func (b Brand) NoOperation() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no such operation. The operations are listed at " + b.URL("/openapi.json") + "."}
}
