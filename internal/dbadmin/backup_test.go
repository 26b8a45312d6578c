package dbadmin_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/dbadmin"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// backUp makes a copy, which must succeed, and names it as the setting "database" does.
func backUp(t *testing.T, database string) (made dbadmin.Copy, copied string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "copy.db")
	made, err := dbadmin.BackUp(t.Context(), database, file, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantOnlyFile(t, file)
	return made, "sqlite:" + file
}

// wantOnlyFile fails unless file is alone in its folder: no temporary files are left.
func wantOnlyFile(t *testing.T, file string) {
	t.Helper()
	found, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(found) != 1 || found[0].Name() != filepath.Base(file) {
		t.Errorf("there are %v (%v), want %s", found, err, file)
	}
}

// TestBackupUnderLoad copies a database while leads are saved. Leads that were acknowledged before are in the copy, and saving
// continues meanwhile.
func TestBackupUnderLoad(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	fullLead := storetest.FullLead("lead_full")
	storetest.Save(t, s, fullLead)
	stop, kept := saveContinuously(t, s)
	defer stop()
	storetest.Eventually(t, "some hundred leads are kept", func() bool { return len(kept()) > 500 })

	before := kept()
	made, copied := backUp(t, database)
	during := len(kept()) - len(before)
	stop()
	if during == 0 {
		t.Error("nothing was saved while the copy was made")
	}
	if maxLeads := int64(1 + len(kept())); made.Leads <= int64(len(before)) || made.Leads > maxLeads {
		t.Errorf("the copy is said to have %d leads, want more than %d and at most %d", made.Leads, len(before), maxLeads)
	}
	again := storetest.Open(t, copied) // as a service does
	for _, id := range before {
		if !storetest.HasLead(t, again, id) {
			t.Fatalf("%s was acknowledged before the backup began and is not in it", id)
		}
	}
	got, err := storetest.Find(t, again, fullLead.ID)
	if diff := cmp.Diff(fullLead, got); err != nil || diff != "" {
		t.Errorf("a lead changed on the way (%v):\n%s", err, diff)
	}
	storetest.Save(t, again, storetest.Lead("lead_after"))
}

// saveContinuously saves leads from several goroutines until it is stopped, and tracks which were acknowledged.
func saveContinuously(t *testing.T, s *store.Store) (stop func(), kept func() []string) {
	var (
		all  sync.WaitGroup
		over atomic.Bool
		mu   sync.Mutex
		ids  []string
	)
	for i := range 8 {
		all.Go(func() {
			for n := 0; !over.Load(); n++ {
				l := storetest.Lead(fmt.Sprint("lead_", i, "_", n))
				if _, err := s.SaveLead(context.Background(), &l, nil, l.CreatedAt); err != nil {
					t.Errorf("saving: %v", err)
					return
				}
				mu.Lock()
				ids = append(ids, l.ID)
				mu.Unlock()
			}
		})
	}
	return func() { over.Store(true); all.Wait() }, func() []string { mu.Lock(); defer mu.Unlock(); return slices.Clone(ids) }
}

func TestBackupIsPrivate(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_1"))
	made, copied := backUp(t, database)
	info, err := os.Stat(strings.TrimPrefix(copied, "sqlite:"))
	if err != nil || info.Mode().Perm() != 0o600 || info.Size() != made.Bytes || made.Leads != 1 {
		t.Errorf("got %+v with the rights %v (%v)", made, info.Mode(), err)
	}
}

// TestBackupOmitsErasedData searches the bytes of the copy: the pages of the database itself still hold erased data that nothing
// has overwritten yet.
func TestBackupOmitsErasedData(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	for n := range 50 {
		l := storetest.Lead(fmt.Sprint("lead_", n))
		l.Request.Contact.Notes = fmt.Sprint("notes of ", []string{"who stays", "who goes"}[n%2], strings.Repeat(".", 300))
		storetest.Save(t, s, l)
	}
	for n := 1; n < 50; n += 2 {
		storetest.Erase(t, s, fmt.Sprint("lead_", n))
	}
	_, copied := backUp(t, database)
	all, err := os.ReadFile(strings.TrimPrefix(copied, "sqlite:"))
	if stay := bytes.Count(all, []byte("who stays")); err != nil || stay < 25 {
		t.Fatalf("of 25 who stay, the copy has %d (%v)", stay, err)
	}
	if gone := bytes.Count(all, []byte("who goes")); gone > 0 {
		t.Errorf("of those who were erased, the copy still holds %d", gone)
	}
}

func TestBackupErrors(t *testing.T) {
	database := storetest.Database(t)
	path := strings.TrimPrefix(database, "sqlite:")
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_1"))
	folder := t.TempDir()
	there := func(name string) string {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(folder, name)
	}
	t.Chdir(filepath.Dir(path))
	for name, c := range map[string]struct{ database, file, told string }{
		"a file is there":            {database, there("old.db"), "nothing is written over"},
		"a folder is there":          {database, folder, "nothing is written over"},
		"a log is beside it":         {database, strings.TrimSuffix(there("logged.db-wal"), "-wal"), "logged.db-wal is there already"},
		"another is being made":      {database, strings.TrimSuffix(there("half.db.part"), ".part"), "another backup is being made"},
		"no folder":                  {database, filepath.Join(folder, "nowhere", "new.db"), "there is no folder"},
		"a file for a folder":        {database, filepath.Join(there("file"), "new.db"), "there is no folder"},
		"the database itself":        {database, path, "belongs to the database"},
		"the same by another name":   {database, "./foyer.db", "belongs to the database"},
		"a file of the database":     {database, path + "-journal", "belongs to the database"},
		"no database":                {"sqlite:" + filepath.Join(folder, "none.db"), filepath.Join(folder, "new.db"), "there is no database at"},
		"not a database":             {"sqlite:" + there("notes.txt"), filepath.Join(folder, "new.db"), "cannot read"},
		"another engine":             {"postgres://foyer:secret@db.example.com/foyer", filepath.Join(folder, "new.db"), "use pg_dump for PostgreSQL, as docs/operations.md says"},
		"another engine's long name": {"postgresql://foyer:secret@db.example.com/foyer", filepath.Join(folder, "new.db"), "use pg_dump"},
		"an unknown engine":          {"mysql:foyer", filepath.Join(folder, "new.db"), "only sqlite:PATH and postgres://"},
	} {
		t.Run(name, func(t *testing.T) {
			before, _ := os.ReadFile(c.file)
			_, err := dbadmin.BackUp(t.Context(), c.database, c.file, nil)
			if err == nil || !strings.Contains(err.Error(), c.told) || strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, want %q", err, c.told)
			}
			if after, _ := os.ReadFile(c.file); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "new*")); len(found) > 0 {
		t.Errorf("something is left: %q", found)
	}
}

// TestBackupRefusesDamagedDatabase corrupts a page that the copy must read, and then an index entry that it does not read.
func TestBackupRefusesDamagedDatabase(t *testing.T) {
	t.Parallel()
	for told, corrupt := range map[string]func(t *testing.T, path string){
		"the database is damaged": corruptPage,
		"the copy is damaged":     corruptIndex,
	} {
		t.Run(told, func(t *testing.T) {
			database := storetest.Database(t)
			s, err := store.Open(t.Context(), database, storetest.NoLog)
			if err != nil {
				t.Fatal(err)
			}
			storetest.Save(t, s, storetest.Lead("lead_1"))
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			corrupt(t, strings.TrimPrefix(database, "sqlite:"))
			file := filepath.Join(t.TempDir(), "copy.db")
			if _, err := dbadmin.BackUp(t.Context(), database, file, nil); err == nil || !strings.Contains(err.Error(), told) {
				t.Errorf("got %v, want that %s", err, told)
			}
			wantEmptyFolder(t, filepath.Dir(file))
		})
	}
}

// corruptPage overwrites the third page of a file.
func corruptPage(t *testing.T, path string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{0x55}, 4096), 2*4096); err != nil {
		t.Fatal(err)
	}
}

// corruptIndex changes lead ids without updating their index.
func corruptIndex(t *testing.T, path string) {
	t.Helper()
	for _, statements := range [][]string{
		{"CREATE TABLE aside AS SELECT * FROM sqlite_schema WHERE name = 'leads_id'", "PRAGMA writable_schema = ON", "DELETE FROM sqlite_schema WHERE name = 'leads_id'"},
		{"UPDATE leads SET id = 'lead_other'", "PRAGMA writable_schema = ON", "INSERT INTO sqlite_schema SELECT * FROM aside"},
	} {
		db, err := sql.Open("sqlite", "file:"+path)
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		for _, statement := range statements {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatalf("%s: %v", statement, err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func wantEmptyFolder(t *testing.T, folder string) {
	t.Helper()
	if found, _ := os.ReadDir(folder); len(found) > 0 {
		t.Errorf("something is left: %v", found)
	}
}

func TestBackupCanBeCanceled(t *testing.T) {
	t.Parallel()
	database, file := largeDatabase(t, 20), filepath.Join(t.TempDir(), "copy.db")
	ctx, stop := context.WithCancel(t.Context())
	wait := whenBackupStarts(file, stop)
	if _, err := dbadmin.BackUp(ctx, database, file, nil); err == nil || !strings.Contains(err.Error(), "stopped before the copy was complete") {
		t.Errorf("got %v", err)
	}
	wait()
	wantEmptyFolder(t, filepath.Dir(file))
}

// TestBackupNameTakenMeanwhile creates a file with the name of the copy while the copy is made.
func TestBackupNameTakenMeanwhile(t *testing.T) {
	t.Parallel()
	database, file := largeDatabase(t, 20), filepath.Join(t.TempDir(), "copy.db")
	wait := whenBackupStarts(file, func() { _ = os.WriteFile(file, []byte("mine"), 0o600) })
	if _, err := dbadmin.BackUp(t.Context(), database, file, nil); err == nil || !strings.Contains(err.Error(), "made by somebody else meanwhile") {
		t.Errorf("got %v", err)
	}
	wait()
	if text, err := os.ReadFile(file); string(text) != "mine" {
		t.Errorf("the file was written over (%v)", err)
	}
	wantOnlyFile(t, file)
}

// whenBackupStarts calls do as soon as the copy starts, or at the latest when wait is called.
func whenBackupStarts(file string, do func()) (wait func()) {
	over, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		defer do()
		for {
			select {
			case <-over:
				return
			case <-time.After(10 * time.Microsecond):
				if _, err := os.Lstat(file + ".part"); err == nil {
					return
				}
			}
		}
	}()
	return func() { close(over); <-done }
}

// largeDatabase makes a database with one lead and enough other data that copying it takes a while.
func largeDatabase(t *testing.T, megabytes int) (database string) {
	t.Helper()
	database = storetest.Database(t)
	s := storetest.Open(t, database)
	storetest.Save(t, s, storetest.Lead("lead_1"))
	for _, statement := range []string{
		`CREATE TABLE ballast (weight BLOB)`,
		fmt.Sprintf(`INSERT INTO ballast WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT zeroblob(1000000) FROM n`, megabytes),
	} {
		storetest.MustExec(t, database, statement)
	}
	return database
}
