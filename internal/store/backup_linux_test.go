package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foyer/internal/store"
)

// TestBackupRequiresFreeSpace refuses before the disk is full.
func TestBackupRequiresFreeSpace(t *testing.T) {
	database := largeDatabase(t, 5)
	folder := smallDisk(t, "2m")
	if _, err := store.BackUp(t.Context(), database, filepath.Join(folder, "copy.db")); err == nil || !strings.Contains(err.Error(), "there is no room in "+folder) {
		t.Errorf("got %v, want that there is no room", err)
	}
	wantEmptyFolder(t, folder)
}

// TestBackupDiskFillsUp takes the room away after the copy was begun. The copy may be quicker now and then.
func TestBackupDiskFillsUp(t *testing.T) {
	database, folder := largeDatabase(t, 20), smallDisk(t, "30m")
	var err error
	for tries := 0; err == nil && tries < 20; tries++ {
		file := filepath.Join(folder, fmt.Sprint("copy", tries, ".db"))
		var empty func()
		wait := whenBackupStarts(file, func() { empty = fill(t, folder) })
		_, err = store.BackUp(t.Context(), database, file)
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

// TestBackupSyncFails takes every write and fails to sync.
func TestBackupSyncFails(t *testing.T) {
	database := largeDatabase(t, 5)
	below := smallDisk(t, "8m")
	folder := imageDisk(t, below)
	if err := os.RemoveAll(filepath.Join(folder, "lost+found")); err != nil {
		t.Fatal(err)
	}
	fill(t, below)
	_, err := store.BackUp(t.Context(), database, filepath.Join(folder, "copy.db"))
	if err == nil {
		t.Error("a copy counts that is not on the disk")
	}
	t.Log(err)
	wantEmptyFolder(t, folder)
}
