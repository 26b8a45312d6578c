package catalog

import (
	"strings"
	"time"

	"foyer/internal/lead"
)

// ConsentTextField is the field of our own form that carries the hash of the consent text it showed.
const ConsentTextField = "consent_text"

// Fields of our own form that are not documented for programs: its token, and the honeypot, which people do not see and
// so leave empty.
const (
	FormTokenField = "form_token"
	HoneypotField  = "your_website"
)

// consentVersion identifies the text below. Any change to the text is a new version.
const consentVersion = "2026-11"

// ConsentShown is the text next to the checkbox of our own form: the operator's, or ours.
func (b Brand) ConsentShown() lead.ConsentText {
	if b.Consent != "" {
		return lead.ConsentText{Version: "shown-own", Text: b.Consent}
	}
	return lead.ConsentText{Version: "shown-" + consentVersion, Text: "I agree that " + b.Name + " and an independent contractor or contractor network that receives this request " +
		"may call or text me about it, at the phone number I gave. " +
		"I do not have to agree in order to buy anything, and I can take my agreement back at any time by writing to " + b.Contact + ". " +
		"Message and data rates may apply."}
}

// ConsentStated is what a program states by sending consent_to_contact true.
func (b Brand) ConsentStated() lead.ConsentText {
	return lead.ConsentText{Version: "stated-" + consentVersion, Text: "The sender states that the person was asked, and explicitly agreed, that " + b.Name +
		" and an independent contractor or contractor network that receives this request may call or text them about it, at the phone number given. " +
		"The person was told that they can take this back at any time by writing to " + b.Contact + "."}
}

// ConsentPath is the permanent address of our own form's consent text.
func (b Brand) ConsentPath() string { return "/consent/" + b.ConsentShown().Ref().Hash }

// ConsentPage shows the exact consent text behind a hash. A text that came into use after this process started belongs
// to another process that is about to replace it: this process cannot tell whether that text is still in use.
func (b Brand) ConsentPage(t lead.ConsentText, began time.Time) Page {
	hash := t.Ref().Hash
	about := "These are the words next to the consent box on the request form of " + b.Name + "."
	ofSource := strings.HasPrefix(t.Version, "shown-"+lead.PartnerWording)
	switch {
	case strings.HasPrefix(t.Version, "stated-"):
		about = "A program or assistant that sends a request with consent to " + b.Name + " states these words."
	case ofSource:
		about = "These are the words next to the consent box on the request form of " + b.Name + " for people who follow a partner's link, or that this partner states it showed them."
	}
	used := "First used on " + t.FirstUsed.UTC().Format("January 2, 2006") + " (UTC)."
	switch {
	case ofSource: // the operator can change them at any time, and this page is kept
	case hash == b.ConsentShown().Ref().Hash || hash == b.ConsentStated().Ref().Hash:
		used += " They are in use today."
	case !t.FirstUsed.After(began):
		used += " They are no longer in use, but stay here for the people who agreed to them."
	}
	return Page{
		Path: "/consent/" + hash, Title: "Consent wording " + hash[:8] + " - " + b.Name,
		Description: "The exact words that people agreed to, by their hash.",
		Heading:     "Consent wording",
		Opening:     []string{about, used},
		Sections: []Section{
			{Heading: "The exact words", Text: []string{t.Text}},
			{
				Heading: "How to identify them",
				Text:    []string{"Each request records the SHA-256 hash of the words it was sent under. Change a single word, and the hash is different."},
				Items:   []string{"Version: " + t.Version, "Hash: " + hash},
				Links:   []Link{{toPrivacy, b.URL("/privacy")}},
			},
		},
	}
}

// NoConsentTextNow answers a hash that cannot be looked up at the moment.
func NoConsentTextNow(cause error) *lead.Error {
	return unavailable(cause, "The consent wording couldn't be looked up right now. Please try again in a moment.")
}
