package audit

import (
	"strings"

	"foyer/internal/lead"
)

// Actor is who makes a change: System, Person, or a kind and a name such as cli:ada.
type Actor string

const (
	// System is the service itself: forwarding and background jobs.
	System Actor = "system"
	// Person is a visitor of the public privacy page. Nothing says who it is.
	Person Actor = "person"
)

const (
	cliPrefix   = "cli:"
	buyerPrefix = "buyer:"
)

// Buyer is a buyer that reports something by a signed message.
func Buyer(id string) Actor { return Actor(buyerPrefix + clean(id)) }

// CLI is a user of the machine who types a command.
func CLI(user string) Actor { return Actor(cliPrefix + clean(user)) }

// Role is how the history of a lead names the actor. Only an operator may move a lead back.
func (a Actor) Role() string {
	if strings.HasPrefix(string(a), cliPrefix) {
		return lead.ByOperator
	}
	return lead.ByService
}

// maxName bounds the name of an actor. User names are shorter.
const maxName = 64

// clean keeps the characters of user names and ids, of Windows domains too, and replaces all others. A name from the
// environment may hold anything.
func clean(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune(`._-@\`, r):
			return r
		}
		return '_'
	}, strings.TrimSpace(name))
	if name == "" {
		return "unknown"
	}
	return name[:min(len(name), maxName)]
}
