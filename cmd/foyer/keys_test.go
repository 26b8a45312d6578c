package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// secrets matches what must never be printed.
var secrets = regexp.MustCompile(`[A-Za-z0-9+/]{43}=`)

// keyIDs matches the ids in a list of keys.
var keyIDs = regexp.MustCompile(`\S+\.[0-9a-f]{20}`)

// lastErrorLine returns the last line of a command that must fail. The lines before may be warnings about the test's
// server.
func (o cli) lastErrorLine(args ...string) string {
	o.t.Helper()
	lines := strings.Split(strings.TrimSuffix(o.runFailing(1, args...), "\n"), "\n")
	return lines[len(lines)-1]
}

func TestKeysCommands(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	file := binary.KeyFile(binary.Program, o.database)
	o.run("db", "migrate")
	if line := o.runFailing(1, "keys", "list"); !strings.Contains(line, "there are no keys yet") {
		t.Errorf("before there are any: %q", line)
	}
	made := o.run("keys", "init")
	if !strings.Contains(made, "is used with the keys in "+file+" from now on.\nKeep a copy of the file, apart from the database") {
		t.Errorf("init says %q", made)
	}
	if again := o.run("keys", "init"); !strings.Contains(again, "already: there was nothing to do.") {
		t.Errorf("init again says %q", again)
	}
	content, err := os.ReadFile(file)
	if err != nil || len(secrets.FindAllString(string(content), -1)) != 3 {
		t.Fatalf("%v:\n%s", err, content)
	}
	list := o.run("keys", "list")
	if ids := keyIDs.FindAllString(list, -1); len(ids) != 3 || !strings.Contains(list, file) || strings.Contains(list, "not ") {
		t.Errorf("the list:\n%s", list)
	}
	asJSON := o.run("keys", "list", "--json")
	for line := range strings.Lines(asJSON) {
		var k struct{ Name, Database, KeyID, CreatedAt, RegisteredAt string }
		line = strings.NewReplacer("key_id", "KeyID", "created_at", "CreatedAt", "registered_at", "RegisteredAt").Replace(line)
		if err := json.Unmarshal([]byte(line), &k); err != nil || !strings.HasPrefix(k.KeyID, k.Name+".") || k.Database == "" || k.CreatedAt == "" || k.RegisteredAt == "" {
			t.Errorf("%s: %v", line, err)
		}
	}
	if secret := secrets.FindString(made + list + asJSON); secret != "" {
		t.Error("a secret was printed")
	}
	o.run("buyers", "list")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"buyers", "list"}, {"keys", "init"}, {"serve", "--addr", "127.0.0.1:0"}, {"route", "--service", "hvac", "--zip", "33139"}} {
		if line := o.lastErrorLine(args...); !strings.HasPrefix(line, "foyer: keys: "+file+" is missing; ") {
			t.Errorf("%v without the keys: %q", args, line)
		}
	}
	if line := o.runFailing(1, "keys", "list"); !strings.Contains(line, "copy the right one there") {
		t.Errorf("the list without the keys: %q", line)
	}
	o.run("leads", "list") // reading needs no keys
	if replaced := o.run("keys", "init", "--replace"); !strings.Contains(replaced, "goes on with the keys in "+file) || keyIDs.FindString(o.run("keys", "list")) == keyIDs.FindString(list) {
		t.Errorf("replacing says %q", replaced)
	}
	o.run("buyers", "list")
}

// TestDatabaseWithoutKeys starts on a database from before keys existed, and continues with new ones.
func TestDatabaseWithoutKeys(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	first := serve(t, folder)
	id := first.Submit()
	if log := first.Remarks(); !strings.Contains(log, "key file created") || !strings.Contains(log, binary.KeyFile(binary.Program, first.Database)) {
		t.Errorf("the first start says:\n%s", log)
	}
	first.Stop()
	file := binary.KeyFile(binary.Program, first.Database)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	forgetKeys(t, first.Database)
	onServer := strings.HasPrefix(first.Database, "postgres")
	if onServer { // other machines may use it, too: the operator must create the file once and copy it
		o := cli{t, first.Database}
		if line := o.lastErrorLine("serve", "--addr", "127.0.0.1:0"); !strings.Contains(line, "has leads and no keys yet") || !strings.Contains(line, "foyer keys init") {
			t.Errorf("the start on an older database says %q", line)
		}
		o.run("keys", "init")
	}
	second := serve(t, folder)
	if log := second.Remarks(); strings.Contains(log, "key file created") == onServer {
		t.Errorf("the start on an older database says:\n%s", log)
	}
	if status, body := second.Get("/v1/leads/" + id); status != 200 {
		t.Errorf("its lead: %d %s", status, body)
	}
	second.Stop()
	if log := serve(t, folder).Remarks(); strings.Contains(log, "key file created") {
		t.Errorf("a later start says:\n%s", log)
	}
}

// forgetKeys puts a database into the state before keys existed.
func forgetKeys(t *testing.T, database string) {
	t.Helper()
	s := storetest.Open(t, database)
	ids, err := s.Keys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if done, err := s.RegisterKeys(t.Context(), ids, nil, time.Now()); err != nil || !done {
		t.Fatal(done, err)
	}
}

func TestKeyFileReadableByOthers(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	o.run("keys", "init")
	file := binary.KeyFile(binary.Program, o.database)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	line := o.lastErrorLine("serve", "--addr", "127.0.0.1:0")
	if !strings.Contains(line, "type: chmod 600 "+file) {
		t.Errorf("got %q", line)
	}
}

// TestSecondMachine starts a second machine on the same database: the key file of the first is missing there.
func TestSecondMachine(t *testing.T) {
	storetest.Parallel(t)
	o := newCLI(t)
	o.run("keys", "init")
	second := filepath.Join(t.TempDir(), "foyer.keys")
	line := o.lastErrorLine("serve", "--addr", "127.0.0.1:0", "--keys", "file:"+second)
	if !strings.Contains(line, second+" is missing") || !strings.Contains(line, "copy it there from") {
		t.Errorf("without the file: %q", line)
	}
	content, err := os.ReadFile(binary.KeyFile(binary.Program, o.database))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(second, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := o.run("keys", "init", "--keys", "file:"+second); !strings.Contains(out, "there was nothing to do") {
		t.Errorf("with the file: %q", out)
	}
}
