package app_test

import (
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store/storetest"
)

// TestStrictTransportSecurity expects the header on every response of a service with an https base URL, and on none of another: a
// service that is tried on http must not lock its users out.
func TestStrictTransportSecurity(t *testing.T) {
	storetest.Parallel(t)
	const header = "Strict-Transport-Security"
	plain, secure := apptest.Start(t), apptest.Start(t, "--base-url", "https://foyer.example.com/leads")
	for _, path := range []string{"/", "/leads/", "/health", "/v1/services", "/mcp", "/nothing", "//", "/v1/intake", "/favicon.svg", "/thanks"} {
		if got := secure.Send(t, "GET", path, "").Header.Get(header); got != "max-age=31536000" {
			t.Errorf("%s: %q", path, got)
		}
		if got := plain.Send(t, "GET", path, "").Header.Get(header); got != "" {
			t.Errorf("on http, %s: %q", path, got)
		}
	}
}
