package catalog

import (
	"time"

	"foyer/internal/lead"
)

// The errors of the operator's API that are always the same.
var (
	// NoToken refuses a request without a valid token. It is the same for every address, so that it tells nothing about them.
	NoToken = &lead.Error{Kind: lead.Unauthorized, Message: "Send a valid token with the header Authorization: Bearer TOKEN."}

	// TokenOverHTTP refuses a token that anyone on the way could read. It does not say whether the token is valid.
	TokenOverHTTP = &lead.Error{Kind: lead.Forbidden, Message: "Tokens are read over https or on the machine itself: set base-url to the https address of this service and trusted-proxies to the proxy that serves it, or console-addr to a listener in a network of your own. " +
		"This one was sent in clear: revoke it if the network between is not yours."}

	// ReadOnly refuses a change with a token that may only read.
	ReadOnly = &lead.Error{Kind: lead.Forbidden, Message: "This token may only read. Use one that was added with --write."}

	// NoPersonalData refuses what only a token with personal data may do.
	NoPersonalData = &lead.Error{Kind: lead.Forbidden, Message: "This token may not see personal data, or decide who receives it. Use one that was added with --personal-data."}

	// NoSuchOperation answers an address that has no operation.
	NoSuchOperation = &lead.Error{Kind: lead.NotFound, Message: "There is nothing at this address. /v1/operator/openapi.json lists what there is."}

	// StillChanging answers an idempotency key whose change is not finished.
	StillChanging = &lead.Error{Kind: lead.Conflict, Message: "The request with this Idempotency-Key was carried out, and its answer is not known: it is still being carried out, or the service stopped right after it. " +
		"Try again in a few seconds. If this stays, read what became of it, and do not send it with another key."}
)

// TooManyTokens refuses an address from which too many wrong tokens came.
func TooManyTokens(a lead.Allowance) *lead.Error {
	return overLimit(a, "Too many wrong tokens came from this address. Try again in "+durationText(a.Retry)+".")
}

// NotChanged says that the store cannot be read or written.
func NotChanged(cause error) *lead.Error {
	return unavailable(cause, "The database does not answer, so nothing was changed. Try again in a moment; with an Idempotency-Key that is always safe.")
}

// The errors of signing in that are always the same.
var (
	// WrongPassword refuses to sign someone in. It is the same for an unknown name and for a passkey, so that it does not reveal which exist.
	WrongPassword = &lead.Error{Kind: lead.Refused, Message: "The name, the password or the passkey is wrong. Try again; if you forgot the password, ask for a new link."}

	// ManySignIns refuses to look at a password, because many wait for that already.
	ManySignIns = &lead.Error{Kind: lead.Unavailable, Retry: 5 * time.Second, Message: "Many people sign in at the moment, or a program tries passwords. Try again in a few seconds."}

	// LinkUsed refuses a link that sets a password. It is the same for a link that never existed.
	LinkUsed = &lead.Error{Kind: lead.Conflict, Message: "This link was used or is too old: each works once, within 30 minutes. Sign in, or make another with foyer operators link."}
)
