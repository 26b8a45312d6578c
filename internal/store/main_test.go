package store_test

import (
	"testing"

	"go.uber.org/goleak"

	"foyer/internal/store/storetest"
)

// TestMain checks that no goroutine outlives the store that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSQLiteKeepsTheContract(t *testing.T) {
	storetest.Contract{NewDatabase: storetest.SQLite, NewEmpty: storetest.NewFile}.Run(t)
}
