package browser

import (
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
)

// TestFormByKeyboard fills in the form without a mouse, and sends it.
func TestFormByKeyboard(t *testing.T) {
	for name, mode := range scripts {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			b := s.open(t, laptop, mode)
			b.visit("/", 200)
			b.fillIn(aPhone)
			time.Sleep(lead.FormTokenMinAge)
			b.send()
			b.wantThanks()
			b.wantLead()
			b.wantShown()
		})
	}
}

// wantShown wants the consent to count as given on our own form, and the person not to count as a program.
func (b *tab) wantShown() {
	b.t.Helper()
	l := b.Leads()[0]
	if e := l.Evidence; e.Consent != b.brand.ConsentShown().Ref() || e.FormToken != lead.TokenValid || e.SecondsOnPage < 2 || e.PageVersion == "" {
		b.t.Errorf("kept as %+v", e)
	}
	if slices.Contains(l.Marks, lead.Automated) {
		b.t.Errorf("a person is marked %v", l.Marks)
	}
}

// wantThanks waits for the page after a request.
func (b *tab) wantThanks() {
	b.t.Helper()
	heading := b.brand.ThanksPage().Heading
	b.until(heading, func() bool { return b.shows(heading) })
}

// wantLead wants one lead to be stored, with everything that was typed.
func (b *tab) wantLead() {
	b.t.Helper()
	kept := b.Leads()
	if len(kept) != 1 {
		b.t.Fatalf("%d leads are kept, want 1", len(kept))
	}
	want := lead.Contact{Name: aName, Phone: "+13055550123", Notes: aNote}
	if got := kept[0].Request; got.Service != lead.HVAC || got.ZIP != aZIP || !got.Consent || got.Contact != want {
		b.t.Errorf("kept is %+v", got)
	}
}

// TestConsentStartsUnchecked wants an empty checkbox, and everything that it means in its accessible description.
func TestConsentStartsUnchecked(t *testing.T) {
	s := serve(t)
	b := s.open(t, phone)
	b.visit("/", 200)
	boxes := 0
	for _, n := range b.tree() {
		if !isConsent(n) {
			continue
		}
		boxes++
		if got := n.property("checked"); got != "false" {
			t.Errorf("the box is checked: %q", got)
		}
		if said := n.Name.String() + " " + n.Description.String(); !strings.Contains(said, s.brand.ConsentShown().Text) {
			t.Errorf("beside the box stands only: %s", said)
		}
	}
	if boxes != 1 {
		t.Errorf("there are %d boxes to check, want the consent alone", boxes)
	}
	if far := b.distance("[type=checkbox]", s.brand.ConsentShown().Text); far < 0 || far > maxDistance {
		t.Errorf("the words stand %v px away from the box", far)
	}
}
