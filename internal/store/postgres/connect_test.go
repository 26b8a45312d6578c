package postgres

import (
	"context"
	"testing"
	"time"

	"foyer/internal/store/db"
)

// What libpq's clients understand sets how long one host may be silent. A caller that waits less shares its time between the hosts.
func TestConnectTimeout(t *testing.T) {
	for name, c := range map[string]struct {
		variable, address string
		hosts             int
		caller, want      time.Duration
	}{
		"default":             {"", "postgres://a/foyer", 1, 0, db.ConnectTimeout},
		"variable":            {"7", "postgres://a/foyer", 1, 0, 7 * time.Second},
		"address":             {"7", "postgres://a/foyer?connect_timeout=9", 1, 0, 9 * time.Second},
		"a patient caller":    {"", "postgres://a,b/foyer", 2, time.Hour, db.ConnectTimeout},
		"an impatient caller": {"7", "postgres://a,b/foyer", 2, 8 * time.Second, 4 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("PGCONNECT_TIMEOUT", c.variable)
			p, err := New(c.address)
			if err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			if c.caller > 0 {
				bounded, cancel := context.WithTimeout(ctx, c.caller)
				defer cancel()
				ctx = bounded
			}
			if got := p.hostTimeout(ctx, c.hosts).Round(time.Second); got != c.want {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
