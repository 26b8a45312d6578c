package catalog

import "foyer/internal/lead"

// The errors of signing in that are always the same.
var (
	// WrongPassword refuses to sign someone in. It is the same for an unknown name and for a passkey, so that it does not reveal which exist.
	WrongPassword = &lead.Error{Kind: lead.Refused, Message: "The name, the password or the passkey is wrong. Try again; if you forgot the password, ask for a new link."}

	// LinkUsed refuses a link that sets a password. It is the same for a link that never existed.
	LinkUsed = &lead.Error{Kind: lead.Conflict, Message: "This link was used or is too old: each works once, within 30 minutes. Sign in, or make another with foyer operators link."}
)
