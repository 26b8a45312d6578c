package api_test

import (
	"testing"

	"foyer/internal/store/storetest"
)

// TestOnPostgreSQL runs the tests that use the store again, on PostgreSQL. Responses are the same on both engines.
func TestOnPostgreSQL(t *testing.T) {
	storetest.RunOnPostgreSQL(t, map[string]func(*testing.T){
		"idempotency key": TestIdempotencyKey,
		"lookup":          TestLeadLookup,
		"unknown ids":     TestUnknownIDsAreRateLimited,
		"errors":          TestGoldenErrors,
		"returns":         TestReturnLead,
	})
}
