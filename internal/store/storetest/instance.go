package storetest

import (
	"testing"

	"foyer/internal/store"
)

// HoldInstance holds the instance lock of a database as a running service does, until release is called.
func HoldInstance(t *testing.T, database string) (release func()) {
	t.Helper()
	e, err := store.EngineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := e.AcquireInstance(); err != nil || !alone {
		t.Fatalf("alone is %t, %v", alone, err)
	}
	return func() {
		if err := e.ReleaseInstance(); err != nil {
			t.Error(err)
		}
	}
}
