package console

import (
	"cmp"
	"net/netip"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/store"
)

// Caller is who sends a request: a program with a token, or a person who is signed in.
type Caller struct {
	Actor        audit.Actor // how the audit trail names it
	Write        bool        // it may change things
	PersonalData bool        // it may see who sent a lead, and decide who else does
	Address      netip.Addr  // where it is: the audit trail tells
	token        store.Token // of a program
}

func program(t store.Token, address netip.Addr) Caller {
	return Caller{Address: address, Actor: audit.Token(t.ID), Write: t.Scope == store.TokenWrite, PersonalData: t.PersonalData, token: t}
}

// id tells the idempotency keys of callers apart.
func (t Caller) id() string { return cmp.Or(t.token.ID, string(t.Actor)) }

// allow refuses what the token may not do.
func (t Caller) allow(write, personal bool) error {
	switch {
	case write && !t.Write:
		return catalog.ReadOnly
	case personal && !t.PersonalData:
		return catalog.NoPersonalData
	}
	return nil
}
