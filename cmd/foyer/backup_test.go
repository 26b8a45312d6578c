package main_test

import (
	"database/sql"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

var backupLine = regexp.MustCompile(`^backup: ([0-9,]+) leads in (\S+) \([0-9,]+ MB\), checked\nThe keys are not in it: keep a copy of (\S+) as well, in another place\.\n$`)

// TestRestoreBackup follows docs/operations.md: a copy of a running service's database replaces the database, and the
// service answers for the leads in it.
func TestRestoreBackup(t *testing.T) {
	storetest.Parallel(t)
	folder, copied := t.TempDir(), filepath.Join(t.TempDir(), "foyer-2026-11-15.db")
	first := serve(t, folder)
	kept := []string{first.Submit(), first.Submit()}
	out, stderr, code := run(t, "backup", copied, "--database", first.Database)
	if said := backupLine.FindStringSubmatch(out); code != 0 || said == nil || said[1] != "2" || said[2] != copied || said[3] != filepath.Join(folder, "foyer.keys") {
		t.Fatalf("backup: %d %q %q", code, out, stderr)
	}
	later := first.Submit()
	first.Kill() // as in a real crash: the log file is left behind

	away := t.TempDir()
	for _, name := range []string{"foyer.db", "foyer.db-wal", "foyer.db-shm"} {
		if err := os.Rename(filepath.Join(folder, name), filepath.Join(away, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(copied, filepath.Join(folder, "foyer.db")); err != nil {
		t.Fatal(err)
	}
	second := serve(t, folder)
	for _, id := range kept {
		if status, body := second.Get("/v1/leads/" + id); status != http.StatusOK {
			t.Errorf("%s is in the copy: %d %s", id, status, body)
		}
	}
	if status, _ := second.Get("/v1/leads/" + later); status != http.StatusNotFound {
		t.Errorf("a lead that came after the backup: %d", status)
	}
	list, _, _ := run(t, "leads", "list", "--database", second.Database)
	if again := second.Submit(); !strings.Contains(list, kept[0]) || !strings.Contains(list, kept[1]) || strings.Contains(list, later) || again == "" {
		t.Errorf("the list:\n%s", list)
	}
}

// TestBackupWithoutKeys expects a warning: the key file is not where it should be.
func TestBackupWithoutKeys(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	p := serve(t, folder)
	p.Kill()
	keys := filepath.Join(folder, "foyer.keys")
	if err := os.Remove(keys); err != nil {
		t.Fatal(err)
	}
	out, stderr, code := run(t, "backup", filepath.Join(t.TempDir(), "copy.db"), "--database", p.Database)
	if code != 0 || !strings.Contains(out, "\nWARNING: the keys are not in it, and "+keys+" is missing: ") || strings.Contains(out, "keep a copy of") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
}

func TestBackupRefusesExistingFile(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	p.Submit()
	copied := filepath.Join(t.TempDir(), "copy.db")
	if _, stderr, code := run(t, "backup", copied, "--database", p.Database); code != 0 {
		t.Fatalf("backup: %d %q", code, stderr)
	}
	for file, text := range map[string]string{
		copied: copied + " is there already, and nothing is written over",
		strings.TrimPrefix(p.Database, "sqlite:"): "belongs to the database that is to be copied",
		filepath.Join(copied, "no", "folder.db"):  "there is no folder",
	} {
		if out, stderr, code := run(t, "backup", file, "--database", p.Database); code != 1 || out != "" || !strings.Contains(stderr, text) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: %d %q %q", file, code, out, stderr)
		}
	}
	if _, stderr, code := run(t, "backup", copied+"2", "--database", "sqlite:/nowhere/foyer.db"); code != 1 || !strings.Contains(stderr, "there is no database at") {
		t.Errorf("no database: %d %q", code, stderr)
	}
	if _, stderr, code := run(t, "backup", copied+"2", "--database", "postgres://foyer:secret@db.example.com/foyer"); code != 1 || !strings.Contains(stderr, "use pg_dump for PostgreSQL") || strings.Contains(stderr, "secret") {
		t.Errorf("another engine: %d %q", code, stderr)
	}
}

// TestKilledBackupLeavesNoFile kills a backup without warning: a file with the name of a backup is always complete.
func TestKilledBackupLeavesNoFile(t *testing.T) {
	storetest.Parallel(t)
	p := serve(t, t.TempDir())
	p.Submit()
	addBulk(t, p.Database)
	copied := filepath.Join(t.TempDir(), "copy.db")
	cmd := exec.Command(binary.Program, "backup", copied, "--database", p.Database)
	cmd.Env = binary.EnvironmentOf(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(binary.Patience); !exists(copied + ".part"); time.Sleep(100 * time.Microsecond) {
		if time.Now().After(deadline) {
			_ = cmd.Process.Kill()
			t.Fatal("no copy was begun")
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if exists(copied) || !exists(copied+".part") {
		t.Fatalf("after the kill there is a copy: %v; and a part of one: %v", exists(copied), exists(copied+".part"))
	}
	if _, stderr, code := run(t, "backup", copied, "--database", p.Database); code != 1 || !strings.Contains(stderr, copied+".part is there already") {
		t.Errorf("what was left is not named: %d %q", code, stderr)
	}
	if err := os.Remove(copied + ".part"); err != nil {
		t.Fatal(err)
	}
	if out, stderr, code := run(t, "backup", copied, "--database", p.Database); code != 0 || !strings.Contains(out, "backup: 1 lead in") {
		t.Errorf("after it was removed: %d %q %q", code, out, stderr)
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// addBulk adds data beside the leads that takes a while to copy.
func addBulk(t *testing.T, database string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(database, "sqlite:")+"?_pragma=busy_timeout(5000)") // the service writes, too
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), `CREATE TABLE ballast AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) SELECT zeroblob(1000000) FROM n`); err != nil {
		t.Fatal(err)
	}
}
