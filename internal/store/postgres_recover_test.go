package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
	"foyer/test/stopwatch"
)

// recoveryTimeout is how long a server may take to restart on a busy machine.
const recoveryTimeout = 15 * time.Second

// waitForRecovery waits until a store saves leads and changes again.
func waitForRecovery(t *testing.T, s *store.Store) {
	t.Helper()
	for deadline := time.Now().Add(recoveryTimeout); ; time.Sleep(20 * time.Millisecond) {
		err := s.Ping(t.Context())
		if err == nil {
			err = s.Update(t.Context(), func(*store.Tx) error { return nil })
		}
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the store still takes nothing: %v", err)
		}
	}
}

// wantUnavailable wants every operation to fail as unavailable within the given time.
func wantUnavailable(t *testing.T, s *store.Store, soon time.Duration) {
	t.Helper()
	for what, try := range map[string]func() error{
		"ping":   func() error { return s.Ping(t.Context()) },
		"look":   func() error { _, err := s.LeadSummary(t.Context(), "lead_before"); return err },
		"glance": func() error { _, err := s.LeadSummary(t.Context(), "lead_before"); return err },
		"save": func() error {
			_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_meanwhile")), nil, storetest.Noon)
			return err
		},
		"turn":    func() error { return s.Update(t.Context(), func(*store.Tx) error { return nil }) },
		"refresh": func() error { return s.Refresh(t.Context()) },
		"buyers":  func() error { _, _, err := s.Buyers(t.Context()); return err },
		"count": func() error {
			return s.CountOne(t.Context(), storetest.OneCharge(time.Minute, 1), storetest.Noon)
		},
	} {
		watch := stopwatch.Start()
		if err := try(); storetest.KindOf(err) != lead.Unavailable {
			t.Errorf("%s: got %v, want kind %s", what, err, lead.Unavailable)
		}
		if took := watch.Stop(); took > soon {
			t.Errorf("%s was refused after %v", what, took)
		}
	}
}

// A stopped server is noticed immediately, and so is its return. Meanwhile no caller waits for it.
func TestServerDown(t *testing.T) {
	server := postgres.Start(t, postgres.Options{})
	s := storetest.Open(t, server.Database(t))
	storetest.Save(t, s, storetest.Lead("lead_before"))
	for name, stop := range map[string]func() error{
		"stopped": func() error { return server.Stop(postgres.Fast) }, "killed": server.Kill,
	} {
		if err := stop(); err != nil {
			t.Fatal(err)
		}
		wantUnavailable(t, s, 3*time.Second) // each connection finds out for itself
		wantUnavailable(t, s, time.Second)
		if err := server.Start(); err != nil {
			t.Fatal(err)
		}
		waitForRecovery(t, s)
		storetest.Save(t, s, storetest.Lead("lead_after_"+name))
		for _, id := range []string{"lead_before", "lead_after_" + name} {
			if !storetest.HasLead(t, s, id) {
				t.Errorf("%s: %s is lost", name, id)
			}
		}
		if storetest.HasLead(t, s, "lead_meanwhile") {
			t.Errorf("%s: a lead was refused and is kept", name)
		}
	}
}

// A hanging server gets two seconds for a lead. A privacy request or a return does not wait for the update before it, which gets
// more time.
func TestServerHangs(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	s := storetest.Open(t, server.Database(t))
	storetest.Save(t, s, storetest.Lead("lead_before"))
	if err := server.Pause(); err != nil {
		t.Fatal(err)
	}
	go s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.LeadOf("lead_before"); return err })
	time.Sleep(10 * time.Millisecond) // until the update is running
	watch := stopwatch.Start()
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if _, err := s.SaveLead(t.Context(), new(storetest.Lead(fmt.Sprint("lead_", i))), nil, storetest.Noon); storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("got %v, want kind %s", err, lead.Unavailable)
			}
		})
	}
	for range 5 {
		all.Go(func() {
			if err := s.UpdateUrgent(t.Context(), func(tx *store.Tx) error { _, err := tx.LeadOf("lead_before"); return err }); storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("got %v, want kind %s", err, lead.Unavailable)
			}
		})
	}
	all.Wait()
	if took := watch.Stop(); took > 3*time.Second {
		t.Errorf("the last was refused after %v", took)
	}
	server.Resume()
	waitForRecovery(t, s)
	storetest.Save(t, s, storetest.Lead("lead_after"))
	if !storetest.HasLead(t, s, "lead_before") || !storetest.HasLead(t, s, "lead_after") {
		t.Error("a lead is lost")
	}
}

// A locked table is a storage failure: callers that wait for it get an error in time, and nothing is saved.
func TestLockedTable(t *testing.T) {
	database := storetest.PostgreSQL(t)
	s := storetest.Open(t, database)
	lock, err := openRaw(t, database).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Rollback()
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLE leads IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for what, try := range map[string]func() error{
		"save": func() error {
			_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_1")), nil, storetest.Noon)
			return err
		},
		"key": func() error {
			_, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_2")), storetest.IdempotencyKey("key", "request", "answer"), storetest.Noon)
			return err
		},
		"look":   func() error { _, err := s.LeadSummary(t.Context(), "lead_1"); return err },
		"glance": func() error { _, err := s.LeadSummary(t.Context(), "lead_1"); return err },
	} {
		all.Go(func() {
			watch := stopwatch.Start()
			if err := try(); storetest.KindOf(err) != lead.Unavailable {
				t.Errorf("%s: got %v, want kind %s", what, err, lead.Unavailable)
			}
			if took := watch.Stop(); took > 3*time.Second {
				t.Errorf("%s was refused after %v", what, took)
			}
		})
	}
	all.Wait()
	if err := lock.Rollback(); err != nil {
		t.Fatal(err)
	}
	waitForRecovery(t, s)
	if storetest.HasLead(t, s, "lead_1") || storetest.HasLead(t, s, "lead_2") {
		t.Error("a lead was refused and is kept")
	}
}

// A restart while nothing is read or written goes unnoticed.
func TestRestartWhileIdle(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	s := storetest.Open(t, server.Database(t))
	storetest.Save(t, s, storetest.Lead("lead_before"))
	reads := map[string]func() error{
		"a look":    func() error { _, err := s.LeadSummary(t.Context(), "lead_before"); return err },
		"a glance":  func() error { _, err := s.LeadSummary(t.Context(), "lead_before"); return err },
		"a ping":    func() error { return s.Ping(t.Context()) },
		"a refresh": func() error { return s.Refresh(t.Context()) },
	}
	var all sync.WaitGroup
	for what, read := range reads { // each on its own connection, until just before the restart
		all.Go(func() {
			if err := errors.Join(read(), read()); err != nil {
				t.Errorf("%s before: %v", what, err)
			}
		})
	}
	all.Wait()
	if err := server.Stop(postgres.Fast); err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	for what, read := range reads {
		if err := read(); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	storetest.Save(t, s, storetest.Lead("lead_after"))
	if _, err := s.SaveLead(t.Context(), new(storetest.Lead("lead_keyed")), storetest.IdempotencyKey("key", "request", "answer"), storetest.Noon); err != nil {
		t.Errorf("with a key: %v", err)
	}
	if err := s.Update(t.Context(), func(*store.Tx) error { return nil }); err != nil {
		t.Errorf("a turn: %v", err)
	}
	if granted, _, _, err := s.Counts().CountAt(t.Context(), storetest.OneCharge(time.Minute, 1), 1, storetest.Noon); err != nil || !granted {
		t.Errorf("a count: %v, %v", granted, err)
	}
	if !storetest.HasLead(t, s, "lead_before") || !storetest.HasLead(t, s, "lead_after") || !storetest.HasLead(t, s, "lead_keyed") {
		t.Error("a lead is lost")
	}
}

// Connections are cut repeatedly while leads are saved. Every acknowledged lead is stored, and a refused lead that is retried
// with its key is stored once, even if the refused attempt was committed after all.
func TestCutConnectionsLoseNothingAcknowledged(t *testing.T) {
	database := storetest.PostgreSQL(t)
	s, db := storetest.Open(t, database), openRaw(t, database)
	db.SetMaxOpenConns(1)
	var (
		all     sync.WaitGroup
		stop    atomic.Bool
		refused atomic.Int64
		kept    [4][]string // ids of leads without a key
		keys    [4]int
	)
	save := func(id string, ticket *lead.Idempotency) bool {
		_, err := s.SaveLead(context.Background(), new(storetest.Lead(id)), ticket, storetest.Noon.Add(-lead.IdempotencyWindow))
		switch {
		case storetest.KindOf(err) == lead.Unavailable:
			refused.Add(1)
			time.Sleep(time.Millisecond) // a client that retries, not a flood
		case err != nil:
			t.Errorf("saving: got %v, want nothing or kind %s", err, lead.Unavailable)
		}
		return err == nil
	}
	for i := range kept {
		all.Go(func() {
			for n := 0; !stop.Load(); n++ {
				if id := fmt.Sprint("plain ", i, " ", n); save(id, nil) {
					kept[i] = append(kept[i], id)
				}
				key := fmt.Sprint("key ", i, " ", n)
				for try := 0; !save(fmt.Sprint(key, ", ", try), storetest.IdempotencyKey(key, "request", "answer")); try++ {
				}
				keys[i]++
			}
		})
	}
	for range 4 {
		time.Sleep(100 * time.Millisecond)
		storetest.QueryInt(t, db, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'foyer'`)
		waitForRecovery(t, s)
	}
	stop.Store(true)
	all.Wait()
	for i := range kept {
		for _, id := range kept[i] {
			if !storetest.HasLead(t, s, id) {
				t.Fatalf("%s was acknowledged and is lost", id)
			}
		}
		if n := storetest.QueryInt(t, db, `SELECT count(*) FROM leads WHERE id LIKE $1`, fmt.Sprint("key ", i, " %")); n != keys[i] || n == 0 {
			t.Errorf("%d leads are kept for %d keys", n, keys[i])
		}
	}
	if refused.Load() == 0 {
		t.Error("nothing was refused: this test proves nothing")
	}
}

// A connection that is closed before the commit is a storage failure, not an error of the caller, and the store recovers.
func TestConnectionClosedBeforeCommit(t *testing.T) {
	s := storetest.Open(t, storetest.PostgreSQL(t))
	before, err := s.BuyersVersion(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.HangUp(t.Context()); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("got %v, want kind %s", err, lead.Unavailable)
	}
	waitForRecovery(t, s)
	if after, err := s.BuyersVersion(t.Context()); err != nil || after != before {
		t.Errorf("something was kept of it: version %d after %d, %v", after, before, err)
	}
}

// A store whose server is down can be closed quickly.
func TestCloseWithServerDown(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	s, err := store.Open(t.Context(), server.Database(t), storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	storetest.AcquireInstance(t, s)
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	_, _ = s.SaveLead(t.Context(), new(storetest.Lead("lead_1")), nil, storetest.Noon)
	watch := stopwatch.Start()
	if err := s.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
	if took := watch.Stop(); took > 3*time.Second {
		t.Errorf("closing took %v", took)
	}
}

// The instance lock is taken again after the server restarts.
func TestInstanceLockSurvivesRestart(t *testing.T) {
	server := postgres.Start(t, postgres.Options{Fast: true})
	database := server.Database(t)
	first, second := storetest.Open(t, database), storetest.Open(t, database)
	if !storetest.AcquireInstance(t, first) {
		t.Error("the first is not alone")
	}
	if storetest.AcquireInstance(t, second) {
		t.Error("the second is alone beside the first")
	}
	if err := server.Stop(postgres.Immediate); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*store.Store{first, second} {
		_ = s.Refresh(t.Context())
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*store.Store{first, second} {
		if err := s.Refresh(t.Context()); err != nil { // as a service does every second
			t.Fatal(err)
		}
	}
	third, err := store.Open(t.Context(), database, storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	if storetest.AcquireInstance(t, third) {
		t.Error("the third is alone beside two that came back")
	}
	if n := storetest.QueryInt(t, openRaw(t, database), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'`); n != 3 {
		t.Errorf("%d hold the lock, want 3", n)
	}
}

// A server that took over while nothing was written lacks the newest lead. The connections replace themselves, so that no writer
// recovers, and the log says all the same what was lost: once, before the next lead is the newest.
func TestLeadLostWhileIdle(t *testing.T) {
	database := storetest.PostgreSQL(t)
	s, logged := openWithLog(t, database)
	storetest.Save(t, s, storetest.Lead("lead_lost"))
	raw := openRaw(t, database)
	if _, err := raw.ExecContext(t.Context(), `DELETE FROM leads WHERE id = 'lead_lost'`); err != nil {
		t.Fatal(err)
	}
	cutWriters(t, raw)
	storetest.Save(t, s, storetest.Lead("lead_after"))
	if err := s.Update(t.Context(), func(*store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	const warning = "the newest acknowledged lead is not on this server"
	if got := logged(); strings.Count(got, warning) != 1 || strings.Contains(got, "refuses") {
		t.Errorf("the log says %q", got)
	}
	cutWriters(t, raw)
	storetest.Save(t, s, storetest.Lead("lead_later"))
	if got := logged(); strings.Count(got, warning) != 1 {
		t.Errorf("with the newest lead there, the log says %q", got)
	}
}

// cutWriters ends all connections of the store.
func cutWriters(t *testing.T, raw *sql.DB) {
	t.Helper()
	if n := storetest.QueryInt(t, raw, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'foyer'`); n == 0 {
		t.Fatal("the store has no connection")
	}
	time.Sleep(50 * time.Millisecond) // longer than a connection is used without a check
}
