package hostile

import (
	"slices"
	"strings"
	"testing"
)

type oversized struct {
	sent string
	want int
}

// TestOversizedHeaders sends headers that no client needs. They are refused before a handler sees them.
func TestOversizedHeaders(t *testing.T) {
	s := serve(t)
	head := func(line string) string { return "GET /health HTTP/1.1\r\nHost: localhost\r\n" + line + "\r\n\r\n" }
	concurrently(t, map[string]oversized{
		"as much as fits":       {head("X-Note: " + strings.Repeat("x", 15_000)), 200},
		"one long value":        {head("X-Note: " + strings.Repeat("x", 64_000)), 431},
		"a value without end":   {"GET /health HTTP/1.1\r\nHost: localhost\r\nX-Note: " + strings.Repeat("x", 1_000_000), 431},
		"one long name":         {head(strings.Repeat("x", 64_000) + ": 1"), 431},
		"many short ones":       {head(strings.TrimSuffix(strings.Repeat("X-Note: 1\r\n", 10_000), "\r\n")), 431},
		"a long address":        {"GET /" + strings.Repeat("x", 64_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 431},
		"a long query":          {"GET /health?" + strings.Repeat("x=1&", 16_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n", 431},
		"a long method":         {strings.Repeat("X", 64_000) + " /health HTTP/1.1\r\nHost: localhost\r\n\r\n", 431},
		"a line without an end": {strings.Repeat("x", 1_000_000), 431},
	}, func(name string, c oversized) {
		if got, _ := s.exchange(c.sent); !slices.Equal(statuses(got), []int{c.want}) {
			t.Errorf("%s: answered %v, want %d", name, statuses(got), c.want)
		}
	})
}

// TestManySmallHeaders measures what a request may cost: as many header lines as fit.
func TestManySmallHeaders(t *testing.T) {
	s := serve(t)
	request := "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + strings.Repeat("a:\r\n", 3_000) + "\r\n"
	for range 20 {
		if got, _ := s.exchange(request); len(got) != 1 || got[0].status != 200 && got[0].status != 431 {
			t.Fatalf("answered %v", statuses(got))
		}
	}
}
