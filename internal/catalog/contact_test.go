package catalog_test

import (
	"testing"

	"foyer/internal/catalog"
)

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
