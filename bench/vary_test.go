package main

import (
	"fmt"
	"strings"
	"testing"
)

// TestLookupsCoverEveryLead in order: looking up the same lead again would only measure a cached page.
func TestLookupsCoverEveryLead(t *testing.T) {
	ids := []string{"lead_a", "lead_b", "lead_c"}
	req := lookups(ids)
	asked := make(map[string]int)
	for range 2 * len(ids) {
		req.vary(req.raw)
		path, _, _ := strings.Cut(strings.TrimPrefix(string(req.raw), "GET /v1/leads/"), " ")
		asked[path]++
	}
	if got := fmt.Sprint(asked); got != "map[lead_a:2 lead_b:2 lead_c:2]" {
		t.Errorf("asked for %s", got)
	}
}

// TestPersonalize checks that requests differ in their phone number and keep their length, and that the first numbers are
// reserved for fiction. The numbers that follow belong to no one.
func TestPersonalize(t *testing.T) {
	seen := make(map[string]bool)
	request := leadFrom(0)
	for n := range int64(150_000) {
		personalize(request, n)
		phone := string(after(request, `"customer_phone":"`)[:len("305-555-0123")])
		if seen[phone] || phone[3:8] != "-555-" || n < 70_000 && phone[8:10] != "01" || len(request) != len(lead) {
			t.Fatalf("person %d has %s, seen before: %v", n, phone, seen[phone])
		}
		seen[phone] = true
	}
}
