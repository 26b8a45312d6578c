package dbadmin_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/dbadmin"
	"foyer/internal/store/storetest"
)

// TestBackupRequiresFreeSpace checks that a backup is refused before it fills the disk.
func TestBackupRequiresFreeSpace(t *testing.T) {
	database := largeDatabase(t, 5)
	folder := storetest.SmallDisk(t, "2m")
	if _, err := dbadmin.BackUp(t.Context(), database, filepath.Join(folder, "copy.db"), nil); err == nil || !strings.Contains(err.Error(), "there is no room in "+folder) {
		t.Errorf("got %v, want that there is no room", err)
	}
	wantEmptyFolder(t, folder)
}

// TestBackupDiskFillsUp fills the disk after the copy has started. The copy may finish first now and then.
func TestBackupDiskFillsUp(t *testing.T) {
	database, folder := largeDatabase(t, 20), storetest.SmallDisk(t, "30m")
	var err error
	for tries := 0; err == nil && tries < 20; tries++ {
		file := filepath.Join(folder, fmt.Sprint("copy", tries, ".db"))
		var empty func()
		wait := whenBackupStarts(file, func() { empty = storetest.FillDisk(t, folder) })
		_, err = dbadmin.BackUp(t.Context(), database, file, nil)
		wait()
		empty()
		if err == nil {
			os.Remove(file)
		}
	}
	if err == nil || !strings.Contains(err.Error(), "the disk of "+folder+" is full") {
		t.Errorf("got %v, want that the disk is full", err)
	}
	wantEmptyFolder(t, folder)
}

// TestBackupSyncFails uses a disk that accepts every write and fails to sync.
func TestBackupSyncFails(t *testing.T) {
	database := largeDatabase(t, 5)
	below := storetest.SmallDisk(t, "8m")
	folder := storetest.ImageDisk(t, below)
	if err := os.RemoveAll(filepath.Join(folder, "lost+found")); err != nil {
		t.Fatal(err)
	}
	storetest.FillDisk(t, below)
	_, err := dbadmin.BackUp(t.Context(), database, filepath.Join(folder, "copy.db"), nil)
	if err == nil {
		t.Error("a copy counts that is not on the disk")
	}
	t.Log(err)
	wantEmptyFolder(t, folder)
}
