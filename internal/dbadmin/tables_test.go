package dbadmin_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store/migrations"
	"foyer/internal/store/storetest"
)

// column is a column as the engine reports it.
type column struct {
	table, name string
	key         int // position in the primary key, from 1; 0 if not part of it
}

var schemas = map[string]string{
	"SQLite": `SELECT m.name, c.name, c.pk FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`,
	"PostgreSQL": `SELECT c.table_name, c.column_name, COALESCE(k.ordinal_position, 0) FROM information_schema.columns c
		LEFT JOIN information_schema.table_constraints p ON p.table_name = c.table_name AND p.table_schema = c.table_schema AND p.constraint_type = 'PRIMARY KEY'
		LEFT JOIN information_schema.key_column_usage k ON k.constraint_name = p.constraint_name AND k.column_name = c.column_name
		WHERE c.table_schema = 'public'`,
}

// Every table and column of the migrations is either copied or listed as transient.
func TestEveryColumnIsCopiedOrListed(t *testing.T) {
	t.Parallel()
	for name, newDatabase := range storetest.Engines {
		t.Run(name, func(t *testing.T) {
			database := newDatabase(t)
			storetest.Open(t, database)
			rows, err := storetest.Raw(t, database).Query(schemas[name])
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
				if c.table == "goose_db_version" || strings.HasPrefix(c.table, "sqlite_") || migrations.Transient[c.table] != "" {
					continue
				}
				there[c.table] = append(there[c.table], c.name)
				if c.key > 0 {
					keys[c.table]++
				}
			}
			copied, copiedKeys := make(map[string][]string), make(map[string]int)
			for _, t := range migrations.Tables {
				copied[t.Name], copiedKeys[t.Name] = t.Columns, t.Keys
			}
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
