package lead

import (
	"errors"
	"slices"
	"strings"
	"time"
)

// Kind is the short machine code of an error. The frame of the doors knows the HTTP status of each.
type Kind string

// Every kind of refusal there is. What is none of these is a bug.
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
	MethodNotAllowed Kind = "method_not_allowed"
	RateLimited      Kind = "rate_limited"
	Unavailable      Kind = "unavailable"
	Internal         Kind = "internal"
)

// Error is a refusal that a person can be told. It never repeats a value that was sent.
type Error struct {
	Kind     Kind
	Message  string
	Problems []Problem
	Retry    time.Duration // for RateLimited and Unavailable: when to come back
	Quota    *Quota        // for RateLimited: the limit that was reached
	Cause    error         // for the log only
}

// Problem is what is wrong with one field, and what to send instead.
type Problem struct {
	Field string
	Text  string
	Asked string // for a person at a form, where the text is for programs
}

// ForPerson is the text for a person who fills in a form.
func (p Problem) ForPerson() string {
	if p.Asked != "" {
		return p.Asked
	}
	return p.Text
}

// Quota is a rate limit as clients are told of it.
type Quota struct {
	Name   string
	Limit  int
	Window time.Duration
}

// Error makes the refusal an error. Only the kind and the cause are told: they are fit for a log.
func (e *Error) Error() string {
	if e.Cause != nil {
		return string(e.Kind) + ": " + e.Cause.Error()
	}
	return string(e.Kind)
}

func (e *Error) Unwrap() error { return e.Cause }

// KindOf is the kind of an error, or "" where it is not one of ours.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// invalid gathers problems into one refusal whose message is their texts joined, so that it can be read to a person.
func invalid(problems []Problem) *Error {
	texts := make([]string, len(problems))
	for i, p := range problems {
		texts[i] = p.Text
	}
	return &Error{Kind: Invalid, Message: strings.Join(texts, " "), Problems: problems}
}

// Also adds the problems of another refusal, so that all are told at once. A body that could not be read has none to add to.
func (e *Error) Also(more *Error) *Error {
	switch {
	case e == nil:
		return more
	case e.Problems == nil:
		return e
	}
	return invalid(slices.Concat(e.Problems, more.Problems))
}

// InvalidField refuses one thing that is not in the field table, such as a header.
func InvalidField(name, text string) *Error {
	return invalid([]Problem{{Field: name, Text: text}})
}

// Malformed refuses a body that could not be read.
func Malformed(text string) *Error {
	return &Error{Kind: Invalid, Message: text}
}
