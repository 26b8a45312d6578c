package place_test

import (
	"testing"

	"foyer/internal/place"
)

func TestStateCode(t *testing.T) {
	for text, want := range map[string]string{
		"FL": "FL", "fl": "FL", "Florida": "FL", " new york ": "NY", "DISTRICT OF COLUMBIA": "DC", "Puerto Rico": "PR",
		"": "", "XX": "", "Miami": "", "New": "",
	} {
		if code, known := place.StateCode(text); code != want || known != (want != "") {
			t.Errorf("%q: got %q, %v, want %q", text, code, known, want)
		}
	}
}
