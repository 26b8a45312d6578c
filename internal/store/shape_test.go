package store_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// engines makes a database without leads on each engine; nothing makes one without tables.
var (
	engines = map[string]func(t *testing.T) string{"SQLite": newDatabase, "PostgreSQL": storetest.PostgreSQL}
	emptyDatabases = map[string]func(t *testing.T) string{
		"SQLite": newDatabase, "PostgreSQL": func(t *testing.T) string { return postgres.Shared(t).Database(t) },
	}
)

// onEachEngine runs a test on both.
func onEachEngine(t *testing.T, databases map[string]func(t *testing.T) string, do func(t *testing.T, newDatabase func(t *testing.T) string)) {
	for name, newDatabase := range databases {
		t.Run(name, func(t *testing.T) { do(t, newDatabase) })
	}
}

// column is one column as the engine knows it.
type column struct {
	table, name string
	key         int // its place in the primary key, from 1; 0 outside of it
}

var schemas = map[string]string{
	"SQLite": `SELECT m.name, c.name, c.pk FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
	"PostgreSQL": `SELECT c.table_name, c.column_name, COALESCE(k.ordinal_position, 0) FROM information_schema.columns c
		LEFT JOIN information_schema.table_constraints p ON p.table_name = c.table_name AND p.table_schema = c.table_schema AND p.constraint_type = 'PRIMARY KEY'
		LEFT JOIN information_schema.key_column_usage k ON k.constraint_name = p.constraint_name AND k.column_name = c.column_name
		WHERE c.table_schema = 'public'`,
}

// A table or a column that a migration adds is copied, or somebody has said why not.
func TestEveryColumnIsCopiedOrListed(t *testing.T) {
	t.Parallel()
	for name, newDatabase := range engines {
		t.Run(name, func(t *testing.T) {
			database := newDatabase(t)
			storetest.Open(t, database)
			rows, err := store.Raw(t, database).Query(schemas[name])
			if err != nil {
				t.Fatal(err)
			}
			defer rows.Close()
			there, keys := make(map[string][]string), make(map[string]int)
			for rows.Next() {
				var c column
				if err := rows.Scan(&c.table, &c.name, &c.key); err != nil {
					t.Fatal(err)
				}
				if c.table == "goose_db_version" || strings.HasPrefix(c.table, "sqlite_") || store.NotCopied[c.table] != "" {
					continue
				}
				there[c.table] = append(there[c.table], c.name)
				if c.key > 0 {
					keys[c.table]++
				}
			}
			copied, copiedKeys := store.Tables()
			for _, list := range []map[string][]string{there, copied} {
				for table, columns := range list {
					list[table] = slices.Sorted(slices.Values(columns))
				}
			}
			if diff := cmp.Diff(there, copied); diff != "" {
				t.Errorf("what is there and what is copied (-there +copied):\n%s", diff)
			}
			if !maps.Equal(keys, copiedKeys) {
				t.Errorf("the keys are %v, copied by %v", keys, copiedKeys)
			}
		})
	}
}
