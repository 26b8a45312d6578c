package lead

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"
)

// Kind is the machine-readable code of an error. Package edge maps each kind to an HTTP status.
type Kind string

// Every kind of error. An error of any other kind is a bug.
const (
	Invalid          Kind = "invalid_request"
	Refused          Kind = "rejected"
	KeyReused        Kind = "idempotency_key_reused"
	TooLarge         Kind = "payload_too_large"
	UnsupportedMedia Kind = "unsupported_media_type"
	NotAcceptable    Kind = "not_acceptable"
	Unauthorized     Kind = "unauthorized"
	Forbidden        Kind = "forbidden"
	NotFound         Kind = "not_found"
	Conflict         Kind = "conflict" // what is asked for does not go with how things stand
	MethodNotAllowed Kind = "method_not_allowed"
	RateLimited      Kind = "rate_limited"
	Unavailable      Kind = "unavailable"
	Internal         Kind = "internal"
)

// Error is an error that can be shown to a person. It never repeats a value from the request.
type Error struct {
	Kind     Kind
	Message  string
	Problems []Problem
	Retry    time.Duration // for RateLimited and Unavailable: when to retry
	Quota    *Quota        // for RateLimited: the limit that was reached
	Cause    error         // for the log only
}

// Problem says what is wrong with one field and what to send instead.
type Problem struct {
	Field string
	Text  string
	Asked string // the text for a person who fills in a form, if it differs
}

// ForPerson returns the text for a person who fills in a form.
func (p Problem) ForPerson() string {
	return cmp.Or(p.Asked, p.Text)
}

// Quota is a rate limit as clients see it.
type Quota struct {
	Name   string
	Limit  int
	Window time.Duration
}

// Error returns only the kind and the cause, which are safe to log.
func (e *Error) Error() string {
	if e.Cause != nil {
		return string(e.Kind) + ": " + e.Cause.Error()
	}
	return string(e.Kind)
}

func (e *Error) Unwrap() error { return e.Cause }

// KindOf returns the kind of an error, or "" if it is not an *Error.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return ""
}

// InvalidFields combines problems into one error. Its message joins their texts, so that it can be read to a person.
func InvalidFields(problems []Problem) *Error {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Text
	}
	return &Error{Kind: Invalid, Message: strings.Join(texts, " "), Problems: problems}
}

// Also adds the problems of another error, so that all are reported at once. An error for an unreadable body has no
// problems and stays as it is.
func (e *Error) Also(more *Error) *Error {
	switch {
	case e == nil:
		return more
	case e.Problems == nil:
		return e
	}
	return InvalidFields(slices.Concat(e.Problems, more.Problems))
}

// InvalidField returns an error for an input that is not in the field table, such as a header.
func InvalidField(name, text string) *Error {
	return InvalidFields([]Problem{{Field: name, Text: text}})
}

// Malformed returns an error for a body that cannot be parsed.
func Malformed(text string) *Error {
	return &Error{Kind: Invalid, Message: text}
}

// NotFoundError is the error of a look-up. what names the thing, such as "lead with this id".
func NotFoundError(what string) *Error {
	return &Error{Kind: NotFound, Message: "There is no " + what + "."}
}
