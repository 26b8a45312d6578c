package app_test

import (
	"strings"
	"testing"
)

// TestPlaces looks up the city of a ZIP code. An unknown ZIP code is a plain 404.
func TestPlaces(t *testing.T) {
	s := start(t)
	for zip, want := range map[string]string{
		"33139":      `{"zip_code":"33139","city":"Miami Beach","state":"FL"}`,
		"00000":      "",
		"3313":       "",
		"33139-1234": "",
		"abcde":      "",
	} {
		r := s.send(t, "GET", "/v1/places/"+zip, "")
		if want == "" {
			if r.status != 404 || !strings.HasPrefix(string(r.body), `{"error":"not_found"`) || r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: got %d %s", zip, r.status, r.body)
			}
			continue
		}
		if r.status != 200 || string(r.body) != want || r.header.Get("Cache-Control") != "public, max-age=86400" || r.header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: got %d %v %s", zip, r.status, r.header, r.body)
		}
	}
}
