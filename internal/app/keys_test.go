package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/app"
	"foyer/internal/config"
	"foyer/internal/keyring"
	"foyer/internal/store/storetest"
)

// newData returns the settings of a new database and its key file.
func newData(t *testing.T) config.Data {
	t.Helper()
	database := storetest.Database(t)
	return config.Data{Database: config.Database(database), Keys: config.Keys("file:" + filepath.Join(t.TempDir(), "foyer.keys"))}
}

// runOnce starts a service and stops it again, and returns its log, or why it does not start.
func runOnce(t *testing.T, d config.Data) (string, error) {
	t.Helper()
	var log bytes.Buffer
	s := config.Settings{Data: d, RateLimit: config.Rate{Off: true}}
	a, err := app.New(t.Context(), s, "127.0.0.1:0", slog.New(slog.NewJSONHandler(&log, nil)))
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return log.String(), a.Run(ctx)
}

// mustRunOnce is runOnce for a service that must start.
func mustRunOnce(t *testing.T, d config.Data) (log string) {
	t.Helper()
	log, err := runOnce(t, d)
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// wantKeysRefused expects service, operator and keys init to fail with one line that contains the given parts.
func wantKeysRefused(t *testing.T, d config.Data, parts ...string) {
	t.Helper()
	_, service := runOnce(t, d)
	_, operator := app.OpenOperator(t.Context(), d, false, ada)
	_, initKeys := app.InitKeys(t.Context(), ada, d, false)
	for caller, err := range map[string]error{"service": service, "operator": operator, "keys init": initKeys} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want a refusal in one line", caller, err)
			continue
		}
		for _, part := range parts {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %v does not say %q", caller, err, part)
			}
		}
	}
}

func openRing(t *testing.T, d config.Data) *keyring.Ring {
	t.Helper()
	ring, err := keyring.Open(d.KeyFile())
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

// registeredKeys returns the key ids that the database knows.
func registeredKeys(t *testing.T, d config.Data) (ids []string) {
	t.Helper()
	list, err := storetest.OpenReader(t, string(d.Database)).Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range list {
		ids = append(ids, k.ID)
	}
	return ids
}

const keysMade = "key file created: keep a copy of it"

// The first start creates the keys, logs it once, and registers them with the database.
func TestFirstStartCreatesKeys(t *testing.T) {
	d := newData(t)
	if log := mustRunOnce(t, d); strings.Count(log, keysMade) != 1 || !strings.Contains(log, d.KeyFile()) {
		t.Errorf("at the first start:\n%s", log)
	}
	ring := openRing(t, d)
	if got := registeredKeys(t, d); len(got) != len(ring.Keys()) {
		t.Errorf("the file has %v, the database %v", ring.Keys(), got)
	}
	if log := mustRunOnce(t, d); strings.Contains(log, keysMade) || !reflect.DeepEqual(openRing(t, d).Keys(), ring.Keys()) {
		t.Errorf("at the second start:\n%s", log)
	}
	operator, err := app.OpenOperator(t.Context(), d, false, ada)
	if err != nil || operator.KeysMade != "" {
		t.Fatalf("an operator: %v", err)
	}
	operator.Close()
}

// A database from a version without keys gets them from the service or from keys init, not from an operator's command: the service
// may keep its file elsewhere.
func TestOlderDatabaseGetsKeys(t *testing.T) {
	for caller, create := range map[string]func(config.Data){
		"the service": func(d config.Data) { mustRunOnce(t, d) },
		"keys init": func(d config.Data) {
			if ready, err := app.InitKeys(t.Context(), ada, d, false); err != nil || !ready.Made {
				t.Errorf("%+v, %v", ready, err)
			}
		},
	} {
		d := newData(t)
		storetest.Save(t, storetest.Open(t, string(d.Database)), storetest.Lead("lead_1"))
		_, err := app.OpenOperator(t.Context(), d, false, ada)
		if _, missing := os.Stat(d.KeyFile()); err == nil || !strings.Contains(err.Error(), "foyer keys init") || missing == nil {
			t.Errorf("an operator created keys: %v", err)
		}
		if create(d); len(registeredKeys(t, d)) != len(keyring.Names) {
			t.Errorf("%s: registered %v", caller, registeredKeys(t, d))
		}
		mustRunOnce(t, d)
	}
}

func TestWrongKeysAreRefused(t *testing.T) {
	d := newData(t)
	mustRunOnce(t, d)
	other := newData(t)
	mustRunOnce(t, other)
	wrong := config.Data{Database: d.Database, Keys: other.Keys}
	wantKeysRefused(t, wrong, wrong.KeyFile(), "is not the key file of", "it lacks the key ", "--replace")
	before := registeredKeys(t, d)
	if err := os.Remove(d.KeyFile()); err != nil {
		t.Fatal(err)
	}
	wantKeysRefused(t, d, d.KeyFile()+" is missing", before[0], "copy it there from", "--replace")
	if _, err := os.Stat(d.KeyFile()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("keys were created in place of those that are missing: %v", err)
	}
	if after := registeredKeys(t, d); !reflect.DeepEqual(before, after) {
		t.Errorf("the database had %v and has %v", before, after)
	}
}

// editKeys changes the keys in a file, as if another version had written it.
func editKeys(t *testing.T, d config.Data, change func([]any) []any) {
	t.Helper()
	content, err := os.ReadFile(d.KeyFile())
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Version int   `json:"version"`
		Keys    []any `json:"keys"`
	}
	if err := json.Unmarshal(content, &file); err != nil {
		t.Fatal(err)
	}
	file.Keys = change(file.Keys)
	if content, err = json.Marshal(file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(d.KeyFile(), content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func keepFirst(keys []any) []any { return keys[:1] }

// A key that a later version needs is added to file and database. A key that the database already knows is not created again:
// the file is older than another copy.
func TestNewVersionAddsKey(t *testing.T) {
	d := newData(t)
	if _, err := keyring.Create(d.KeyFile(), time.Now()); err != nil {
		t.Fatal(err)
	}
	editKeys(t, d, keepFirst)
	first := openRing(t, d).Keys()[0]
	s := storetest.Open(t, string(d.Database))
	if done, err := s.RegisterKeys(t.Context(), nil, []string{first.ID}, time.Now()); err != nil || !done {
		t.Fatal(done, err)
	}
	if log := mustRunOnce(t, d); strings.Contains(log, keysMade) {
		t.Errorf("it logs that the file was created:\n%s", log)
	}
	if ring := openRing(t, d); ring.Keys()[0] != first || len(ring.Missing()) > 0 || len(registeredKeys(t, d)) != len(keyring.Names) {
		t.Errorf("the file has %v, the database %v", ring.Keys(), registeredKeys(t, d))
	}
	editKeys(t, d, keepFirst)
	wantKeysRefused(t, d, "it lacks the key ")
	if n := len(openRing(t, d).Keys()); n != 1 {
		t.Errorf("the older file has %d keys now", n)
	}
}

// A file with an unknown key under a name that the database knows belongs to a later state of another machine.
func TestKeyUnknownToDatabase(t *testing.T) {
	d, later := newData(t), newData(t)
	mustRunOnce(t, d)
	mustRunOnce(t, later)
	editKeys(t, later, func(new []any) []any {
		editKeys(t, d, func(keys []any) []any { return append(keys, new[1]) })
		return new
	})
	wantKeysRefused(t, d, "is not the key file of", "it has the key index.", "which the database does not know")
}

// Of many services that start at once on an empty database, each with its own key file, one wins; the errors of the others say
// which keys to copy.
func TestConcurrentStartsRegisterOneKeySet(t *testing.T) {
	database := storetest.Database(t)
	results := startConcurrently(t, 4, func(i int) config.Data {
		d := config.Data{Database: config.Database(database), Keys: config.Keys("file:" + filepath.Join(t.TempDir(), "foyer.keys"))}
		if i%2 == 0 { // some have created their keys already
			if _, err := keyring.Create(d.KeyFile(), time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		return d
	})
	won := 0
	for _, r := range results {
		if r.err == nil {
			won++
		} else if !strings.Contains(r.err.Error(), " there from ") {
			t.Errorf("a process that came too late: %v", r.err)
		}
	}
	if won != 1 {
		t.Errorf("%d of %d started", won, len(results))
	}
}

// Services that share a key file find the keys of the first.
func TestConcurrentStartsShareKeyFile(t *testing.T) {
	d := newData(t)
	for _, r := range startConcurrently(t, 4, func(int) config.Data { return d }) {
		if r.err != nil {
			t.Error(r.err)
		}
	}
}

type startResult struct {
	log string
	err error
}

// startConcurrently starts services at the same time.
func startConcurrently(t *testing.T, n int, data func(int) config.Data) []startResult {
	t.Helper()
	results := make([]startResult, n)
	ready := make(chan struct{})
	var running sync.WaitGroup
	for i := range results {
		d := data(i)
		running.Go(func() {
			<-ready
			results[i].log, results[i].err = runOnce(t, d)
		})
	}
	close(ready)
	running.Wait()
	return results
}

// TestReplaceKeys replaces the keys after the file was lost. While a service still has the old keys, nothing is replaced.
func TestReplaceKeys(t *testing.T) {
	d := newData(t)
	a, err := app.New(t.Context(), config.Settings{Data: d, RateLimit: config.Rate{Off: true}}, "127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	before, content := registeredKeys(t, d), openRing(t, d)
	if err := os.Rename(d.KeyFile(), d.KeyFile()+".lost"); err != nil {
		t.Fatal(err)
	}
	if _, err := app.InitKeys(t.Context(), ada, d, true); err == nil || !strings.Contains(err.Error(), "a service is on") {
		t.Errorf("beside a service: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := a.Run(stopped); err != nil {
		t.Fatal(err)
	}
	ready, err := app.InitKeys(t.Context(), ada, d, true)
	want := app.KeysReady{Made: true, Registered: true, Replaced: true}
	if err != nil || ready != want {
		t.Errorf("%+v, %v", ready, err)
	}
	if after := registeredKeys(t, d); len(after) != len(before) || reflect.DeepEqual(before, after) {
		t.Errorf("the database had %v and has %v", before, after)
	}
	if again, err := app.InitKeys(t.Context(), ada, d, true); err != nil || again.Registered || again.Replaced {
		t.Errorf("once more: %+v, %v", again, err)
	}
	mustRunOnce(t, d)
	if bytes.Equal(content.Key(keyring.Index), openRing(t, d).Key(keyring.Index)) {
		t.Error("the keys are the old ones")
	}
	if err := os.Rename(d.KeyFile()+".lost", d.KeyFile()); err != nil {
		t.Fatal(err)
	}
	wantKeysRefused(t, d, "is not the key file of")
	if ready, err := app.InitKeys(t.Context(), ada, d, true); err != nil || ready.Made || !ready.Replaced {
		t.Errorf("with the old file found again: %+v, %v", ready, err)
	}
	mustRunOnce(t, d)
}
