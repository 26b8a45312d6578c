package intake_test

import (
	"slices"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
)

var formKey = []byte("0123456789abcdef0123456789abcdef")

// fromOurForm is an order as our own form sends it, when it was served at a time.
func fromOurForm(o *intake.Submission, served time.Time) *intake.Submission {
	o.Evidence.Door, o.Evidence.Origin, o.ConsentHash = lead.DoorForm, brand.BaseURL, brand.ConsentShown().Ref().Hash
	o.FormToken = lead.NewFormToken(formKey, o.ConsentHash, "page1", served)
	return o
}

// Consent counts as shown only where our own form was served and posted from our origin. Everything else is accepted all the
// same, as stated.
func TestWhatShownNeeds(t *testing.T) {
	for _, x := range []struct {
		name    string
		change  func(*intake.Submission)
		shown   bool
		verdict lead.TokenVerdict
		seconds int
	}{
		{"our form", func(*intake.Submission) {}, true, "valid", 60},
		{"a browser that sends no Origin", func(o *intake.Submission) { o.Evidence.Origin, o.Evidence.FetchSite = "", "same-origin" }, true, "valid", 60},
		{"another website", func(o *intake.Submission) {
			o.Evidence.Origin, o.Evidence.FetchSite = "https://evil.example", "cross-site"
		}, false, "valid", 60},
		{"a program that says nothing", func(o *intake.Submission) { o.Evidence.Origin = "" }, false, "valid", 60},
		{"the public hash without a token", func(o *intake.Submission) { o.FormToken = "" }, false, "missing", 0},
		{"a made-up token", func(o *intake.Submission) { o.FormToken = "a.b.c" }, false, "wrong", 0},
		{"the token of other words", func(o *intake.Submission) { o.FormToken = lead.NewFormToken(formKey, "other", "page1", noon) }, false, "wrong", 0},
		{"other words than the token's", func(o *intake.Submission) { o.ConsentHash = brand.ConsentStated().Ref().Hash }, false, "wrong", 0},
		{"words that nobody knows", func(o *intake.Submission) {
			o.ConsentHash = "0123abcd"
			o.FormToken = lead.NewFormToken(formKey, o.ConsentHash, "page1", noon.Add(-time.Minute))
		}, false, "valid", 60},
		{"a day later", func(o *intake.Submission) { fromOurForm(o, noon.Add(-25*time.Hour)) }, false, "expired", 90000},
		{"at once", func(o *intake.Submission) { fromOurForm(o, noon.Add(-time.Second)) }, false, "too_fast", 1},
	} {
		t.Run(x.name, func(t *testing.T) {
			d := newDesk(t)
			o := fromOurForm(order(nil), noon.Add(-time.Minute))
			x.change(o)
			d.submit(t, o)
			got, want := d.kept(t)[0].Evidence, brand.ConsentStated().Ref()
			if x.shown {
				want = brand.ConsentShown().Ref()
			}
			if got.Consent != want || got.FormToken != x.verdict || got.SecondsOnPage != x.seconds || (got.PageVersion == "page1") != x.verdict.Genuine() {
				t.Errorf("kept %+v", got)
			}
		})
	}
}

// What a program seems to have filled in is accepted and marked; it is held only where the operator wants that.
func TestAutomatedForms(t *testing.T) {
	for _, x := range []struct {
		name   string
		change func(*intake.Submission)
		marked bool
	}{
		{"a person", func(*intake.Submission) {}, false},
		{"a field that people do not see", func(o *intake.Submission) { o.Honeypot = "https://example.com" }, true},
		{"faster than a person", func(o *intake.Submission) { fromOurForm(o, noon) }, true},
		{"somebody else's form", func(o *intake.Submission) { o.FormToken = "" }, false},
		{"a program, which is no form", func(o *intake.Submission) { o.Evidence.Door, o.Honeypot = lead.DoorJSON, "x" }, false},
	} {
		for _, hold := range []bool{false, true} {
			t.Run(x.name, func(t *testing.T) {
				d := newDesk(t)
				d.HoldAutomated, d.Covers = hold, func(lead.Service, string) bool { return true }
				o := fromOurForm(order(nil), noon.Add(-time.Minute))
				x.change(o)
				want := lead.Received
				if hold && x.marked {
					want = lead.Collected
				}
				if receipt := d.submit(t, o); receipt.Status != want {
					t.Errorf("hold %t: answered %s", hold, receipt.Status)
				}
				if l := d.kept(t)[0]; l.Status != want || slices.Contains(l.Marks, lead.Automated) != x.marked {
					t.Errorf("hold %t: kept as %s with %v", hold, l.Status, l.Marks)
				}
			})
		}
	}
}
