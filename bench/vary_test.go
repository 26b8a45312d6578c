package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestLookUpsAskForEveryLead in its turn: look-ups of one and the same lead would measure its page in the cache.
func TestLookUpsAskForEveryLead(t *testing.T) {
	ids := []string{"lead_a", "lead_b", "lead_c"}
	s := lookUps(ids)
	asked := make(map[string]int)
	for range 2 * len(ids) {
		s.vary(s.raw)
		path, _, _ := strings.Cut(strings.TrimPrefix(string(s.raw), "GET /v1/leads/"), " ")
		asked[path]++
	}
	if got := fmt.Sprint(asked); got != "map[lead_a:2 lead_b:2 lead_c:2]" {
		t.Errorf("asked for %s", got)
	}
}
