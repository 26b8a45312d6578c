package keyring_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"foyer/internal/keyring"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

func create(t *testing.T, path string) *keyring.Ring {
	t.Helper()
	ring, err := keyring.Create(path, noon)
	if err != nil {
		t.Fatal(err)
	}
	return ring
}

func TestKeysAreStored(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foyer.keys")
	if _, err := keyring.Open(path); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("no file: %v", err)
	}
	made := create(t, path)
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v: only the owner may read it", info.Mode(), err)
	}
	opened, err := keyring.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if again := create(t, path); !reflect.DeepEqual(opened.Keys(), made.Keys()) || !reflect.DeepEqual(again.Keys(), made.Keys()) {
		t.Errorf("made %v, read %v and %v", made.Keys(), opened.Keys(), again.Keys())
	}
	seen := make(map[string]bool)
	for i, n := range keyring.Names {
		secret := opened.Key(n)
		if !bytes.Equal(secret, made.Key(n)) || len(secret) != 32 || seen[string(secret)] {
			t.Errorf("%s: %d bytes, the same as before: %v, as another: %v", n, len(secret), bytes.Equal(secret, made.Key(n)), seen[string(secret)])
		}
		seen[string(secret)] = true
		if k := opened.Keys()[i]; keyring.NameOf(k.ID) != n || !k.Created.Equal(noon) {
			t.Errorf("%s is listed as %+v", n, k)
		}
	}
	secret := opened.Key(keyring.Index)
	secret[0]++
	if bytes.Equal(secret, opened.Key(keyring.Index)) {
		t.Error("a caller can change a key")
	}
	left, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(left) != 1 {
		t.Errorf("%v, %v: something was left beside the file", left, err)
	}
}

// TestConcurrentCreate creates keys concurrently, after a process that was killed while writing.
func TestConcurrentCreate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foyer.keys")
	if err := os.WriteFile(path+".new", []byte("half of a lo"), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	rings := make([]*keyring.Ring, 20)
	for i := range rings {
		wg.Go(func() { rings[i], _ = keyring.Create(path, noon) })
	}
	wg.Wait()
	kept, err := keyring.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, ring := range rings {
		if ring == nil || !reflect.DeepEqual(ring.Keys(), kept.Keys()) {
			t.Errorf("process %d has other keys than the file", i)
		}
	}
	if _, err := os.Stat(path + ".new"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the draft is still there: %v", err)
	}
}

// stored is a key file that another version of the program may have written.
type stored struct {
	Version int              `json:"version"`
	Keys    []map[string]any `json:"keys"`
}

func edit(t *testing.T, path string, change func(*stored)) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var s stored
	if err := json.Unmarshal(content, &s); err != nil {
		t.Fatal(err)
	}
	change(&s)
	if content, err = json.Marshal(s); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestAddMissingKey adds a key to an older file. Everything else stays, including members that only a later version
// understands.
func TestAddMissingKey(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "foyer.keys"), filepath.Join(dir, "link.keys")
	made := create(t, path)
	edit(t, path, func(s *stored) {
		s.Keys = slices.Delete(s.Keys, 1, 2)
		s.Keys[0]["destroy_after"] = "2027-01-01"
	})
	if err := os.Symlink("foyer.keys", link); err != nil {
		t.Fatal(err)
	}
	before, err := keyring.Open(path)
	if err != nil || !slices.Equal(before.Missing(), []keyring.Name{keyring.Index}) {
		t.Fatalf("missing %v, %v", before.Missing(), err)
	}
	added, err := keyring.Add(link, noon.Add(time.Hour))
	if err != nil || len(added.Missing()) != 0 {
		t.Fatal(added, err)
	}
	after, err := keyring.Open(path)
	if err != nil || !reflect.DeepEqual(after.Keys(), added.Keys()) {
		t.Fatalf("the file behind the link was not changed: %v", err)
	}
	if !bytes.Equal(after.Key(keyring.FormToken), made.Key(keyring.FormToken)) || bytes.Equal(after.Key(keyring.Index), made.Key(keyring.Index)) {
		t.Error("a key that was there has changed, or the new one is not new")
	}
	content, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(content), `"destroy_after": "2027-01-01"`) {
		t.Errorf("%v: what a later program had written is gone:\n%s", err, content)
	}
	if again, err := keyring.Add(path, noon); err != nil || !reflect.DeepEqual(again.Keys(), after.Keys()) {
		t.Errorf("nothing was missing: %v", err)
	}
	if _, err := keyring.Add(path+"2", noon); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("keys were added to no file: %v", err)
	}
}

// TestLastKeyOfANameIsUsed loads a file whose index key was rotated by a later version.
func TestLastKeyOfANameIsUsed(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a.keys"), filepath.Join(dir, "b.keys")
	create(t, path)
	newer := create(t, other)
	edit(t, other, func(from *stored) { edit(t, path, func(to *stored) { to.Keys = append(to.Keys, from.Keys[1]) }) })
	ring, err := keyring.Open(path)
	if err != nil || len(ring.Keys()) != len(keyring.Names)+1 {
		t.Fatal(ring, err)
	}
	if !bytes.Equal(ring.Key(keyring.Index), newer.Key(keyring.Index)) {
		t.Error("the older key is in use")
	}
}

func TestWrongFiles(t *testing.T) {
	secret := func(s *stored) string { return s.Keys[0]["secret"].(string) }
	for name, x := range map[string]struct {
		change func(*stored)
		told   string
	}{
		"another secret":    {func(s *stored) { s.Keys[0]["secret"] = secret(&stored{Keys: s.Keys[1:]}) }, "key 1 does not fit its id form-token."},
		"another name":      {func(s *stored) { s.Keys[0]["id"] = strings.Replace(s.Keys[0]["id"].(string), "form-token", "index", 1) }, "key 1 does not fit"},
		"a short secret":    {func(s *stored) { s.Keys[0]["secret"] = base64.StdEncoding.EncodeToString([]byte("short")) }, "key 1 does not fit"},
		"no secret":         {func(s *stored) { delete(s.Keys[2], "secret") }, "key 3 does not fit"},
		"no base64":         {func(s *stored) { s.Keys[0]["secret"] = "%%" }, "key 1 cannot be read"},
		"no id":             {func(s *stored) { delete(s.Keys[0], "id") }, "key 1 cannot be read"},
		"a later form":      {func(s *stored) { s.Version = 2 }, "has form 2, and this foyer knows form 1"},
		"something else":    {func(s *stored) { *s = stored{} }, "is not a file of keys, or is damaged"},
		"a time that isn't": {func(s *stored) { s.Keys[0]["created_at"] = "noon" }, "key 1 cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "foyer.keys")
			create(t, path)
			var shown string
			edit(t, path, func(s *stored) { x.change(s); shown = strings.Join(secrets(s), "|") })
			wantRefused(t, path, x.told)
			if _, err := keyring.Open(path); shown != "" && strings.Contains(err.Error(), strings.Split(shown, "|")[0]) {
				t.Errorf("a secret is shown: %v", err)
			}
		})
	}
}

func secrets(s *stored) (list []string) {
	for _, k := range s.Keys {
		if text, ok := k["secret"].(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// wantRefused checks that neither reading nor writing succeeds, and that the error is one line with the reason.
func wantRefused(t *testing.T, path, wantError string) {
	t.Helper()
	before, _ := os.ReadFile(path)
	for what, do := range map[string]func(string, time.Time) (*keyring.Ring, error){
		"open": func(s string, _ time.Time) (*keyring.Ring, error) { return keyring.Open(s) }, "create": keyring.Create, "add": keyring.Add,
	} {
		if _, err := do(path, noon); err == nil || !strings.HasPrefix(err.Error(), "keys: ") || !strings.Contains(err.Error(), wantError) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", what, err, wantError)
		}
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a wrong file was written over")
	}
}

func TestFileReadableByOthersIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "my foyer.keys")
	create(t, path)
	for _, mode := range []fs.FileMode{0o640, 0o604, 0o620, 0o601} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		wantRefused(t, path, "type: chmod 600 '"+path+"'")
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if _, err := keyring.Open(path); err != nil {
		t.Error(err)
	}
	wantRefused(t, filepath.Dir(path), "is not a file")
}

// Signing with an empty key would be worse than a panic.
func TestUnknownKeyPanics(t *testing.T) {
	ring := create(t, filepath.Join(t.TempDir(), "foyer.keys"))
	defer func() {
		if recover() == nil {
			t.Error("an unknown key was given")
		}
	}()
	ring.Key("another")
}

// An operator's sudo must not lock the service out of its keys.
func TestRootKeepsTheOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root, to have files of another user")
	}
	dir := filepath.Join(t.TempDir(), "data")
	path := filepath.Join(dir, "foyer.keys")
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, 23456)); err != nil {
		t.Fatal(err)
	}
	owner := func() (uid, gid uint32) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		stat := info.Sys().(*syscall.Stat_t)
		return stat.Uid, stat.Gid
	}
	create(t, path)
	if uid, gid := owner(); uid != 12345 || gid != 23456 {
		t.Errorf("the new file belongs to %d:%d", uid, gid)
	}
	edit(t, path, func(s *stored) { s.Keys = s.Keys[:1] })
	if err := os.Chown(path, 34567, 45678); err != nil {
		t.Fatal(err)
	}
	if _, err := keyring.Add(path, noon); err != nil {
		t.Fatal(err)
	}
	if uid, gid := owner(); uid != 34567 || gid != 45678 {
		t.Errorf("the owner has changed to %d:%d", uid, gid)
	}
}
