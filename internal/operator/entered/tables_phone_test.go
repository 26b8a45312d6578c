package entered_test

import (
	"testing"

	"foyer/internal/operator/entered"
)

func TestPhoneIn(t *testing.T) {
	for line, want := range map[string]string{
		"305-555-0123": "+13055550123", `"Doe, Pat";(305) 555-0123;FL`: "+13055550123", "7,+1 305 555 0123\r": "+13055550123", "'3055550123": "+13055550123",
		"12345": "", "Pat Example": "", "": "",
	} {
		if got, found := entered.PhoneIn(line); got != want || found != (want != "") {
			t.Errorf("%q has %q, want %q", line, got, want)
		}
	}
}
