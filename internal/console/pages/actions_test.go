package pages

import (
	"testing"

	"foyer/internal/console"
)

// TestFormsAreOperations wants every action to be an operation of the API, or something that it does itself, and to say what it did.
func TestFormsAreOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range actionTable() {
		if (a.operation == "") == (a.do == nil) {
			t.Errorf("%s is an operation, or does something itself", a.path)
		}
		if a.operation != "" {
			console.Inputs(a.operation) // panics if there is no such operation
		}
		if a.page == nil || seen[a.id()] {
			t.Errorf("%s has no page, or its name %s is that of another", a.path, a.id())
		}
		seen[a.id()] = true
	}
}
