package store_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"foyer/internal/store/storetest"
)

// TestMain checks that no goroutine outlives the store that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSQLiteKeepsTheContract(t *testing.T) {
	storetest.Contract{NewDatabase: storetest.SQLite, NewEmpty: newDatabase}.Run(t)
}

// newDatabase returns the address of a SQLite file that does not exist yet, or of a new PostgreSQL database if storetest.RunsAgain.
func newDatabase(t *testing.T) string {
	if storetest.RunsAgain(t) {
		return storetest.PostgreSQL(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")
}
