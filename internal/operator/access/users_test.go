package access_test

import (
	"context"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

// countingStore counts what is written.
type countingStore struct {
	access.Store
	updates int
}

func (c *countingStore) Update(ctx context.Context, do func(*store.Tx) error) error {
	c.updates++
	return c.Store.Update(ctx, do)
}

func TestUserNames(t *testing.T) {
	o := newTestAccess(t)
	for name, want := range map[string]string{
		" Ada.Lovelace@Example.com ": "ada.lovelace@example.com",
		"a":                          "a",
		"0_-.":                       "0_-.",
		strings.Repeat("a", 64):      strings.Repeat("a", 64),
	} {
		if a, _, err := o.AddUser(t.Context(), ada, name, store.RoleViewer); err != nil || a.Name != want || string((access.Signed{User: a}).Actor()) != "user:"+want {
			t.Errorf("%q: %+v, %v", name, a, err)
		}
	}
	for name, character := range map[string]string{"a b": "a space", "ada:x": "':'", "pat smith!": "a space"} {
		if _, _, err := o.AddUser(t.Context(), ada, name, store.RoleViewer); err == nil || !strings.HasSuffix(err.Error(), "; it cannot have "+character) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", " ", "a b", "ada:x", "Ådа", `EXAMPLE\ada`, "a\x00", "a\nb", strings.Repeat("a", 65)} {
		if _, _, err := o.AddUser(t.Context(), ada, name, store.RoleViewer); err == nil || !strings.Contains(err.Error(), "the name cannot be used: write 1 to 64") {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, role := range []store.Role{"", "boss", "Owner"} {
		if _, _, err := o.AddUser(t.Context(), ada, "new", role); err == nil || !strings.Contains(err.Error(), "write viewer, operator or owner") {
			t.Errorf("%q: %v", role, err)
		}
	}
	if _, _, err := o.AddUser(t.Context(), ada, "A", store.RoleViewer); err == nil || !strings.Contains(err.Error(), `"a" is the name of a user already`) {
		t.Errorf("a name twice: %v", err)
	}
}

// TestOnlyOwner wants one owner left, whatever is done.
func TestOnlyOwner(t *testing.T) {
	o := newTestAccess(t)
	session, _ := o.user("ada", store.RoleOwner)
	_, _ = o.user("bob", store.RoleOperator)
	if _, err := o.RemoveUser(t.Context(), ada, "ada"); err == nil || !strings.Contains(err.Error(), "ada is the only owner") {
		t.Errorf("remove: %v", err)
	}
	if _, err := o.SetRole(t.Context(), ada, "ada", store.RoleViewer); err == nil || !strings.Contains(err.Error(), "ada is the only owner") {
		t.Errorf("demote: %v", err)
	}
	if _, err := o.SetRole(t.Context(), ada, "ada", store.RoleOwner); err == nil || !strings.Contains(err.Error(), "owner already") {
		t.Errorf("the same role: %v", err)
	}
	if _, err := o.SetRole(t.Context(), ada, "BOB", store.RoleOwner); err != nil {
		t.Fatal(err)
	}
	if _, err := o.SetRole(t.Context(), ada, "ada", store.RoleViewer); err != nil {
		t.Fatal(err)
	}
	if s, valid, err := o.FindSession(t.Context(), session); err != nil || !valid || s.User.Role != store.RoleViewer {
		t.Errorf("the session goes on: %+v, %v, %v", s, valid, err)
	}
	if _, err := o.RemoveUser(t.Context(), ada, "ada"); err != nil || o.valid(session) {
		t.Errorf("remove one of two: %v, its session is valid: %v", err, o.valid(session))
	}
	for name, err := range map[string]error{
		"remove": func() error { _, err := o.RemoveUser(t.Context(), ada, "ada"); return err }(),
		"reset":  func() error { _, _, err := o.ResetUser(t.Context(), ada, "ada"); return err }(),
		"link":   func() error { _, _, err := o.LinkUser(t.Context(), ada, "ada"); return err }(),
		"role":   func() error { _, err := o.SetRole(t.Context(), ada, "ada", store.RoleOwner); return err }(),
	} {
		if lead.KindOf(err) != lead.NotFound {
			t.Errorf("%s of nobody: %v", name, err)
		}
	}
}

// TestReset ends what a user could be used with, and begins again with a link.
func TestReset(t *testing.T) {
	o := newTestAccess(t)
	session, _ := o.user("ada", store.RoleOwner)
	_, earlier, err := o.LinkUser(t.Context(), ada, "ada")
	if err != nil || !o.valid(session) {
		t.Fatalf("a link ends no session: %v", err)
	}
	_, link, err := o.ResetUser(t.Context(), ada, "ada")
	if err != nil || o.valid(session) {
		t.Fatalf("%v, the session is valid: %v", err, o.valid(session))
	}
	if _, _, err := o.SignIn(t.Context(), laptop, "ada", goodPassword); err == nil {
		t.Error("the password is still right")
	}
	if _, valid, err := o.Link(t.Context(), earlier); valid || err != nil {
		t.Errorf("the earlier link: %v, %v", valid, err)
	}
	if _, _, err := o.UseLink(t.Context(), laptop, link, "ignored", goodPassword); err != nil {
		t.Error(err)
	}
}
