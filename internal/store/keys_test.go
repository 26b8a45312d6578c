package store_test

import (
	"testing"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// A database that was not migrated yet has no keys.
func TestKeysOfOlderTables(t *testing.T) {
	t.Parallel()
	onEachEngine(t, engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		if _, err := store.Migrate(t.Context(), database); err != nil {
			t.Fatal(err)
		}
		mustExec(t, database, `DROP TABLE keys`)
		if list, err := storetest.OpenReader(t, database).Keys(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("got %v, %v", list, err)
		}
	})
}
