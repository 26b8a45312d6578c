package intake

import (
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// PrivacyInput is a wish as a person typed it.
type PrivacyInput struct {
	Kind, Phone, LeadID string
	Client              netip.Addr
	Evidence            lead.Evidence
}

// KeptPrivacyRequest is a wish that was kept.
type KeptPrivacyRequest struct {
	lead.PrivacyRequest
	Status lead.Status // of the request that it names, as whoever has the reference is told
}

// RequestPrivacy keeps a wish for the operator. Where it names a request by its id and its phone number, that request is closed at
// once if nobody has the contact yet: whoever has both is the person, or is trusted by them. Nobody is told whether the two
// belong together, because that would make the page a way to find out phone numbers; nor does a look-up tell, see
// docs/decisions/0031.
func (r *Service) RequestPrivacy(ctx context.Context, p PrivacyInput) (KeptPrivacyRequest, error) {
	w, refusal := r.parsePrivacy(ctx, p)
	if err := r.charge(ctx, p.Client, bucket(refusal == nil), 1, r.Brand.TooManyWishes); err != nil {
		return KeptPrivacyRequest{}, err
	}
	if refusal != nil {
		return KeptPrivacyRequest{}, refusal
	}
	err := r.Store.SavePrivacyRequest(ctx, w.PrivacyRequest, lead.Change{At: w.At, Status: lead.Rejected, Actor: lead.ByService, Reason: catalog.WishReason(w.Kind)})
	if err == nil {
		return w, nil
	}
	var told *lead.Error
	if errors.As(err, &told) && told.Kind == lead.RateLimited { // it stays charged: whoever tries out numbers pays for each
		return KeptPrivacyRequest{}, r.Brand.NamedTooOften(told.Retry)
	}
	if err := r.giveBack(ctx, p.Client); err != nil {
		return KeptPrivacyRequest{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = r.Brand.WishNotKept(err)
	}
	return KeptPrivacyRequest{}, err
}

// parsePrivacy reads a wish, or tells every problem it has at once.
func (r *Service) parsePrivacy(ctx context.Context, p PrivacyInput) (KeptPrivacyRequest, error) {
	now := r.Now()
	w := KeptPrivacyRequest{PrivacyRequest: lead.PrivacyRequest{
		ID: r.NewID("wish_", now), At: now, Kind: lead.PrivacyKind(strings.TrimSpace(p.Kind)), LeadID: reference(p.LeadID), State: lead.PrivacyOpen,
		Evidence: p.Evidence,
	}}
	var problems []lead.Problem
	if !slices.Contains(lead.PrivacyKinds, w.Kind) {
		problems = append(problems, catalog.NoWish())
	}
	var right bool
	if w.Phone, right = lead.Phone(p.Phone); !right {
		problems = append(problems, catalog.WishPhone())
	}
	known, status, err := r.ownsLead(ctx, p.Client, w.LeadID)
	if err != nil {
		return w, err
	}
	if !known {
		problems = append(problems, catalog.WishReference())
	}
	if len(problems) > 0 {
		return w, catalog.WishRefused(problems)
	}
	w.Status = status
	return w, nil
}

// reference is the id in what a person copied: itself, or the address of its status.
func reference(text string) string {
	text = strings.TrimSpace(text)
	return text[strings.LastIndexByte(text, '/')+1:]
}

// ownsLead says whether a reference is one of ours, or was left out, and what a look-up tells of it. A client that keeps
// guessing is told to slow down.
func (r *Service) ownsLead(ctx context.Context, client netip.Addr, id string) (known bool, status lead.Status, err error) {
	if id == "" || !lead.MayBeID(id) {
		return id == "", "", nil
	}
	told, err := r.LookUp(ctx, client, id)
	if lead.KindOf(err) == lead.NotFound {
		return false, "", nil
	}
	return err == nil, told.Status, err
}
