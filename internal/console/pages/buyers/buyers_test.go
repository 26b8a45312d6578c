package buyers

import (
	"slices"
	"testing"

	"foyer/internal/console"
)

// TestEditorHasEveryTerm wants each term below one heading.
func TestEditorHasEveryTerm(t *testing.T) {
	var grouped []string
	for _, g := range termGroups {
		grouped = append(grouped, g.Names...)
	}
	for _, in := range console.Inputs("editBuyer") {
		if i := slices.Index(grouped, in.Name); i < 0 {
			t.Errorf("%s has no heading", in.Name)
		} else {
			grouped = slices.Delete(grouped, i, i+1)
		}
	}
	if len(grouped) > 0 {
		t.Errorf("there is no term %v, or it has two headings", grouped)
	}
}
