package catalog_test

import (
	"testing"

	"foyer/internal/catalog"
)

var brand = catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: "https://foyer.example.com", Number: catalog.DefaultNumber}

func TestNumberDisplay(t *testing.T) {
	for number, want := range map[string]string{
		"+18005550199":  "(800) 555-0199",
		"+13055550123":  "(305) 555-0123",
		"+442079460123": "+442079460123",
		"+1305555012":   "+1305555012",
	} {
		b := catalog.Brand{Number: number}
		if got := b.NumberDisplay(); got != want {
			t.Errorf("%s is shown as %q, want %q", number, got, want)
		}
		if got := b.TelLink(); got != "tel:"+number {
			t.Errorf("%s is linked as %q", number, got)
		}
	}
}

func TestURL(t *testing.T) {
	if got := brand.URL("/plumbing"); got != "https://foyer.example.com/plumbing" {
		t.Errorf("got %s", got)
	}
}

func TestContact(t *testing.T) {
	for contact, want := range map[string]struct{ link, page, email string }{
		"hello@example.com":                   {"mailto:hello@example.com", "", "hello@example.com"},
		"a?b@example.com":                     {"mailto:a%3Fb@example.com", "", "a?b@example.com"},
		"https://example.com/contact":         {"https://example.com/contact", "https://example.com/contact", ""},
		"http://example.com/@us":              {"http://example.com/@us", "http://example.com/@us", ""},
		"(305) 555-0123":                      {"https://foyer.example.com/privacy", "", ""},
		"hello@example.com or (305) 555-0123": {"https://foyer.example.com/privacy", "", ""},
		"@example":                            {"https://foyer.example.com/privacy", "", ""},
		"one@example.com,two@example.com":     {"https://foyer.example.com/privacy", "", ""},
	} {
		b := catalog.Brand{Contact: contact, BaseURL: "https://foyer.example.com"}
		if b.ContactURL() != want.link || b.ContactPage() != want.page || b.ContactEmail() != want.email {
			t.Errorf("%s: got %q, %q and %q, want %q", contact, b.ContactURL(), b.ContactPage(), b.ContactEmail(), want)
		}
	}
}
