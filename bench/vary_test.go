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

// TestEveryPersonIsAnother: requests differ in their phone number, stay as long as they were, and the first numbers are reserved
// for fiction. Nobody has the numbers that follow.
func TestEveryPersonIsAnother(t *testing.T) {
	seen := make(map[string]bool)
	request := leadFrom(0)
	for n := range int64(150_000) {
		personalise(request, n)
		phone := string(after(request, `"customer_phone":"`)[:len("305-555-0123")])
		if seen[phone] || phone[3:8] != "-555-" || n < 70_000 && phone[8:10] != "01" || len(request) != len(lead) {
			t.Fatalf("person %d has %s, seen before: %v", n, phone, seen[phone])
		}
		seen[phone] = true
	}
}
