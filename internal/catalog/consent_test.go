package catalog_test

import (
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// consentHashes are the hashes of all texts ever shown, for the brand of these tests.
var consentHashes = map[string]string{
	"shown-2026-11":  "a31af9bb8040eaa6aadbea10483ef7ceb1d1151ea30d2762c2492d181c68d63b",
	"stated-2026-11": "bd9fed21e65c34a69d8d2201cd53156ecb45063f780d57331e2feb41615155bf",
}

// Leads refer to the consent text by version and hash, so any change to it must be a new version.
func TestChangedConsentIsANewVersion(t *testing.T) {
	for _, c := range []lead.ConsentText{brand.ConsentShown(), brand.ConsentStated()} {
		if got := c.Ref().Hash; got != consentHashes[c.Version] {
			t.Errorf("the words of %s are not those written down: give them a new version, and write down %s", c.Version, got)
		}
	}
}

func TestConsentTexts(t *testing.T) {
	shown, stated := brand.ConsentShown(), brand.ConsentStated()
	if shown.Version == stated.Version || shown.Ref().Hash == stated.Ref().Hash {
		t.Error("the two texts are the same")
	}
	for _, c := range []lead.ConsentText{shown, stated} {
		for _, must := range []string{brand.Name, brand.Contact, "call or text", "phone number", "any time"} {
			if !strings.Contains(c.Text, must) {
				t.Errorf("%s does not say %q", c.Version, must)
			}
		}
	}
}

// Origin returns the origin as browsers write it.
func TestOrigin(t *testing.T) {
	for base, want := range map[string]string{
		"https://foyer.example.com": "https://foyer.example.com", "https://Foyer.Example.com/home": "https://foyer.example.com",
		"https://foyer.example.com:443": "https://foyer.example.com", "http://foyer.example.com:80/x": "http://foyer.example.com",
		"http://localhost:8080": "http://localhost:8080", "https://foyer.example.com:80": "https://foyer.example.com:80", "http://[::1]:8080": "http://[::1]:8080", "": "",
	} {
		if got := (catalog.Brand{BaseURL: base}).Origin(); got != want {
			t.Errorf("%q: %q, want %q", base, got, want)
		}
	}
}
