package pages

import (
	"encoding/json"
	"strings"
	"testing"

	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/console/pages/signin"
)

// TestFormsAreOperations wants every action to be an operation of the API, or something that it does itself, and to say what it did.
func TestFormsAreOperations(t *testing.T) {
	seen := map[string]bool{}
	for _, a := range actionTable(new(signin.Pages)) {
		if (a.Operation == "") == (a.Do == nil) {
			t.Errorf("%s is an operation, or does something itself", a.Path)
		}
		if a.Operation != "" {
			console.Inputs(a.Operation) // panics if there is no such operation
		}
		if a.Page == nil || seen[a.ID()] {
			t.Errorf("%s has no page, or its name %s is that of another", a.Path, a.ID())
		}
		seen[a.ID()] = true
	}
}

// changedBy are the operations that an action calls itself, with what differs from what it showed.
var changedBy = map[string]string{"editBuyer": "/buyers/{buyer}/edit", "editSource": "/sources/{source}/edit", "editAlertRule": "/settings/alerts/rules/{rule}/edit"}

// notOnPages are the operations that may change things and have no form, and why.
var notOnPages = map[string]string{
	"importZIPs":    "the editor of a buyer has its whole list of ZIP codes as a text, to paste into",
	"rebuildCounts": "reports are incomplete for minutes to hours: who counts again is at the machine, where foyer report rebuild says how far it is",
}

// TestOperationsAreOnPages wants everything that the API can change to be an action of a page, or one of the few exceptions.
func TestOperationsAreOnPages(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct{ OperationID, Description string }
	}
	if err := json.Unmarshal(console.OpenAPI(catalog.Brand{BaseURL: "https://foyer.example.com"}), &document); err != nil {
		t.Fatal(err)
	}
	does, at := map[string]bool{}, map[string]bool{}
	for _, a := range actionTable(new(signin.Pages)) {
		does[a.Operation], at[a.Path] = true, a.Do != nil
	}
	changes := 0
	for _, methods := range document.Paths {
		for _, o := range methods {
			if !strings.Contains(o.Description, "Needs a token that may write") {
				continue
			}
			changes++
			ways := 0
			for _, has := range []bool{does[o.OperationID], at[changedBy[o.OperationID]], notOnPages[o.OperationID] != ""} {
				if has {
					ways++
				}
			}
			if ways != 1 {
				t.Errorf("%s is on pages in %d ways, want one", o.OperationID, ways)
			}
		}
	}
	if changes < 30 {
		t.Errorf("the document has %d operations that change things", changes)
	}
}
