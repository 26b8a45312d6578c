package keeping

import (
	"testing"

	"foyer/internal/audit"
)

// TestDetailText reads details as they come back from the database.
func TestDetailText(t *testing.T) {
	for want, detail := range map[string]audit.Detail{
		"priority: 0 → 1000000":                             {"priority": []any{0.0, 1e6}},
		"name: nothing → Cool Air":                          {"name": []any{"", "Cool Air"}},
		"filters: name, received":                           {"filters": []any{"name", "received"}, "address": "127.0.0.1"},
		"services: nothing → heating and cooling, handyman": {"services": []any{"", "hvac, handyman"}},
		"code: bad contact; price: hvac_x $4":               {"code": "bad_contact", "price": "hvac_x $4"},
		"amount cents: 4500; note: hi":                      {"note": "hi", "amount_cents": 4500.0},
		"one step: no → yes":                                {"one_step": []any{false, true}},
	} {
		if got := detailText(detail); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
