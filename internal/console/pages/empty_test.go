package pages_test

import (
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestEmptyPages wants pages of a service that has just begun to say what to do, and not that something is wrong.
func TestEmptyPages(t *testing.T) {
	storetest.Parallel(t)
	p := signIn(t, apptest.Start(t), "pat", store.RoleOwner)
	for path, text := range map[string]string{
		"/reports": "All leads", "/coverage": "All leads", "/returns": "you can enter a return on the page of a lead. How buyers give leads back",
		"/settings/audit?actor=nobody": "Clear the filter", "/privacy/suppressions": "Suppress one", "/privacy": "Open 0",
	} {
		if page := p.shows(path, text); strings.Contains(page, `role="alert"`) {
			t.Errorf("%s says that something is wrong", path)
		}
	}
}

// TestFormsSayWhatTheyDo wants each folded form of the settings to say what it will do.
func TestFormsSayWhatTheyDo(t *testing.T) {
	storetest.Parallel(t)
	p := signIn(t, apptest.Start(t), "pat", store.RoleOwner)
	forms := strings.Split(p.shows("/settings"), `<form class="`)[1:]
	if len(forms) < 8 {
		t.Fatalf("the settings have %d forms", len(forms))
	}
	for _, form := range forms {
		if form, _, _ = strings.Cut(form, "</form>"); !strings.Contains(form, "/passkeys/add") && strings.HasPrefix(form, "stacked") && !strings.Contains(form, `class="soft what"`) {
			t.Errorf("a form does not say what it does:\n%s", form)
		}
	}
}
