package store_test

import (
	"testing"

	"foyer/internal/dbadmin"
	"foyer/internal/store/storetest"
)

// A database that was not migrated yet has no keys.
func TestKeysOfOlderTables(t *testing.T) {
	t.Parallel()
	storetest.OnEachEngine(t, storetest.Engines, func(t *testing.T, newDatabase func(t *testing.T) string) {
		database := newDatabase(t)
		if _, err := dbadmin.Migrate(t.Context(), database, nil); err != nil {
			t.Fatal(err)
		}
		storetest.MustExec(t, database, `DROP TABLE keys`)
		if list, err := storetest.OpenReader(t, database).Keys(t.Context()); err != nil || len(list) != 0 {
			t.Errorf("got %v, %v", list, err)
		}
	})
}
