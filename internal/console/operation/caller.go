package operation

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
	Token        store.Token // of a program
}

// Program is the caller with a token.
func Program(t store.Token, address netip.Addr) Caller {
	return Caller{Address: address, Actor: audit.Token(t.ID), Write: t.Scope == store.TokenWrite, PersonalData: t.PersonalData, Token: t}
}

// ID tells the idempotency keys of callers apart.
func (t Caller) ID() string { return cmp.Or(t.Token.ID, string(t.Actor)) }

// Allow refuses what the token may not do.
func (t Caller) Allow(write, personal bool) error {
	switch {
	case write && !t.Write:
		return catalog.ReadOnly
	case personal && !t.PersonalData:
		return catalog.NoPersonalData
	}
	return nil
}
