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

// PrivacyInput is a privacy request as a person typed it.
type PrivacyInput struct {
	Kind, Phone, LeadID string
	Client              netip.Addr
	Evidence            lead.Evidence
}

// KeptPrivacyRequest is a privacy request that was saved.
type KeptPrivacyRequest struct {
	lead.PrivacyRequest
	Status lead.Status // of the lead that the request names, as a look-up reports it
}

// RequestPrivacy saves a privacy request for the operator. If it names a lead by both id and phone number, and no buyer has
// the contact yet, that lead is closed immediately: only the person, or someone they trust, has both. The answer never says
// whether the two match, because that would turn the page into a way to find out phone numbers. A look-up does not say it
// either, see docs/decisions/0031.
func (s *Service) RequestPrivacy(ctx context.Context, in PrivacyInput) (KeptPrivacyRequest, error) {
	kept, refusal := s.parsePrivacy(ctx, in)
	if err := s.charge(ctx, in.Client, bucketFor(refusal == nil), 1, s.Brand.TooManyPrivacyRequests); err != nil {
		return KeptPrivacyRequest{}, err
	}
	if refusal != nil {
		return KeptPrivacyRequest{}, refusal
	}
	err := s.Privacy.SavePrivacyRequest(ctx, kept.PrivacyRequest, catalog.PrivacyReason(kept.Kind))
	if err == nil {
		return kept, nil
	}
	var limitErr *lead.Error
	if errors.As(err, &limitErr) && limitErr.Kind == lead.RateLimited { // not refunded: each guess at a phone number costs one charge
		return KeptPrivacyRequest{}, s.Brand.NamedTooOften(limitErr.Retry)
	}
	if err := s.refund(ctx, in.Client); err != nil {
		return KeptPrivacyRequest{}, err
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = s.Brand.PrivacyRequestNotSaved(err)
	}
	return KeptPrivacyRequest{}, err
}

// parsePrivacy parses a privacy request, or returns all its problems at once.
func (s *Service) parsePrivacy(ctx context.Context, in PrivacyInput) (KeptPrivacyRequest, error) {
	now := s.Now()
	kept := KeptPrivacyRequest{PrivacyRequest: lead.PrivacyRequest{
		ID: s.NewID("wish_", now), At: now, Kind: lead.PrivacyKind(strings.TrimSpace(in.Kind)), LeadID: reference(in.LeadID), State: lead.PrivacyOpen,
		Evidence: in.Evidence,
	}}
	var problems []lead.Problem
	if !slices.Contains(lead.PrivacyKinds, kept.Kind) {
		problems = append(problems, catalog.MissingPrivacyKind)
	}
	var valid bool
	if kept.Phone, valid = lead.Phone(in.Phone); !valid {
		problems = append(problems, catalog.InvalidPrivacyPhone)
	}
	known, status, err := s.checkReference(ctx, in.Client, kept.LeadID)
	if err != nil {
		return kept, err
	}
	if !known {
		problems = append(problems, catalog.UnknownPrivacyReference)
	}
	if len(problems) > 0 {
		return kept, lead.InvalidFields(problems)
	}
	kept.Status = status
	return kept, nil
}

// reference extracts the lead id from what a person pasted: the id itself, or the URL of its status page.
func reference(text string) string {
	text = strings.TrimSpace(text)
	id := strings.TrimRight(text, "/")
	if id == "" {
		return text
	}
	return id[strings.LastIndexByte(id, '/')+1:]
}

// checkReference reports whether id is one of our leads or empty, and the status that a look-up would report. A client that keeps
// guessing is rate limited.
func (s *Service) checkReference(ctx context.Context, client netip.Addr, id string) (known bool, status lead.Status, err error) {
	if id == "" || !lead.MayBeID(id) {
		return id == "", "", nil
	}
	answer, err := s.LookUp(ctx, client, id)
	if lead.KindOf(err) == lead.NotFound {
		return false, "", nil
	}
	return err == nil, answer.Status, err
}
