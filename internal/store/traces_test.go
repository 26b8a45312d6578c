package store_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// canary returns a lead whose texts can be found in a file, above all long notes, which fill pages of their own.
func canary(i int) (l lead.Lead, marks []string) {
	l = storetest.FullLead(fmt.Sprintf("lead_canary%03d", i))
	mark := func(what string) string {
		m := fmt.Sprintf("Quixotl-%s-%03d.", what, i)
		marks = append(marks, m)
		return m
	}
	var notes strings.Builder
	for n := 0; notes.Len() < 5000; n++ {
		notes.WriteString(mark(fmt.Sprint("notes", n)) + strings.Repeat("x", 60+7*i%90))
	}
	l.Status = lead.Collected
	l.Request.Contact.Notes, l.Request.Contact.Name, l.Request.Contact.Street = notes.String(), mark("name"), mark("street")
	l.Request.City, l.Request.SourceAgent = mark("city"), mark("agent")
	return l, marks
}

// remains returns the marks that are found in the files of a database.
func remains(t *testing.T, database string, marks []string) (found []string) {
	t.Helper()
	path := strings.TrimPrefix(database, "sqlite:")
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range marks {
			if bytes.Contains(raw, []byte(m)) {
				found = append(found, filepath.Base(file)+": "+m)
			}
		}
	}
	return found
}

// TestErasingLeavesNoTraces reads the raw files of a database while the service runs: they contain no data of erased people,
// neither in free pages nor in the log, and all data of the others.
func TestErasingLeavesNoTraces(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	var all [][]string
	for i := range 150 {
		l, marks := canary(i)
		storetest.Save(t, s, l)
		all = append(all, marks)
	}
	readAll := func(tx *store.Tx) error {
		_, err := tx.LeadsWithPhone(true, func(string) bool { return false })
		return err
	}
	if err := s.View(t.Context(), readAll); err != nil {
		t.Fatal(err)
	}
	erase := func(i int) {
		t.Helper()
		storetest.Erase(t, s, fmt.Sprintf("lead_canary%03d", i))
	}
	for i := 0; i < len(all); i += 3 {
		if len(remains(t, database, all[i])) == 0 {
			t.Fatalf("the marks of lead %d are nowhere to be found", i)
		}
		erase(i)
		if found := remains(t, database, all[i]); len(found) > 0 {
			t.Fatalf("left of lead %d: %d marks, such as %s", i, len(found), found[0])
		}
	}
	for i, marks := range all {
		found := remains(t, database, marks)
		if i%3 == 0 && len(found) > 0 || i%3 != 0 && len(found) < len(marks)-3 { // a mark may be split between two pages
			t.Errorf("of lead %d, %d marks of %d are there", i, len(found), len(marks))
		}
	}
}

// A long read keeps the log in use. Other requests continue meanwhile, and Erase returns an error that says to repeat it.
func TestErasingWithLongReader(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	s := storetest.Open(t, database)
	l, marks := canary(1)
	storetest.Save(t, s, l)
	reading, err := storetest.Raw(t, database).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := reading.QueryRow(`SELECT count(*) FROM leads`).Scan(&n); err != nil {
		t.Fatal(err)
	}
	erase := func() error {
		_, err := storetest.Operator(s, time.Now()).Erase(t.Context(), audit.CLI("ada"), l.ID)
		return err
	}
	erased := make(chan error)
	go func() { erased <- erase() }()
	slowest := time.Duration(0)
	for i := 0; ; i++ {
		began := time.Now()
		storetest.Save(t, s, storetest.Lead(fmt.Sprint("lead_beside", i)))
		slowest = max(slowest, time.Since(began))
		select {
		case err = <-erased:
		default:
			continue
		}
		break
	}
	if err == nil || !strings.Contains(err.Error(), "erase it once more") {
		t.Errorf("erased with %v", err)
	}
	if slowest > time.Second {
		t.Errorf("a lead waited for %v", slowest)
	}
	if err := reading.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := erase(); err != nil {
		t.Fatal(err)
	}
	if found := remains(t, database, marks); len(found) > 0 {
		t.Errorf("left: %d marks, such as %s", len(found), found[0])
	}
}

// Permissions that a copied database gives to all users are removed. Permissions of its group are logged.
func TestFilesThatOthersCanReadAreTightened(t *testing.T) {
	t.Parallel()
	database := storetest.Database(t)
	path := strings.TrimPrefix(database, "sqlite:")
	s, err := store.Open(t.Context(), database, storetest.NoLog)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Chmod(file, 0o664); err != nil {
			t.Fatal(err)
		}
	}
	_, logText := openWithLog(t, database)
	for _, file := range []string{path, path + "-wal", path + "-shm"} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o660 {
			t.Errorf("%s: %v, %v", filepath.Base(file), info.Mode(), err)
		}
		if want := "others on this machine can read " + filepath.Base(file) + ", which holds"; !strings.Contains(logText(), want) {
			t.Errorf("the log does not say %q:\n%s", want, logText())
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
