package intake_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/source"
)

const partnerWords = "Partner Example and its contractors may call or text me about this request."

// Nobody is refused for a key, and every key leaves its trace.
func TestSources(t *testing.T) {
	sources := map[string]*source.Source{
		"src_1":       {Key: "src_1", State: source.Active},
		"src_words":   {Key: "src_words", State: source.Active, Terms: source.Terms{Consent: partnerWords}},
		"src_site":    {Key: "src_site", State: source.Active, Terms: source.Terms{Origins: []string{"https://partner.example.com"}}},
		"src_blocked": {Key: "src_blocked", State: source.Blocked, Terms: source.Terms{Consent: partnerWords}},
		"src_held":    {Key: "src_held", State: source.Blocked, Terms: source.Terms{Hold: true}},
	}
	stated, partnerStated := brand.ConsentStated().Ref().Version, sources["src_words"].ConsentStated().Version
	for _, c := range []struct {
		name, key, origin string
		source            string
		marks             []lead.Mark
		given, consent    string
		status            lead.Status
	}{
		{"none", "", "", "", nil, "", stated, lead.Received},
		{"a partner", "src_1", "", "src_1", nil, "", stated, lead.Received},
		{"a partner with words of its own", "src_words", "", "src_words", nil, "", partnerStated, lead.Received},
		{"the partner's website", "src_site", "https://partner.example.com", "src_site", nil, "", stated, lead.Received},
		{"another website", "src_site", "https://other.example.com", "", []lead.Mark{lead.SourceBlocked}, "src_site", stated, lead.Received},
		{"unknown", "src_2", "", "", []lead.Mark{lead.SourceUnknown}, "src_2", stated, lead.Received},
		{"anything", "Pat Example, 305-555-0123", "", "", []lead.Mark{lead.SourceUnknown}, "", stated, lead.Received},
		{"blocked", "src_blocked", "", "", []lead.Mark{lead.SourceBlocked}, "src_blocked", stated, lead.Received},
		{"held", "src_held", "", "", []lead.Mark{lead.SourceHeld}, "src_held", stated, lead.Collected},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			f.sources, f.Covers = sources, func(lead.Service, string, string) bool { return true }
			sub := submission(nil)
			sub.Attribution.Key, sub.Evidence.Origin = c.key, c.origin
			f.submit(t, sub)
			got := f.kept(t)[0]
			if got.Source != c.source || !slices.Equal(got.Marks, c.marks) || got.Evidence.SourceKey != c.given || got.Evidence.Consent.Version != c.consent || got.Status != c.status {
				t.Errorf("kept as %+v", got)
			}
		})
	}
}

// What a sender did not show, it does not state.
func TestSourceConsentStated(t *testing.T) {
	partner := &source.Source{Key: "src_words", State: source.Active, Terms: source.Terms{Consent: partnerWords}}
	for name, c := range map[string]struct {
		change func(*intake.Submission)
		want   lead.ConsentRef
	}{
		"a program of the partner": {func(*intake.Submission) {}, partner.ConsentStated().Ref()},
		"a form of the partner":    {func(sub *intake.Submission) { sub.Evidence.Channel = lead.ChannelForm }, partner.ConsentStated().Ref()},
		"an assistant":             {func(sub *intake.Submission) { sub.Evidence.Channel = lead.ChannelMCP }, brand.ConsentStated().Ref()},
		"our form, too fast":       {func(sub *intake.Submission) { formSubmission(sub, noon) }, brand.ConsentStated().Ref()},
	} {
		f := newFixture(t)
		f.sources = map[string]*source.Source{"src_words": partner}
		sub := submission(nil)
		sub.Attribution.Key = "src_words"
		c.change(sub)
		f.submit(t, sub)
		if got := f.kept(t)[0]; got.Evidence.Consent != c.want || got.Source != "src_words" {
			t.Errorf("%s: kept %+v", name, got)
		}
	}
}

// The form shows the words of a source, and its token proves that it did.
func TestSourceConsentShown(t *testing.T) {
	f := newFixture(t)
	partner := &source.Source{Key: "src_words", State: source.Active, Terms: source.Terms{Consent: partnerWords}}
	f.sources = map[string]*source.Source{"src_words": partner}
	shown := f.ConsentShown("src_words")
	if shown.Text != partnerWords || !strings.HasPrefix(shown.Version, "shown-partner-") {
		t.Fatalf("shown: %+v", shown)
	}
	if err := f.store.KeepConsentTexts(t.Context(), noon, shown); err != nil {
		t.Fatal(err)
	}
	sub := formSubmission(submission(nil), noon)
	sub.Attribution.Key, sub.ConsentHash = "src_words", shown.Ref().Hash
	sub.FormToken = lead.NewFormToken(formKey, sub.ConsentHash, "page1", noon.Add(-time.Minute))
	f.submit(t, sub)
	if got := f.kept(t)[0].Evidence.Consent; got != shown.Ref() {
		t.Errorf("kept %+v, want %+v", got, shown.Ref())
	}
	early := formSubmission(submission(nil), noon)
	early.Attribution.Key, early.ConsentHash = "src_words", shown.Ref().Hash
	early.FormToken = lead.NewFormToken(formKey, early.ConsentHash, "page1", noon) // too fast: it proves nothing, but the words are the same
	f.submit(t, early)
	if got := f.kept(t)[0].Evidence.Consent; got != partner.ConsentStated().Ref() {
		t.Errorf("a form that was sent at once: kept %+v, want %+v", got, partner.ConsentStated().Ref())
	}
	partner.State = source.Blocked
	if got := f.ConsentShown("src_words"); got != brand.ConsentShown() {
		t.Errorf("a blocked source shows %+v", got)
	}
	if got := f.ConsentShown("src_unknown"); got != brand.ConsentShown() {
		t.Errorf("an unknown source shows %+v", got)
	}
}

// Click ids are part of the contact; the names of campaigns are part of the evidence. Neither is part of the request that an idempotency
// key is bound to.
func TestAttributionIsKept(t *testing.T) {
	f := newFixture(t)
	from := lead.Attribution{Campaign: lead.Campaign{Source: "google", Name: "spring"}, ClickIDs: lead.ClickIDs{Google: "G1", Facebook: "F1"}}
	send := func(change func(*intake.Submission)) lead.Receipt {
		sub := submission(nil)
		sub.Attribution, sub.Keys = from, []string{"key"}
		change(sub)
		return f.submit(t, sub)
	}
	first := send(func(*intake.Submission) {})
	got := f.kept(t)[0]
	if got.Evidence.Campaign != from.Campaign || got.Request.Contact.ClickIDs != from.ClickIDs {
		t.Errorf("kept %+v %+v", got.Evidence, got.Request.Contact)
	}
	if again := send(func(sub *intake.Submission) { sub.Attribution = lead.Attribution{} }); again.LeadID != first.LeadID {
		t.Errorf("the same request from another address is another lead: %+v", again)
	}
	call := plumbing(nil)
	call.Attribution = from
	f.submit(t, call)
	if got := f.kept(t)[0]; got.Request.Contact != (lead.Contact{}) || got.Evidence.Campaign != from.Campaign {
		t.Errorf("of a person who only wants a number, kept %+v %+v", got.Evidence, got.Request.Contact)
	}
}
