package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// A failed disk may be unmounted for repair. The store must not create a new database in the empty mount point: the repaired disk
// would hide that database forever.
func TestNoNewDatabaseWhileDiskIsUnmounted(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "disk")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	s, logText := openWithLog(t, "sqlite:"+filepath.Join(folder, "foyer.db"))
	storetest.Save(t, s, storetest.Lead("lead_before"))
	if err := os.Rename(folder, folder+" away"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	_ = s.BreakConnection(t.Context())
	storetest.Eventually(t, "a first retry fails", func() bool { return strings.Contains(logText(), "still refuses") })
	if _, err := s.LeadSummary(t.Context(), "lead_before"); storetest.KindOf(err) != lead.Unavailable {
		t.Errorf("a look-up: got %v, want kind %s", err, lead.Unavailable)
	}
	if err := os.Remove(folder); err != nil {
		t.Errorf("something was made in the empty folder: %v", err)
		os.RemoveAll(folder)
	}
	if err := os.Rename(folder+" away", folder); err != nil {
		t.Fatal(err)
	}
	awaitRecovery(t, s)
	storetest.Save(t, s, storetest.Lead("lead_after"))
	if !storetest.HasLead(t, s, "lead_before") {
		t.Error("lead_before was acknowledged and is lost")
	}
}
