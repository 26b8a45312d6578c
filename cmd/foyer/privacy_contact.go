package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/terminal"
	"foyer/internal/wire"
)

// contact says which buyers have seen the contact of a lead.
type contact struct {
	seen   buyer.Seen
	buyers []string // names of those that have, or else of those that may have
}

// readContact determines which buyers have seen the contact of a lead.
func readContact(ctx context.Context, reader *store.Reader, leadID string) (contact, error) {
	offers, err := reader.Offered(ctx, leadID)
	attempts, attemptsErr := reader.Attempts(ctx, leadID)
	c := contact{seen: buyer.NotSeen}
	for _, o := range offers {
		name := cmp.Or(terminal.OneLine(o.BuyerName), o.Buyer)
		switch seen := operator.Saw(o.Offer, attempts); {
		case seen == buyer.NotSeen, seen == buyer.MaybeSeen && c.seen == buyer.HasSeen:
		case seen != c.seen:
			c = contact{seen, []string{name}}
		case !slices.Contains(c.buyers, name):
			c.buyers = append(c.buyers, name)
		}
	}
	return c, errors.Join(err, attemptsErr)
}

// String describes the contact in one line.
func (c contact) String() string {
	switch c.seen {
	case buyer.HasSeen:
		return "a buyer has the contact: " + strings.Join(c.buyers, ", ")
	case buyer.MaybeSeen:
		return "a buyer may have the contact: " + strings.Join(c.buyers, ", ")
	}
	return "no buyer has seen the contact"
}

func (c contact) object() wire.Object {
	return wire.Object{{"seen", c.seen}, {"buyers", append([]string{}, c.buyers...)}}
}
