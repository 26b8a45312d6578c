package store

import "testing"

// HoldInstance holds the instance lock of a database as a running service does, until release is called.
func HoldInstance(t *testing.T, database string) (release func()) {
	t.Helper()
	e, err := engineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	if alone, err := e.acquireInstance(); err != nil || !alone {
		t.Fatalf("alone is %t, %v", alone, err)
	}
	return func() {
		if err := e.releaseInstance(); err != nil {
			t.Error(err)
		}
	}
}
