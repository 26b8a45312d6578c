package audit_test

import (
	"strings"
	"testing"

	"foyer/internal/audit"
	"foyer/internal/lead"
)

func TestActors(t *testing.T) {
	for _, c := range []struct {
		got  audit.Actor
		want string
		role string
	}{
		{audit.CLI("ada"), "cli:ada", lead.ByOperator},
		{audit.CLI(` EXAMPLE\ada.lovelace-1@host `), `cli:EXAMPLE\ada.lovelace-1@host`, lead.ByOperator},
		{audit.CLI("a b\n\x1b[31m:é"), "cli:a_b___31m__", lead.ByOperator},
		{audit.CLI(""), "cli:unknown", lead.ByOperator},
		{audit.CLI(strings.Repeat("a", 500)), "cli:" + strings.Repeat("a", 64), lead.ByOperator},
		{audit.Buyer("buyer_1"), "buyer:buyer_1", lead.ByService},
		{audit.Buyer("cli:ada"), "buyer:cli_ada", lead.ByService},
		{audit.User("ada@example.com"), "user:ada@example.com", lead.ByOperator},
		{audit.Visitor, "visitor", lead.ByService},
		{audit.System, "system", lead.ByService},
		{audit.Person, "person", lead.ByService},
	} {
		if string(c.got) != c.want || c.got.Role() != c.role {
			t.Errorf("got %q, the %s; want %q, the %s", c.got, c.got.Role(), c.want, c.role)
		}
	}
}

func TestDetail(t *testing.T) {
	for _, c := range []struct {
		detail audit.Detail
		want   string
	}{
		{nil, "{}"},
		{audit.Detail{}, "{}"},
		{audit.Detail{"count": 2, "changed": map[string]any{"priority": []int{100, 10}}, "b": true}, `{"b":true,"changed":{"priority":[100,10]},"count":2}`},
	} {
		if got, err := c.detail.JSON(); err != nil || got != c.want {
			t.Errorf("got %s, %v; want %s", got, err, c.want)
		}
	}
	if got, err := (audit.Detail{"no": func() {}}).JSON(); err == nil {
		t.Errorf("a function became %s", got)
	}
	for text, want := range map[string]string{"é": "é", strings.Repeat("é", 200): strings.Repeat("é", 200), strings.Repeat("é", 201): strings.Repeat("é", 199) + "…"} {
		if got := audit.Text(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
