package store_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// setStandby sets the standby that a server waits for.
func setStandby(t *testing.T, server *postgres.Server, name string) {
	t.Helper()
	if _, err := server.Exec("postgres", "ALTER SYSTEM SET synchronous_standby_names = '"+name+"'; SELECT pg_reload_conf()"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if now, err := server.Exec("postgres", "SHOW synchronous_standby_names"); err == nil && now == name {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the server keeps its standby")
		}
	}
	time.Sleep(100 * time.Millisecond) // its processes reload one by one
}

// cancelWaits cancels every wait for a standby, as an operator would to unblock the server.
func cancelWaits(t *testing.T, server *postgres.Server) (cancelled string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); cancelled == ""; time.Sleep(5 * time.Millisecond) {
		var err error
		if cancelled, err = server.Exec("postgres", "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(deadline) {
			t.Fatal("nobody waits for the standby")
		}
	}
	return cancelled
}

// TestLocalCommitIsNotAcknowledged uses a standby that does not answer and cancels the wait for it: the server then commits
// without the standby and sends a warning. The sender of the lead gets an error, however often it retries.
func TestLocalCommitIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t, postgres.Options{})
	database := server.Database(t)
	s := storetest.Open(t, database)
	storetest.Save(t, s, storetest.Lead("lead_before"))
	setStandby(t, server, "nobody")
	ticket := storetest.IdempotencyKey("key", "request", "{}")
	for name, work := range map[string]func() error{
		"a lead": func() error {
			_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_plain")), nil, time.Time{})
			return err
		},
		"a lead with a key": func() error {
			_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_keyed")), ticket, storetest.Noon.Add(-time.Hour))
			return err
		},
		"a change": func() error {
			return s.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(storetest.Buyer("buyer_1")) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			answered := make(chan error)
			go func() { answered <- work() }()
			cancelWaits(t, server)
			if err := <-answered; storetest.KindOf(err) != lead.Unavailable || !strings.Contains(errorText(err), "no standby has confirmed it") {
				t.Errorf("answered with %v", errorText(err))
			}
			setStandby(t, server, "") // so that the store recovers
			waitUntilSaving(t, s)
			setStandby(t, server, "nobody")
		})
	}
	t.Run("a repeat", func(t *testing.T) {
		for range 2 { // only our own timeout ends the wait
			if earlier, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_again")), ticket, storetest.Noon.Add(-time.Hour)); storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("answered with %v, %v", earlier, errorText(err))
			}
		}
		if earlier, err := s.IdempotentAnswer(t.Context(), "key", storetest.Noon.Add(-time.Hour)); err == nil {
			t.Errorf("one who asks too often is told %v", earlier)
		}
	})
	setStandby(t, server, "")
	waitUntilSaving(t, s)
	if earlier, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_again")), ticket, storetest.Noon.Add(-time.Hour)); err != nil || earlier == nil {
		t.Errorf("confirmed, and answered with %v, %v", earlier, err)
	}
}

// errorText is the text of the cause of an error.
func errorText(err error) string {
	var refused *lead.Error
	switch {
	case err == nil:
		return "no error"
	case errors.As(err, &refused) && refused.Cause != nil:
		return refused.Cause.Error()
	}
	return err.Error()
}

// waitUntilSaving waits until leads and changes are saved.
func waitUntilSaving(t *testing.T, s *store.Store) {
	t.Helper()
	var err error
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		l := storetest.Lead("lead_" + time.Now().Format("150405.000000000"))
		if _, err = s.SaveLead(t.Context(), &l, nil, time.Time{}); err != nil {
			continue
		}
		if err = s.Update(t.Context(), func(*store.Tx) error { return nil }); err == nil && s.DownWriters() == 0 {
			return
		}
	}
	t.Fatalf("nothing is taken: %v", errorText(err))
}

// A server that has a standby but does not wait until it has stored a commit is reported.
func TestCheckFindsUnsafeStandbySettings(t *testing.T) {
	t.Parallel()
	server := postgres.Start(t, postgres.Options{})
	database := server.Database(t)
	if _, err := dbadmin.Migrate(t.Context(), database, nil); err != nil {
		t.Fatal(err)
	}
	for wait, found := range map[string]bool{"on": false, "remote_apply": false, "local": true, "remote_write": true} {
		if _, err := server.Exec("postgres", "SET synchronous_commit = local; ALTER DATABASE "+filepath.Base(database)+" SET synchronous_commit = "+wait); err != nil {
			t.Fatal(err)
		}
		for name, standing := range map[string]bool{"nobody": true, "": false} {
			setStandby(t, server, name)
			var said bool
			if _, err := dbadmin.Check(t.Context(), database, nil, func(f db.Finding) {
				said = said || strings.HasPrefix(f.What, "synchronous_commit is "+wait+" on the server, and synchronous_standby_names is set")
			}); err != nil {
				t.Fatal(err)
			}
			if said != (found && standing) {
				t.Errorf("%s with the standby %q: found is %v", wait, name, said)
			}
		}
	}
}

// The server notices within a minute that a process is gone, whatever it was doing.
func TestServerKeepalives(t *testing.T) {
	t.Parallel()
	database := storetest.PostgreSQL(t)
	for name, want := range map[string]string{"tcp_keepalives_idle": "20", "tcp_keepalives_interval": "10", "tcp_keepalives_count": "3", "tcp_user_timeout": "50000"} {
		found, err := store.Settings(t.Context(), database, name)
		if err != nil {
			t.Fatal(err)
		}
		found["migrations"] = migrationSetting(t, database, name)
		for who, got := range found {
			if got != want {
				t.Errorf("%s of %s is %q, want %q", name, who, got, want)
			}
		}
	}
	if found, err := store.Settings(t.Context(), database+"?tcp_keepalives_idle=77", "tcp_keepalives_idle"); err != nil || found["changes"] != "77" {
		t.Errorf("what the address says is overruled: %v, %v", found, err)
	}
}

// migrationSetting reads a server setting on the connection that migrates.
func migrationSetting(t *testing.T, database, name string) (value string) {
	t.Helper()
	e, err := store.EngineFor(database)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Migrate(t.Context(), func(ctx context.Context, pool *sql.DB) error {
		return pool.QueryRowContext(ctx, "SELECT current_setting($1)", name).Scan(&value)
	}); err != nil {
		t.Fatal(err)
	}
	return value
}
