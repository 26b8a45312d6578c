package intake_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
)

// TestConsentEvidence checks that a lead refers to the exact text the person agreed to, and to none without consent.
func TestConsentEvidence(t *testing.T) {
	shown, stated := brand.ConsentShown().Ref(), brand.ConsentStated().Ref()
	token := lead.NewFormToken(formKey, shown.Hash, "page1", noon.Add(-time.Minute))
	for _, tc := range []struct {
		name    string
		service string
		agreed  bool
		door    lead.Channel
		hash    string
		want    lead.ConsentRef
	}{
		{"our own form showed its text", "hvac", true, lead.ChannelForm, shown.Hash, shown},
		{"somebody else's form shows what we do not know", "hvac", true, lead.ChannelForm, "0123abcd", stated},
		{"a form that names no text", "hvac", true, lead.ChannelForm, "", stated},
		{"a program states it", "hvac", true, lead.ChannelJSON, "", stated},
		{"a program cannot claim that our form was shown", "hvac", true, lead.ChannelJSON, shown.Hash, stated},
		{"an assistant states it", "hvac", true, lead.ChannelMCP, "", stated},
		{"plumbing with consent", "plumbing", true, lead.ChannelForm, shown.Hash, shown},
		{"plumbing without: none", "plumbing", false, lead.ChannelForm, shown.Hash, lead.ConsentRef{}},
		{"plumbing without, from a program: none", "plumbing", false, lead.ChannelJSON, "", lead.ConsentRef{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			sub := submission(fields{"service_type": lead.Quoted(tc.service), "consent_to_contact": lead.Bool(tc.agreed)})
			sub.Evidence.Channel, sub.ConsentHash, sub.Evidence.FetchSite, sub.FormToken = tc.door, tc.hash, "same-origin", token
			f.submit(t, sub)
			if got := f.kept(t)[0].Evidence.Consent; got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

// TestConsentTextUnavailable checks that a request is not saved under another text if the text of its form cannot be
// loaded. It costs no lead, and the sender is told to retry.
func TestConsentTextUnavailable(t *testing.T) {
	f := newLimitedFixture(t)
	wording := f.ConsentLookup
	f.ConsentLookup = func(context.Context, string) (lead.ConsentText, bool, error) {
		return lead.ConsentText{}, false, &lead.Error{Kind: lead.Unavailable}
	}
	ours := func() *intake.Submission {
		sub := submission(nil)
		return formSubmission(sub, noon.Add(-time.Minute))
	}
	for range 5 {
		if refusal := f.refused(t, ours(), lead.Unavailable); !strings.Contains(refusal.Message, "nothing was accepted") || refusal.Retry <= 0 {
			t.Errorf("got %+v", refusal)
		}
	}
	f.mustKeep(t, 0)
	f.submit(t, submission(nil)) // stated consent needs no look-up
	f.ConsentLookup = wording
	f.submit(t, ours())
	if got := f.kept(t)[0].Evidence.Consent; got != brand.ConsentShown().Ref() {
		t.Errorf("kept as %+v", got)
	}
}
