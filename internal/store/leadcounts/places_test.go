package leadcounts

import (
	"strings"
	"testing"
)

// TestListWithoutRange wants a list of places to come without a range: PostgreSQL would read all of it once it plans for any values.
func TestListWithoutRange(t *testing.T) {
	list := PlaceQuery{Grain: byZIP, From: "2026-10", To: "2026-11", Places: []string{"33139", "90210"}}
	if where, args := list.where(); strings.Contains(where, "place >=") || !strings.Contains(where, "place IN ($5, $6)") || len(args) != 6 {
		t.Errorf("%s %v", where, args)
	}
	all := PlaceQuery{Grain: byZIP, From: "2026-10", To: "2026-11"}
	if where, args := all.where(); !strings.Contains(where, "place >= $5 AND place < $6") || args[5] != "~" {
		t.Errorf("%s %v", where, args)
	}
}
