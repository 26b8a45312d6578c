package lead_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
)

func TestMayBeID(t *testing.T) {
	for text, want := range map[string]bool{
		"lead_1k7f04rfc6iog3tk3rci32wyowgc76ereva": true,
		"lead_1": true, "": false, "lead_": false, "dry_1k7f04rfc6iog": false, "Lead_1": false, "lead_A": false, "lead_<b>": false, "lead_1 ": false, "lead_é": false,
		"lead_" + strings.Repeat("a", 60): false,
	} {
		if got := lead.MayBeID(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
