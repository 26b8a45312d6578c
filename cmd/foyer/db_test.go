package main_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// onEachEngine runs a test with a cli on an empty database of each engine.
func onEachEngine(t *testing.T, do func(t *testing.T, o cli)) {
	t.Run("SQLite", func(t *testing.T) { do(t, newCLI(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { do(t, cli{t, postgres.Shared(t).Database(t)}) })
}

func TestDBCommands(t *testing.T) {
	storetest.Parallel(t)
	onEachEngine(t, func(t *testing.T, o cli) {
		if line := o.runFailing(1, "db", "status"); !strings.Contains(line, "there ") {
			t.Errorf("nothing is there: %q", line)
		}
		wantOutput(t, o.run("db", "migrate"), `
migration 1, leads: applied
migration 2, buyers: applied
migration 3, privacy_requests: applied
migration 4, lists_of_leads: applied
migration 5, allowances: applied
migration 6, due_deliveries: applied
migration 7, new_leads: applied
migration 8, lead_type: applied
migration 9, people_and_keys: applied
migration 10, counts: applied
migration 11, plain_names: applied
migration 12, audit: applied
migration 13, jobs: applied
migration 14, money: applied
migration 15, search: applied
migration 16, reports: applied
migration 17, sources: applied
migration 18, tokens: applied
migration 19, place_counts: applied
migration 20, users: applied
migration 21, alerts: applied
migration 22, recent_leads: applied
migration 23, day_counts: applied
migration 24, legal_holds: applied
`)
		if again := o.run("db", "migrate"); !strings.Contains(again, "Nothing to do") {
			t.Errorf("once more: %q", again)
		}
		status := o.run("db", "status")
		for _, want := range []string{"migration 5, allowances applied", "leads collected 0", "on their way 0", "database " + o.database} {
			if !strings.Contains(strings.Join(strings.Fields(status), " "), want) {
				t.Errorf("the status has no %q:\n%s", want, status)
			}
		}
		if sound := o.run("db", "status", "--json"); !strings.Contains(sound, `"pending": 0`) || !strings.Contains(sound, `"received": 0`) {
			t.Errorf("as JSON: %s", sound)
		}
	})
}

// undoLast undoes the last migration.
const undoLast = `DROP TABLE legal_holds`

// TestPendingMigrations checks the exit code, by which a deployment learns whether there is something to do.
func TestPendingMigrations(t *testing.T) {
	storetest.Parallel(t)
	server := postgres.Shared(t)
	database := server.Database(t)
	o := cli{t, database}
	o.run("db", "migrate")
	if _, err := server.Exec(filepath.Base(database), undoLast+"; DELETE FROM goose_db_version WHERE version_id = 24"); err != nil {
		t.Fatal(err)
	}
	out, stderr, code := run(t, "db", "status", "--database", database)
	if code != 1 || !strings.Contains(strings.Join(strings.Fields(out), " "), "migration 24, legal_holds pending") || !strings.Contains(stderr, "foyer db migrate") {
		t.Errorf("%d\n%s%s", code, out, stderr)
	}
	if line := o.runFailing(1, "db", "check"); !strings.Contains(line, "foyer db migrate") {
		t.Errorf("a check of yesterday's tables: %q", line)
	}
	if done := o.run("db", "migrate"); done != "migration 24, legal_holds: applied\n" {
		t.Errorf("migrate: %q", done)
	}
	o.run("db", "status")
}

// TestNewerTables wants an old binary on new tables to say so, for every command.
func TestNewerTables(t *testing.T) {
	storetest.Parallel(t)
	server := postgres.Shared(t)
	database := server.Database(t)
	o := cli{t, database}
	o.run("db", "migrate")
	if _, err := server.Exec(filepath.Base(database), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, true)"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"db", "migrate"}, {"db", "status"}, {"db", "check"}, {"serve", "--addr", "127.0.0.1:0"}, {"suppress", "add", "305-555-0123"}} {
		if line := o.runFailing(1, args...); !strings.Contains(line, "the tables are of a newer foyer (version 99, this one knows 24)") || strings.Count(line, "\n") != 1 {
			t.Errorf("%v: %q", args, line)
		}
	}
}

// TestDBCheck checks the database of a running service, first sound and then inconsistent.
func TestDBCheck(t *testing.T) {
	storetest.Parallel(t)
	server := postgres.Start(t, postgres.Options{}) // with fsync, or the check would complain
	database := server.Database(t)
	p := serve(t, t.TempDir(), "--database", database)
	o := cli{t, database}
	id := p.Submit()
	sound := o.run("db", "check")
	if !strings.Contains(sound, "is sound: 1 lead,") {
		t.Errorf("a sound database:\n%s", sound)
	}
	if _, err := server.Exec(filepath.Base(database), "DELETE FROM consent_texts"); err != nil {
		t.Fatal(err)
	}
	out, stderr, code := run(t, "db", "check", "--database", database)
	if code != 1 || !strings.Contains(out, id+": the words that the person agreed to are not kept. Remedy: ") || stderr != "foyer: findings: 1\n" {
		t.Errorf("%d\n%s%s", code, out, stderr)
	}
	lines, _, _ := run(t, "db", "check", "--json", "--database", database)
	found := 0
	for line := range strings.Lines(lines) {
		var f struct {
			Finding, Remedy string
			Remark          bool
		}
		if err := json.Unmarshal([]byte(line), &f); err != nil || f.Remedy == "" {
			t.Errorf("%q: %v", line, err)
		}
		if !f.Remark && strings.HasPrefix(f.Finding, id) {
			found++
		}
	}
	if found != 1 {
		t.Errorf("as JSON:\n%s", lines)
	}
	for _, trace := range []string{"Pat Example", "5550123"} {
		if strings.Contains(sound+out+lines, trace) {
			t.Errorf("the check tells %q", trace)
		}
	}
}
