package main_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
)

type auditEntry struct {
	At      time.Time
	Actor   string
	Action  string
	Subject string
	Detail  map[string]any
}

// audit lists the audit trail as JSON, and what it says: each action and its subject, newest first.
func (o cli) audit(args ...string) (entries []auditEntry, said []string) {
	o.t.Helper()
	for line := range strings.Lines(o.run(append([]string{"audit", "--json"}, args...)...)) {
		var entry auditEntry
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			o.t.Fatalf("%v: %s", err, line)
		}
		entries, said = append(entries, entry), append(said, entry.Action+" "+entry.Subject)
	}
	return entries, said
}

// TestAuditCommand wants every change in the list, newest first, with who made it, and nothing that names a person.
func TestAuditCommand(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	o := cli{t, p.Database}
	closed, erased := p.submitFrom("305-555-0101"), p.submitFrom("305-555-0102")
	buyer, _ := o.addBuyer("--name", "Cool Air", "--url", "https://buyer.example.com/leads?key=hunter2", "--services", "handyman")
	o.run("leads", "close", closed, "--why", "sold elsewhere")
	o.run("leads", "erase", erased)
	o.run("suppress", "add", "305-555-0103")
	entries, said := o.audit()
	if want := []string{"lead.erase " + erased, "lead.close " + closed, "buyer.add " + buyer}; len(said) < 4 || !strings.HasPrefix(said[0], "suppression.add ") || !slices.Equal(said[1:4], want) {
		t.Fatalf("got %q, want a suppressed number and then %q", said, want)
	}
	me := entries[0].Actor
	for _, entry := range entries[:4] {
		if !strings.HasPrefix(entry.Actor, "cli:") || entry.Actor != me || time.Since(entry.At).Abs() > time.Hour {
			t.Errorf("got %+v", entry)
		}
	}
	if entries[3].Detail["name"] != "changed" || entries[4].Actor != "system" {
		t.Errorf("got %+v, and before it %+v", entries[3], entries[4])
	}
	for what, c := range map[string]struct {
		args []string
		want []string
	}{
		"an actor":     {[]string{"--actor", me}, said[:4]},
		"nobody":       {[]string{"--actor", "cli:nobody-else"}, nil},
		"a lead":       {[]string{"--subject", closed}, said[2:3]},
		"a number":     {[]string{"--subject", "(305) 555-0103"}, said[:1]},
		"an hour":      {[]string{"--since", time.Now().Add(-time.Hour).Format(time.RFC3339)}, said},
		"the future":   {[]string{"--since", time.Now().Add(time.Hour).Format(time.RFC3339)}, nil},
		"only the two": {[]string{"--limit", "2"}, said[:2]},
	} {
		if _, got := o.audit(c.args...); !slices.Equal(got, c.want) {
			t.Errorf("of %s: %q, want %q", what, got, c.want)
		}
	}
	table := o.run("audit")
	if line := strings.Fields(lineWith(table, "lead.close")); !strings.HasPrefix(table, "TIME ") || len(line) < 4 || !slices.Contains(line, closed) || !slices.Contains(line, me) {
		t.Errorf("as a table:\n%s", table)
	}
	for _, secret := range []string{"555010", "Cool Air", "sold elsewhere", "hunter2"} {
		if strings.Contains(table, secret) {
			t.Errorf("%s is in it:\n%s", secret, table)
		}
	}
}
