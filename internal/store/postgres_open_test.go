package store_test

import (
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// withPassword is the address of a database with a user and a password.
func withPassword(database, user string) string {
	return strings.Replace(database, "postgres@", user+":s3cret@", 1)
}

// TestPostgreSQLOpenErrors wants errors of one line that name the server and contain no password.
func TestPostgreSQLOpenErrors(t *testing.T) {
	server := postgres.Shared(t)
	database := server.Database(t)
	name := database[strings.LastIndex(database, "/")+1:]
	if _, err := server.Exec(name, "CREATE ROLE guest LOGIN; CREATE ROLE crowd LOGIN CONNECTION LIMIT 1"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = server.Exec("postgres", "DROP ROLE guest; DROP ROLE crowd") })
	mute, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections and never responds
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mute.Close() })
	for name, c := range map[string]struct{ database, words string }{
		"nobody there":         {"postgres://postgres:s3cret@127.0.0.1:1/foyer", "connection refused"},
		"nobody who answers":   {"postgres://postgres:s3cret@" + mute.Addr().String() + "/foyer?connect_timeout=2", "timeout"},
		"no such host":         {"postgres://postgres:s3cret@nowhere.invalid/foyer", "no such host"},
		"no such database":     {withPassword(server.URL("nowhere"), "postgres"), `database "nowhere" does not exist`},
		"no such user":         {withPassword(database, "nobody"), `role "nobody" does not exist`},
		"who may make nothing": {withPassword(database, "guest"), "permission denied"},
		"who may not come in":  {withPassword(database, "crowd"), "too many connections"},
		"no encryption":        {withPassword(database, "postgres") + "?sslmode=require", "TLS"},
		"an unknown setting":   {withPassword(database, "postgres") + "?no_such_setting=1", "no_such_setting"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := store.Open(t.Context(), c.database, storetest.NoLog)
			if err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			wantOneLine(t, err, store.Redacted(c.database), c.words)
			if text := err.Error(); strings.Count(text, c.words) > 1+strings.Count(store.Redacted(c.database), c.words) || name != "no encryption" && strings.Contains(text, "TLS") {
				t.Errorf("the cause is told with another, or twice: %s", text)
			}
			r, err := store.OpenReader(t.Context(), c.database)
			if err == nil || r != nil {
				t.Fatalf("the reader: got %v, %v", r, err)
			}
			if strings.Contains(err.Error(), "s3cret") || strings.Contains(err.Error(), "\n") {
				t.Errorf("the reader: %q", err)
			}
		})
	}
}

func wantOneLine(t *testing.T, err error, words ...string) {
	t.Helper()
	text := err.Error()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("it does not say %q: %s", w, text)
		}
	}
	if strings.Contains(text, "s3cret") || strings.Contains(text, "\n") {
		t.Errorf("more than a line, or the password: %q", text)
	}
}

func TestPostgreSQLNameListsAllHosts(t *testing.T) {
	t.Parallel()
	for database, want := range map[string]string{
		"postgres://foyer:s3cret@db1,db2:5433,[2001:db8::1]:5434/leads?sslmode=prefer": "postgres://foyer@db1:5432,db2:5433,[2001:db8::1]:5434/leads",
		"postgresql://foyer@/leads?host=/run/postgresql":                               "postgres://foyer@/run/postgresql/leads",
		"postgres://foyer@/leads?host=/run/postgresql&port=5433":                       "postgres://foyer@/run/postgresql:5433/leads",
	} {
		if got := store.Redacted(database); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestInvalidAddresses(t *testing.T) {
	t.Parallel()
	for _, database := range []string{
		"postgres://postgres:s3cret@127.0.0.1:port/foyer", "postgres://postgres:s3cret@127.0.0.1/foyer?sslmode=perhaps",
		"postgres://postgres:s3cret%zz@127.0.0.1/foyer", "postgresql://postgres:s3cret@127.0.0.1/foyer?connect_timeout=x",
	} {
		_, err := store.Open(t.Context(), database, storetest.NoLog)
		if err == nil {
			t.Errorf("%s was opened", database)
			continue
		}
		wantOneLine(t, err, "postgres://user:password@host:5432/name")
		if named := store.Redacted(database); strings.Contains(named, "s3cret") {
			t.Errorf("it is named %s", named)
		}
	}
}

// Opening a database for reading creates no tables.
func TestReaderCreatesNoTables(t *testing.T) {
	t.Parallel()
	database := withPassword(postgres.Shared(t).Database(t), "postgres")
	there, err := store.Exists(t.Context(), database)
	if there || err != nil {
		t.Errorf("there is a database: %v, %v", there, err)
	}
	if _, err := store.OpenReader(t.Context(), database); err == nil {
		t.Error("a reader was opened")
	} else {
		wantOneLine(t, err, "there are no tables", store.Redacted(database), "--database")
	}
	if _, err := store.OpenExisting(t.Context(), database, storetest.NoLog); err == nil {
		t.Error("a store was opened")
	}
	if n := storetest.QueryInt(t, openRaw(t, database), `SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'`); n != 0 {
		t.Errorf("%d tables were made", n)
	}
	storetest.Open(t, database)
	if there, err := store.Exists(t.Context(), database); !there || err != nil {
		t.Errorf("after a start there is a database: %v, %v", there, err)
	}
}

// TestPostgreSQLReaderCannotWrite checks that every kind of statement that changes something is refused.
func TestPostgreSQLReaderCannotWrite(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_1"))
	r := storetest.OpenReader(t, database)
	for _, statement := range []string{
		"DELETE FROM leads", "UPDATE leads SET status = 'rejected'", "TRUNCATE leads", "DROP TABLE leads", "CREATE TABLE more (n int)",
		"INSERT INTO changes (topic, version) VALUES ('more', 1)", "SELECT nextval('leads_seq_seq')", "WITH gone AS (DELETE FROM leads RETURNING 1) SELECT * FROM gone",
	} {
		if err := r.Exec(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "read-only") {
			t.Errorf("%s: %v", statement, err)
		}
	}
	if list, err := r.Newest(t.Context(), 10); err != nil || len(list) != 1 || list[0].Status != storetest.Lead("").Status {
		t.Errorf("got %v (%v), want the one lead as it was", list, err)
	}
}

// TestWritersReadCommitted uses a server whose transactions default to repeatable read. There, an update that waited for another
// one would not see its changes.
func TestWritersReadCommitted(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	database := server.Database(t)
	name := database[strings.LastIndex(database, "/")+1:]
	if _, err := server.Exec("postgres", "ALTER DATABASE "+name+" SET default_transaction_isolation = 'repeatable read'"); err != nil {
		t.Fatal(err)
	}
	got, err := store.Settings(t.Context(), database, "default_transaction_isolation")
	want := "read committed"
	if diff := cmp.Diff(map[string]string{"leads": want, "claims": want, "answers": want, "changes": want, "shared counts": want}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestCommitWaitsForDisk uses a server that is configured not to wait, in every possible way. Writers of leads and changes
// override that; shared counts may be lost. No connection can override fsync: that is up to the operator.
func TestCommitWaitsForDisk(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t, postgres.Options{Fast: true})
	database := server.Database(t)
	name := database[strings.LastIndex(database, "/")+1:]
	for _, c := range []struct{ name, statement, want string }{
		{"off for the server", "SELECT 1", "on"},
		{"off for the role", "ALTER ROLE postgres SET synchronous_commit = off", "on"},
		{"off for the database", "ALTER DATABASE %s SET synchronous_commit = off", "on"},
		{"off for the role in the database", "ALTER ROLE postgres IN DATABASE %s SET synchronous_commit = off", "on"},
		{"only on this machine", "ALTER ROLE postgres IN DATABASE %s SET synchronous_commit = local", "local"},
		{"also elsewhere", "ALTER ROLE postgres IN DATABASE %s SET synchronous_commit = remote_apply", "remote_apply"},
	} {
		if _, err := server.Exec("postgres", strings.ReplaceAll(c.statement, "%s", name)); err != nil {
			t.Fatal(err)
		}
		got, err := store.Settings(t.Context(), database, "synchronous_commit")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(map[string]string{"leads": c.want, "claims": c.want, "answers": c.want, "changes": c.want, "shared counts": "off"}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	got, err := store.Settings(t.Context(), database, "fsync")
	if diff := cmp.Diff(map[string]string{"leads": "off", "claims": "off", "answers": "off", "changes": "off", "shared counts": "off"}, got); diff != "" || err != nil {
		t.Errorf("fsync: %v (-want +got):\n%s", err, diff)
	}
}

// TestStartWarnsOfServerSettings checks that the service logs unsafe settings and low connection limits when it starts, since
// operators do not run a check then.
func TestStartWarnsOfServerSettings(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t, postgres.Options{Fast: true, Settings: []string{"max_connections=14"}})
	_, diary := openWithLog(t, server.Database(t))
	for _, want := range []string{"fsync is off on the server", "leaves room for 11 connections; each process of the service needs 15"} {
		if !strings.Contains(diary(), want) {
			t.Errorf("the log does not say %q:\n%s", want, diary())
		}
	}
}
