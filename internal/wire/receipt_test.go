package wire_test

import (
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// TestReceiptMatchesEncoder compares the receipt with the general encoder, with everything set and with nothing set.
func TestReceiptMatchesEncoder(t *testing.T) {
	say := func(s string) *string { return &s }
	for name, r := range map[string]lead.Receipt{
		"nothing": {NextSteps: []string{}},
		"everything": {
			LeadID: "lead_1", Status: lead.CallToConnect, Message: `say "dial" & <é> \ 😀`, NextSteps: []string{"one", "two\n", ""},
			PayoutHint: say("hint"), Call: say("+18005550199"), CallDisplay: say("(800) 555-0199"), CallInstruction: say("dial"), DryRun: true,
		},
	} {
		if got, want := string(wire.Receipt(r)), string(wire.Marshal(r)); got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
}
