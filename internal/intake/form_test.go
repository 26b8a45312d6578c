package intake_test

import (
	"slices"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
)

var formKey = []byte("0123456789abcdef0123456789abcdef")

// formSubmission turns a submission into one from our own form, served at the given time.
func formSubmission(sub *intake.Submission, served time.Time) *intake.Submission {
	sub.Evidence.Channel, sub.Evidence.Origin, sub.ConsentHash = lead.ChannelForm, brand.BaseURL, brand.ConsentShown().Ref().Hash
	sub.FormToken = lead.NewFormToken(formKey, sub.ConsentHash, "page1", served)
	return sub
}

// TestConsentShown checks that consent counts as shown only if our own form was served and posted from our origin. Every
// other request is accepted too, with consent as stated.
func TestConsentShown(t *testing.T) {
	for _, tc := range []struct {
		name    string
		change  func(*intake.Submission)
		shown   bool
		verdict lead.TokenVerdict
		seconds int
	}{
		{"our form", func(*intake.Submission) {}, true, "valid", 60},
		{"a browser that sends no Origin", func(sub *intake.Submission) { sub.Evidence.Origin, sub.Evidence.FetchSite = "", "same-origin" }, true, "valid", 60},
		{"another website", func(sub *intake.Submission) {
			sub.Evidence.Origin, sub.Evidence.FetchSite = "https://evil.example", "cross-site"
		}, false, "valid", 60},
		{"a program that says nothing", func(sub *intake.Submission) { sub.Evidence.Origin = "" }, false, "valid", 60},
		{"the public hash without a token", func(sub *intake.Submission) { sub.FormToken = "" }, false, "missing", 0},
		{"a made-up token", func(sub *intake.Submission) { sub.FormToken = "a.b.c" }, false, "wrong", 0},
		{"the token of other words", func(sub *intake.Submission) { sub.FormToken = lead.NewFormToken(formKey, "other", "page1", noon) }, false, "wrong", 0},
		{"other words than the token's", func(sub *intake.Submission) { sub.ConsentHash = brand.ConsentStated().Ref().Hash }, false, "wrong", 0},
		{"words that nobody knows", func(sub *intake.Submission) {
			sub.ConsentHash = "0123abcd"
			sub.FormToken = lead.NewFormToken(formKey, sub.ConsentHash, "page1", noon.Add(-time.Minute))
		}, false, "valid", 60},
		{"a day later", func(sub *intake.Submission) { formSubmission(sub, noon.Add(-25*time.Hour)) }, false, "expired", 90000},
		{"at once", func(sub *intake.Submission) { formSubmission(sub, noon.Add(-time.Second)) }, false, "too_fast", 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			sub := formSubmission(submission(nil), noon.Add(-time.Minute))
			tc.change(sub)
			f.submit(t, sub)
			got, want := f.kept(t)[0].Evidence, brand.ConsentStated().Ref()
			if tc.shown {
				want = brand.ConsentShown().Ref()
			}
			if got.Consent != want || got.FormToken != tc.verdict || got.SecondsOnPage != tc.seconds || (got.PageVersion == "page1") != tc.verdict.Genuine() {
				t.Errorf("kept %+v", got)
			}
		})
	}
}

// TestAutomatedForms checks that a form that looks automated is accepted and marked, and held only if the operator wants
// that.
func TestAutomatedForms(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change func(*intake.Submission)
		marked bool
	}{
		{"a person", func(*intake.Submission) {}, false},
		{"a field that people do not see", func(sub *intake.Submission) { sub.Honeypot = "https://example.com" }, true},
		{"faster than a person", func(sub *intake.Submission) { formSubmission(sub, noon) }, true},
		{"somebody else's form", func(sub *intake.Submission) { sub.FormToken = "" }, false},
		{"a program, which is no form", func(sub *intake.Submission) { sub.Evidence.Channel, sub.Honeypot = lead.ChannelJSON, "x" }, false},
	} {
		for _, hold := range []bool{false, true} {
			t.Run(tc.name, func(t *testing.T) {
				f := newFixture(t)
				f.HoldAutomated, f.Covers = hold, func(lead.Service, string, string) bool { return true }
				sub := formSubmission(submission(nil), noon.Add(-time.Minute))
				tc.change(sub)
				want := lead.Received
				if hold && tc.marked {
					want = lead.Collected
				}
				if receipt := f.submit(t, sub); receipt.Status != want {
					t.Errorf("hold %t: answered %s", hold, receipt.Status)
				}
				if l := f.kept(t)[0]; l.Status != want || slices.Contains(l.Marks, lead.Automated) != tc.marked {
					t.Errorf("hold %t: kept as %s with %v", hold, l.Status, l.Marks)
				}
			})
		}
	}
}
