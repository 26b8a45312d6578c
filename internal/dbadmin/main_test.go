package dbadmin_test

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain checks that no goroutine outlives the store that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
