package intake

import (
	"context"
	"time"

	"foyer/internal/lead"
)

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
		return s.Stated, nil
	}
	shown, found, err := s.ConsentLookup(ctx, sub.ConsentHash)
	if err != nil || !found {
		return s.Stated, err
	}
	return shown.Ref(), nil
}
