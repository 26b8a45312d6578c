package intake

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// inspect writes down what the token of a form proves, and says whether a program seems to have filled the form in: it was
// posted faster than a person can, or a field is filled in that people do not see.
func (r *Service) inspect(o *Submission, now time.Time) (automated bool) {
	if o.Evidence.Door != lead.DoorForm {
		return false
	}
	proof := lead.CheckFormToken(r.FormTokenKey, o.FormToken, o.ConsentHash, now)
	o.Evidence.FormToken, o.Evidence.SecondsOnPage, o.Evidence.PageVersion = proof.Verdict, proof.Seconds, proof.PageVersion
	return o.Honeypot != "" || proof.Verdict == lead.TokenTooFast
}

// consentTo names the exact words that were agreed to: those our own form showed, or else those a sender states. Our form
// was served where its token is valid, and posted from our origin where the browser says so (docs/decisions/0028).
func (r *Service) consentTo(ctx context.Context, o *Submission, req *lead.Request) (lead.ConsentRef, error) {
	switch {
	case !req.Consent:
		return lead.ConsentRef{}, nil
	case o.Evidence.FormToken != lead.TokenValid || !o.Evidence.OwnOrigin(r.Brand.Origin()):
		return r.Stated, nil
	}
	shown, found, err := r.Wording(ctx, o.ConsentHash)
	if err != nil || !found {
		return r.Stated, err
	}
	return shown.Ref(), nil
}
