package store_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"foyer/internal/dbadmin"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// A pooler that keeps sessions is as good as the server. For one process its defaults will do.
func TestPoolerInSessionMode(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	t.Run("one process", func(t *testing.T) {
		pooler := postgres.StartPooler(t, server, "pool_mode=session")
		wantUsable(t, pooler.Through(server.Database(t)))
		moved := pooler.Through(server.Database(t))
		if _, err := dbadmin.CopyTo(t.Context(), storetest.SQLite(t), moved, nil); err != nil {
			t.Error(err)
		}
		if _, err := dbadmin.CopyTo(t.Context(), moved, storetest.NewFile(t), nil); err != nil {
			t.Error(err)
		}
	})
	t.Run("several processes", func(t *testing.T) {
		pooler := postgres.StartPooler(t, server, "pool_mode=session", "default_pool_size=75")
		storetest.Contract{
			NewDatabase: func(t *testing.T) string { return pooler.Through(storetest.PostgreSQL(t)) },
			NewEmpty:    func(t *testing.T) string { return pooler.Through(server.Database(t)) },
		}.Together(t)
	})
	t.Run("too few connections", func(t *testing.T) {
		pooler := postgres.StartPooler(t, server, "pool_mode=session", "default_pool_size=3")
		database := impatient(pooler.Through(storetest.PostgreSQL(t)))
		if s, err := store.Open(t.Context(), database, storetest.NoLog); err == nil {
			s.Close()
			t.Error("it was opened")
		} else {
			wantOneLine(t, err, store.Redacted(database), "timeout: no answer; if the pooler has no connection left, raise its default_pool_size")
		}
	})
}

// A pooler that does not clear sessions hands on locks that nobody holds any more.
func TestPoolerWithoutReset(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	pooler := postgres.StartPooler(t, server, "pool_mode=session", "server_reset_query=", "server_round_robin=1")
	database := pooler.Through(storetest.PostgreSQL(t))
	var err error
	for range 20 { // the first have sessions that nobody had before
		if _, err = store.Exists(t.Context(), database); err != nil {
			break
		}
	}
	if err == nil {
		t.Fatal("it was opened")
	}
	wantOneLine(t, err, store.Redacted(database), "a pooler that hands on sessions with the locks and prepared statements of others: use server_reset_query = DISCARD ALL")
}

// refusal is what is said of a pooler that keeps no sessions.
const refusal = ": the connection goes through a pooler in transaction or statement mode, which breaks locks, settings and prepared statements: " +
	"use pool_mode = session, or connect to PostgreSQL directly"

// A pooler that keeps no sessions is refused before anything else fails, whichever command opens the database.
func TestPoolerWithoutSessions(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	for _, mode := range []string{"transaction", "statement"} {
		for name, settings := range map[string][]string{
			"as it is": nil, "one connection": {"default_pool_size=1"}, "in turn": {"server_round_robin=1"},
			"two in turn": {"server_round_robin=1", "default_pool_size=2"}, "reset": {"server_reset_query_always=1"},
		} {
			t.Run(mode+" "+name, func(t *testing.T) {
				t.Parallel()
				pooler := postgres.StartPooler(t, server, append(settings, "pool_mode="+mode)...)
				for what, database := range map[string]string{"without tables": server.Database(t), "with tables": storetest.PostgreSQL(t)} {
					wantRefused(t, what, pooler.Through(database))
				}
			})
		}
	}
}

// wantRefused opens a database in every way there is. Each leaves connections in the pool, so that the next one finds more of them.
func wantRefused(t *testing.T, what, database string) {
	t.Helper()
	for command, open := range map[string]func() error{
		"a service": func() error {
			s, err := store.Open(t.Context(), database, storetest.NoLog)
			if err == nil {
				s.Close()
			}
			return err
		},
		"a reader":    func() error { _, err := store.OpenReader(t.Context(), database); return err },
		"a migration": func() error { _, err := dbadmin.Migrate(t.Context(), database, nil); return err },
		"a status":    func() error { _, err := dbadmin.Inspect(t.Context(), database); return err },
		"a check":     func() error { _, err := dbadmin.Check(t.Context(), database, nil, nil); return err },
		"a copy":      func() error { _, err := dbadmin.CopyTo(t.Context(), storetest.SQLite(t), database, nil); return err },
		"a reopening": func() error { _, err := dbadmin.Reopen(t.Context(), database); return err },
	} {
		if err := open(); err == nil || err.Error() != "database: cannot open "+store.Redacted(database)+refusal {
			t.Errorf("%s, %s: got %v", what, command, err)
		}
	}
}

// While others use the pool, a process may by chance get the session back that it had. In session mode nothing they do is an alarm.
func TestBusyPooler(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	for _, c := range []struct {
		name     string
		settings []string
		usable   bool
	}{
		{"transactions", []string{"pool_mode=transaction", "default_pool_size=2"}, false},
		{"many connections", []string{"pool_mode=transaction", "default_pool_size=12"}, false},
		{"sessions", []string{"pool_mode=session"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pooler := postgres.StartPooler(t, server, c.settings...)
			database := pooler.Through(storetest.PostgreSQL(t))
			useAsOthers(t, database)
			for range 30 {
				there, err := store.Exists(t.Context(), database)
				if there != c.usable || !c.usable && (err == nil || err.Error() != "database: cannot open "+store.Redacted(database)+refusal) {
					t.Fatalf("got %v, %v", there, err)
				}
			}
		})
	}
}

// useAsOthers runs statements of other clients until the test ends.
func useAsOthers(t *testing.T, database string) {
	t.Helper()
	others := openRaw(t, database+"?default_query_exec_mode=simple_protocol")
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			for ctx.Err() == nil {
				_, _ = others.ExecContext(ctx, "SELECT pg_sleep(random() * 0.002)")
				time.Sleep(time.Millisecond)
			}
		})
	}
	t.Cleanup(func() { stop(); all.Wait() })
}
