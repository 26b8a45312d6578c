package intake

import (
	"context"
	"net/netip"
	"slices"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// Plea is a wish as a person typed it.
type Plea struct {
	Kind, Phone, LeadID string
	Client              netip.Addr
}

// Ask keeps a wish for the operator. Where it names a request by its id and its phone number, that request is closed at
// once if nobody has the contact yet: whoever has both is the person, or is trusted by them. Nobody is told whether the two
// belong together, because that would make the page a way to find out phone numbers.
func (r *Reception) Ask(ctx context.Context, p Plea) (lead.Wish, error) {
	w, refusal := r.understand(ctx, p)
	if err := r.charge(ctx, p.Client, bucket(refusal == nil), 1, r.Brand.TooManyWishes); err != nil {
		return lead.Wish{}, err
	}
	if refusal != nil {
		return lead.Wish{}, refusal
	}
	err := r.Store.KeepWish(ctx, w, lead.Change{At: w.At, Status: lead.Rejected, Actor: lead.ByService, Reason: catalog.WishReason(w.Kind)})
	if err == nil {
		return w, nil
	}
	if err := r.giveBack(ctx, p.Client); err != nil {
		return lead.Wish{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = r.Brand.WishNotKept(err)
	}
	return lead.Wish{}, err
}

// understand reads a wish, or tells every problem it has at once.
func (r *Reception) understand(ctx context.Context, p Plea) (lead.Wish, error) {
	now := r.Now()
	w := lead.Wish{
		ID: r.NewID("wish_", now), At: now, Kind: lead.WishKind(strings.TrimSpace(p.Kind)), LeadID: reference(p.LeadID), State: lead.WishOpen,
	}
	var problems []lead.Problem
	if !slices.Contains(lead.WishKinds, w.Kind) {
		problems = append(problems, catalog.NoWish())
	}
	var right bool
	if w.Phone, right = lead.Phone(p.Phone); !right {
		problems = append(problems, catalog.WishPhone())
	}
	known, err := r.knows(ctx, p.Client, w.LeadID)
	if err != nil {
		return w, err
	}
	if !known {
		problems = append(problems, catalog.WishReference())
	}
	if len(problems) > 0 {
		return w, catalog.WishRefused(problems)
	}
	return w, nil
}

// reference is the id in what a person copied: itself, or the address of its status.
func reference(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '/')+1:]
}

// knows says whether a reference is one of ours, or was left out. A client that keeps guessing is told to slow down.
func (r *Reception) knows(ctx context.Context, client netip.Addr, id string) (bool, error) {
	if id == "" || !lead.MayBeID(id) {
		return id == "", nil
	}
	_, err := r.LookUp(ctx, client, id)
	if lead.KindOf(err) == lead.NotFound {
		return false, nil
	}
	return err == nil, err
}
