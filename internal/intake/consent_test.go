package intake_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
)

// A lead points at the exact words that were agreed to, and at none where nobody agreed.
func TestConsentEvidence(t *testing.T) {
	shown, stated := brand.ConsentShown().Ref(), brand.ConsentStated().Ref()
	token := lead.NewFormToken(formKey, shown.Hash, "page1", noon.Add(-time.Minute))
	for _, tc := range []struct {
		name    string
		service string
		agreed  bool
		door    lead.Door
		hash    string
		want    lead.ConsentRef
	}{
		{"our own form showed its text", "hvac", true, lead.DoorForm, shown.Hash, shown},
		{"somebody else's form shows what we do not know", "hvac", true, lead.DoorForm, "0123abcd", stated},
		{"a form that names no text", "hvac", true, lead.DoorForm, "", stated},
		{"a program states it", "hvac", true, lead.DoorJSON, "", stated},
		{"a program cannot claim that our form was shown", "hvac", true, lead.DoorJSON, shown.Hash, stated},
		{"an assistant states it", "hvac", true, lead.DoorMCP, "", stated},
		{"plumbing with consent", "plumbing", true, lead.DoorForm, shown.Hash, shown},
		{"plumbing without: none", "plumbing", false, lead.DoorForm, shown.Hash, lead.ConsentRef{}},
		{"plumbing without, from a program: none", "plumbing", false, lead.DoorJSON, "", lead.ConsentRef{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDesk(t)
			o := order(fields{"service_type": lead.Quoted(tc.service), "consent_to_contact": lead.Bool(tc.agreed)})
			o.Evidence.Door, o.ConsentHash, o.Evidence.FetchSite, o.FormToken = tc.door, tc.hash, "same-origin", token
			d.submit(t, o)
			if got := d.kept(t)[0].Evidence.Consent; got != tc.want {
				t.Errorf("got %+v, want %+v", got, tc.want)
			}
		})
	}
}

// Where nobody can tell which words the form showed, the request is not kept under others. It costs no lead, and the
// sender is told to send it again.
func TestWordsThatNobodyCanReadNow(t *testing.T) {
	d := limited(t)
	read := d.Wording
	d.Wording = func(context.Context, string) (lead.ConsentText, bool, error) {
		return lead.ConsentText{}, false, &lead.Error{Kind: lead.Unavailable}
	}
	ours := func() *intake.Submission {
		o := order(nil)
		return fromOurForm(o, noon.Add(-time.Minute))
	}
	for range 5 {
		if refusal := d.refused(t, ours(), lead.Unavailable); !strings.Contains(refusal.Message, "nothing was accepted") || refusal.Retry <= 0 {
			t.Errorf("got %+v", refusal)
		}
	}
	d.mustKeep(t, 0)
	d.submit(t, order(nil)) // whoever states consent needs no words of ours
	d.Wording = read
	d.submit(t, ours())
	if got := d.kept(t)[0].Evidence.Consent; got != brand.ConsentShown().Ref() {
		t.Errorf("kept as %+v", got)
	}
}
