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
