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

// secrets finds what may never be printed.
var secrets = regexp.MustCompile(`[A-Za-z0-9+/]{43}=`)

// keyIDs are the ids in a list of keys.
var keyIDs = regexp.MustCompile(`\S+\.[0-9a-f]{20}`)

// toldLast is the last line of a command that must fail. Before it, a service may warn of the test's server.
func (o operator) toldLast(args ...string) string {
	o.t.Helper()
	lines := strings.Split(strings.TrimSuffix(o.fails(1, args...), "\n"), "\n")
	return lines[len(lines)-1]
}

func TestKeysOnTheCommandLine(t *testing.T) {
	o := newOperator(t)
	file := binary.KeyFile(program, o.database)
	o.types("db", "migrate")
	if line := o.fails(1, "keys", "list"); !strings.Contains(line, "there are no keys yet") {
		t.Errorf("before there are any: %q", line)
	}
	made := o.types("keys", "init")
	if !strings.Contains(made, "is used with the keys in "+file+" from now on.\nKeep a copy of the file, apart from the database") {
		t.Errorf("init says %q", made)
	}
	if again := o.types("keys", "init"); !strings.Contains(again, "already: there was nothing to do.") {
		t.Errorf("init again says %q", again)
	}
	content, err := os.ReadFile(file)
	if err != nil || len(secrets.FindAllString(string(content), -1)) != 3 {
		t.Fatalf("%v:\n%s", err, content)
	}
	list := o.types("keys", "list")
	if ids := keyIDs.FindAllString(list, -1); len(ids) != 3 || !strings.Contains(list, file) || strings.Contains(list, "not ") {
		t.Errorf("the list:\n%s", list)
	}
	asJSON := o.types("keys", "list", "--json")
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
	o.types("buyers", "list")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"buyers", "list"}, {"keys", "init"}, {"serve", "--addr", "127.0.0.1:0"}, {"route", "--service", "hvac", "--zip", "33139"}} {
		if line := o.toldLast(args...); !strings.HasPrefix(line, "foyer: keys: "+file+" is missing; ") {
			t.Errorf("%v without the keys: %q", args, line)
		}
	}
	if line := o.fails(1, "keys", "list"); !strings.Contains(line, "copy the right one there") {
		t.Errorf("the list without the keys: %q", line)
	}
	o.types("leads", "list") // reading needs no key
	if replaced := o.types("keys", "init", "--replace"); !strings.Contains(replaced, "goes on with the keys in "+file) || keyIDs.FindString(o.types("keys", "list")) == keyIDs.FindString(list) {
		t.Errorf("replacing says %q", replaced)
	}
	o.types("buyers", "list")
}

// TestAServiceFromBeforeKeys starts on a database that knows of no keys, and has it go on with new ones.
func TestAServiceFromBeforeKeys(t *testing.T) {
	folder := t.TempDir()
	first := serve(t, folder)
	id := first.submit()
	if log := first.Remarks(); !strings.Contains(log, "keys were made") || !strings.Contains(log, binary.KeyFile(program, first.Database)) {
		t.Errorf("the first start says:\n%s", log)
	}
	first.Stop()
	file := binary.KeyFile(program, first.Database)
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	forgetKeys(t, first.Database)
	onServer := strings.HasPrefix(first.Database, "postgres")
	if onServer { // other machines may use it, too: somebody has to make the file once, and copy it
		o := operator{t, first.Database}
		if line := o.toldLast("serve", "--addr", "127.0.0.1:0"); !strings.Contains(line, "has leads and no keys yet") || !strings.Contains(line, "foyer keys init") {
			t.Errorf("the start on an older database says %q", line)
		}
		o.types("keys", "init")
	}
	second := serve(t, folder)
	if log := second.Remarks(); strings.Contains(log, "keys were made") == onServer {
		t.Errorf("the start on an older database says:\n%s", log)
	}
	if status, body := second.get("/v1/leads/" + id); status != 200 {
		t.Errorf("its lead: %d %s", status, body)
	}
	second.Stop()
	if log := serve(t, folder).Remarks(); strings.Contains(log, "keys were made") {
		t.Errorf("a later start says:\n%s", log)
	}
}

// forgetKeys makes a database what it was before it knew of keys.
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

func TestAKeyFileThatOthersCanRead(t *testing.T) {
	o := newOperator(t)
	o.types("keys", "init")
	file := binary.KeyFile(program, o.database)
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	line := o.toldLast("serve", "--addr", "127.0.0.1:0")
	if !strings.Contains(line, "type: chmod 600 "+file) {
		t.Errorf("got %q", line)
	}
}

// TestASecondMachine is the second machine of two on one database: the file of the first is missing there.
func TestASecondMachine(t *testing.T) {
	o := newOperator(t)
	o.types("keys", "init")
	second := filepath.Join(t.TempDir(), "foyer.keys")
	line := o.toldLast("serve", "--addr", "127.0.0.1:0", "--keys", "file:"+second)
	if !strings.Contains(line, second+" is missing") || !strings.Contains(line, "copy it there from") {
		t.Errorf("without the file: %q", line)
	}
	content, err := os.ReadFile(binary.KeyFile(program, o.database))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(second, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := o.types("keys", "init", "--keys", "file:"+second); !strings.Contains(out, "there was nothing to do") {
		t.Errorf("with the file: %q", out)
	}
}
