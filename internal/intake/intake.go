// Package intake is the one pipeline behind every door (JSON, form, MCP): it accepts requests and looks them up.
//
// It contains no HTTP and no SQL. It reaches its dependencies through small interfaces. Package lead makes the decisions,
// and package catalog holds the texts.
package intake

import (
	"context"
	"errors"
	"net/netip"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/source"
)

// Store saves leads.
type Store interface {
	SaveLead(ctx context.Context, l *lead.Lead, idem *lead.Idempotency, since time.Time) (*lead.Idempotency, error)
	IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error)
	LeadSummary(ctx context.Context, id string) (lead.Lead, error)
	Suppressed(phone string) bool
}

// PrivacyRequests saves a privacy request for the operator, and closes the lead that it proves to be about, with a reason for the
// lead's history.
type PrivacyRequests interface {
	SavePrivacyRequest(ctx context.Context, r lead.PrivacyRequest, reason string) error
}

// Limiter counts what each client address does. A negative n refunds.
type Limiter interface {
	Take(ctx context.Context, client netip.Addr, b lead.Bucket, n int) (lead.Allowance, error)
}

// ConsentLookup finds any consent text that was ever in use, by its hash. It returns an error if it cannot tell.
type ConsentLookup func(ctx context.Context, hash string) (text lead.ConsentText, found bool, err error)

// Service accepts requests. Time, ids and coverage are injected, so that every decision can be reproduced.
type Service struct {
	Brand         catalog.Brand
	Store         Store
	Privacy       PrivacyRequests
	Limiter       Limiter
	Covers        func(service lead.Service, zip, phone string) bool
	Payout        func(service lead.Service, zip string) *string // a payout hint that the operator published, or nil
	Queued        func()                                         // called when a lead is queued for a buyer
	Failed        func()                                         // called when a request fails that should not; may be nil
	ConsentLookup ConsentLookup
	Sources       func(key string) *source.Source // finds a source; nil if there is none
	Stated        lead.ConsentRef                 // the consent text that senders other than our form refer to
	Now           func() time.Time
	NewID         func(prefix string, at time.Time) string

	FormTokenKey  []byte // signs the tokens of our own form; the same in every process
	HoldAutomated bool   // hold leads that look automated until the operator releases them
}

// Submission is one request as it arrived.
type Submission struct {
	Raw         *lead.Raw
	Client      netip.Addr
	Evidence    lead.Evidence
	Attribution lead.Attribution
	ConsentHash string   // hash of the consent text our own form showed, as posted with the form
	FormToken   string   // the token of our own form
	Honeypot    string   // value of the hidden field of our own form
	Keys        []string // Idempotency-Key headers: none or one

	from *source.Source // the source of the request; nil for none
}

// Submit accepts a request, and tells of a failure that is ours.
func (s *Service) Submit(ctx context.Context, sub *Submission) (lead.Receipt, error) {
	receipt, err := s.submit(ctx, sub)
	if err != nil && s.Failed != nil && ctx.Err() == nil {
		if kind := lead.KindOf(err); kind == "" || kind == lead.Unavailable {
			s.Failed()
		}
	}
	return receipt, err
}

// submit accepts a request. A dry run takes the same path and stops before the save.
func (s *Service) submit(ctx context.Context, sub *Submission) (lead.Receipt, error) {
	req, refusal := s.validate(sub)
	tooMany := func(a lead.Allowance) *lead.Error { return s.Brand.TooMany(req.Service, a) }
	if err := s.charge(ctx, sub.Client, bucketFor(refusal == nil && !req.DryRun), 1, tooMany); err != nil {
		return s.replayAnswer(ctx, sub, req, err)
	}
	if refusal != nil {
		return lead.Receipt{}, refusal
	}
	now := s.Now()
	decision := lead.Decide(req, s.Covers(req.Service, req.ZIP, req.Contact.Phone), now)
	if s.checkForm(sub, now) {
		decision = decision.Doubt(lead.Automated, s.HoldAutomated)
	}
	decision = s.attribute(sub, decision)
	receipt := s.Brand.Receipt(s.NewID(idPrefix(req), now), req, decision)
	if req.DryRun {
		return receipt, nil
	}
	if decision.Status == lead.Received {
		receipt.PayoutHint = s.Payout(req.Service, req.ZIP)
		defer s.Queued() // after the save, and before the answer is sent: it only wakes the forwarder
	}
	l := &lead.Lead{
		ID: receipt.LeadID, Status: decision.Status, Request: *req, Marks: decision.Marks,
		Evidence: sub.Evidence, CreatedAt: now, UpdatedAt: now,
	}
	if sub.from != nil {
		l.Source = sub.from.Key
	}
	return s.saveAndAnswer(ctx, sub, receipt, l)
}

// attribute finds the source of a request, and marks the request if the key that it names does not count. Where the visitor came from is
// kept as evidence.
func (s *Service) attribute(sub *Submission, d lead.Decision) lead.Decision {
	sub.Evidence.Campaign = sub.Attribution.Campaign
	given := sub.Attribution.Key
	if given == "" {
		return d
	}
	named := s.Sources(given)
	mark := source.Mark(named, sub.Evidence.Origin, sub.Evidence.OwnOrigin(s.Brand.Origin()))
	if mark == "" {
		sub.from = named
		return d
	}
	if lead.MayBeSourceKey(given) {
		sub.Evidence.SourceKey = given
	}
	if mark == lead.SourceHeld && d.Status == lead.CallToConnect {
		mark = lead.SourceBlocked // there is nothing to hold
	}
	return d.Doubt(mark, mark == lead.SourceHeld)
}

// idPrefix returns the prefix of the receipt's id. A dry run creates no lead, so its prefix differs.
func idPrefix(req *lead.Request) string {
	if req.DryRun {
		return "dry_"
	}
	return "lead_"
}

// validate parses a submission and checks its idempotency key and the suppression list.
func (s *Service) validate(sub *Submission) (*lead.Request, *lead.Error) {
	req, refusal := lead.Parse(sub.Raw)
	if !validKeys(sub.Keys) {
		refusal = refusal.Also(catalog.BadKey)
	}
	if refusal == nil && s.suppressed(req) {
		refusal = s.Brand.Suppressed()
	}
	return req, refusal
}

// validKeys reports whether there is no idempotency key, or exactly one valid key.
func validKeys(keys []string) bool {
	return len(keys) == 0 || len(keys) == 1 && lead.ValidKey(keys[0])
}

// idempotencyKey returns the sender's idempotency key, or "".
func (sub *Submission) idempotencyKey() string {
	if len(sub.Keys) == 0 {
		return ""
	}
	return sub.Keys[0]
}

// suppressed reports whether this phone number is on the suppression list. A dry run does not say: it saves nothing, and
// would let anyone find out who asked not to be contacted.
func (s *Service) suppressed(req *lead.Request) bool {
	return !req.DryRun && req.Service.NeedsConsent() && s.Store.Suppressed(req.Contact.Phone)
}

// saveAndAnswer saves the lead, and answers only after the commit. A lead that is not saved after all is not charged.
func (s *Service) saveAndAnswer(ctx context.Context, sub *Submission, receipt lead.Receipt, l *lead.Lead) (lead.Receipt, error) {
	var idem *lead.Idempotency
	if key := sub.idempotencyKey(); key != "" {
		var err error
		if idem, err = newIdempotency(key, &l.Request, receipt); err != nil {
			return lead.Receipt{}, err
		}
	}
	l.Request.Contact.ClickIDs = sub.Attribution.ClickIDs // after the key was bound: they are not part of the request
	if !l.Request.Consent {
		l.Request.Contact = lead.Contact{} // the answer is only a phone number to call, so no contact is needed
	}
	earlier, err := s.saveWithConsent(ctx, sub, l, idem)
	switch {
	case err == nil && earlier == nil:
		return receipt, nil
	case err == nil:
		return s.replay(ctx, sub, l.Request.Service, *earlier, *idem)
	}
	if lead.KindOf(err) == lead.Unavailable {
		err = s.Brand.NotKept(l.Request.Service, err)
	}
	if refundErr := s.refund(ctx, sub.Client); refundErr != nil {
		err = errors.Join(err, refundErr)
	}
	return lead.Receipt{}, err
}

// saveWithConsent saves the lead with a reference to the consent text. If that text cannot be determined, the lead is not
// saved under another one.
func (s *Service) saveWithConsent(ctx context.Context, sub *Submission, l *lead.Lead, idem *lead.Idempotency) (earlier *lead.Idempotency, err error) {
	if l.Evidence.Consent, err = s.consentRef(ctx, sub, &l.Request); err != nil {
		return nil, err
	}
	return s.Store.SaveLead(ctx, l, idem, l.CreatedAt.Add(-lead.IdempotencyWindow))
}

// checkForm records what the form token proves, and reports whether the form looks automated: posted faster than a person
// can fill it in, or with the hidden field filled in.
func (s *Service) checkForm(sub *Submission, now time.Time) (automated bool) {
	if sub.Evidence.Channel != lead.ChannelForm {
		return false
	}
	proof := lead.CheckFormToken(s.FormTokenKey, sub.FormToken, sub.ConsentHash, now)
	sub.Evidence.FormToken, sub.Evidence.SecondsOnPage, sub.Evidence.PageVersion = proof.Verdict, proof.Seconds, proof.PageVersion
	return sub.Honeypot != "" || proof.Verdict == lead.TokenTooFast
}

// consentRef returns a reference to the exact text the person agreed to: the text our own form showed, or else the text a
// sender states. A valid token proves that we served the form, and the browser's headers prove that it was posted from our
// origin (docs/decisions/0028).
func (s *Service) consentRef(ctx context.Context, sub *Submission, req *lead.Request) (lead.ConsentRef, error) {
	switch {
	case !req.Consent:
		return lead.ConsentRef{}, nil
	case sub.Evidence.FormToken != lead.TokenValid || !sub.Evidence.OwnOrigin(s.Brand.Origin()):
		return s.stated(sub), nil
	}
	shown, found, err := s.ConsentLookup(ctx, sub.ConsentHash)
	if err != nil || !found {
		return s.stated(sub), err
	}
	return shown.Ref(), nil
}

// stated is the text that a sender states. A partner whose page or program sends the request states its own words, and so does our form if
// it names them, even if its token does not prove that it showed them. Assistants are told ours.
func (s *Service) stated(sub *Submission) lead.ConsentRef {
	if sub.from == nil || sub.from.Terms.Consent == "" || sub.Evidence.Channel == lead.ChannelMCP {
		return s.Stated
	}
	if sub.FormToken == "" || sub.ConsentHash == sub.from.ConsentShown().Ref().Hash {
		return sub.from.ConsentStated().Ref()
	}
	return s.Stated
}

// ConsentShown is the text that our form shows to visitors who come with the key of a source: that of the source, or ours.
func (s *Service) ConsentShown(key string) lead.ConsentText {
	if named := s.Sources(key); named != nil && named.Terms.Consent != "" && named.Admits("", true) {
		return named.ConsentShown()
	}
	return s.Brand.ConsentShown()
}

// charge takes n from the client's bucket. If the bucket is exhausted, charge returns the error that tooMany builds.
func (s *Service) charge(ctx context.Context, client netip.Addr, b lead.Bucket, n int, tooMany func(lead.Allowance) *lead.Error) error {
	allowance, err := s.Limiter.Take(ctx, client, b, n)
	if err == nil && !allowance.Granted {
		return tooMany(allowance)
	}
	return err
}

// bucketFor returns the bucket a submission is charged to: leads if it will be saved, attempts if it is only checked or
// refused.
func bucketFor(kept bool) lead.Bucket {
	if kept {
		return lead.BucketLeads
	}
	return lead.BucketAttempts
}

// refund returns the charge for a lead that was not saved after all.
func (s *Service) refund(ctx context.Context, client netip.Addr) error {
	_, err := s.Limiter.Take(ctx, client, lead.BucketLeads, -1)
	return err
}

// ChargeReturn counts a return message from a buyer, before its sender is known.
func (s *Service) ChargeReturn(ctx context.Context, client netip.Addr) error {
	return s.charge(ctx, client, lead.BucketAttempts, 1, catalog.TooManyReturns)
}
