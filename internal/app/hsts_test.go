package app_test

import "testing"

// TestStrictTransportSecurity expects the header on every response of a service with an https base URL, and on none of another: a
// service that is tried on http must not lock its users out.
func TestStrictTransportSecurity(t *testing.T) {
	const header = "Strict-Transport-Security"
	plain, secure := start(t), start(t, "--base-url", "https://foyer.example.com/leads")
	for _, path := range []string{"/", "/leads/", "/health", "/v1/services", "/mcp", "/nothing", "//", "/v1/intake", "/favicon.svg", "/thanks"} {
		if got := secure.send(t, "GET", path, "").header.Get(header); got != "max-age=31536000" {
			t.Errorf("%s: %q", path, got)
		}
		if got := plain.send(t, "GET", path, "").header.Get(header); got != "" {
			t.Errorf("on http, %s: %q", path, got)
		}
	}
}
