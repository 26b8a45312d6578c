package api_test

import (
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestPlaces looks up the city of a ZIP code. An unknown ZIP code is a plain 404.
func TestPlaces(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	for zip, want := range map[string]string{
		"33139":      `{"zip_code":"33139","city":"Miami Beach","state":"FL"}`,
		"00000":      "",
		"3313":       "",
		"33139-1234": "",
		"abcde":      "",
	} {
		r := s.Send(t, "GET", "/v1/places/"+zip, "")
		if want == "" {
			if r.Status != 404 || !strings.HasPrefix(string(r.Body), `{"error":"not_found"`) || r.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: got %d %s", zip, r.Status, r.Body)
			}
			continue
		}
		if r.Status != 200 || string(r.Body) != want || r.Header.Get("Cache-Control") != "public, max-age=86400" || r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: got %d %v %s", zip, r.Status, r.Header, r.Body)
		}
	}
}
