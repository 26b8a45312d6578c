package wire_test

import (
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// TestReceipt compares the receipt with what the general encoder makes of it, with every member set and with none.
func TestReceipt(t *testing.T) {
	for name, r := range map[string]lead.Receipt{
		"nothing": {NextSteps: []string{}},
		"everything": {
			LeadID: "lead_1", Status: lead.CallToConnect, Message: `say "dial" & <é> \ 😀`, NextSteps: []string{"one", "two\n", ""},
			PayoutHint: new("hint"), Call: new("+18005550199"), CallDisplay: new("(800) 555-0199"), CallInstruction: new("dial"), DryRun: true,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got, want := string(wire.Receipt(r)), string(wire.Marshal(r)); got != want {
				t.Errorf("got %s\nwant %s", got, want)
			}
		})
	}
}
