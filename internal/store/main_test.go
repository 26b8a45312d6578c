package store_test

import (
	"testing"

	"go.uber.org/goleak"

	"foyer/internal/store/storetest"
)

// No goroutine outlives the store that started it.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSQLiteKeepsTheContract(t *testing.T) { storetest.Run(t, newDatabase) }

func newDatabase(t *testing.T) string { return storetest.Database(t) }
