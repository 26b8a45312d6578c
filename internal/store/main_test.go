package store_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"foyer/internal/store/storetest"
)

// No goroutine outlives the store that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSQLiteKeepsTheContract(t *testing.T) {
	storetest.Contract{NewDatabase: storetest.SQLite, NewEmpty: newDatabase}.Run(t)
}

// newDatabase names a file that is not there yet, or a database of PostgreSQL for a test that runs again.
func newDatabase(t *testing.T) string {
	if storetest.RunsAgain(t) {
		return storetest.PostgreSQL(t)
	}
	return "sqlite:" + filepath.Join(t.TempDir(), "foyer.db")
}
