package store_test

import (
	"database/sql"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

func TestPostgreSQLContract(t *testing.T) {
	t.Parallel()
	server := postgres.Shared(t)
	storetest.Contract{NewDatabase: storetest.PostgreSQL, NewEmpty: func(t *testing.T) string { return server.Database(t) }}.Run(t)
}

// TestOnPostgreSQL repeats the SQLite tests that depend on nothing of SQLite.
func TestOnPostgreSQL(t *testing.T) {
	storetest.RunOnPostgreSQL(t, map[string]func(*testing.T){
		"many at once":     TestManySavesAtOnceAreAllKept,
		"gone callers":     TestCanceledSaveIsNotCommitted,
		"closed":           TestAClosedStoreRefuses,
		"closed while ill": TestStoreCanBeClosedWhileDown,
		"opened again":     TestLeadsSurviveClosingAndOpening,
		"reader":           TestAReaderCannotWrite,
	})
}

// openRaw opens a PostgreSQL database without the store.
func openRaw(t *testing.T, database string) *sql.DB {
	t.Helper()
	db, err := sql.Open("pgx", database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// The first start creates the tables as the migrations say, and the second one finds them.
func TestPostgreSQLTables(t *testing.T) {
	t.Parallel()
	database := postgres.Shared(t).Database(t)
	db := openRaw(t, database)
	storetest.Save(t, storetest.Open(t, database), storetest.Lead("lead_before"))
	tables := func() (text string) {
		t.Helper()
		err := db.QueryRowContext(t.Context(), `SELECT string_agg(table_name || '.' || column_name || ' ' || data_type || coalesce(' ' || collation_name, ''), ', ' ORDER BY table_name, ordinal_position)
			|| (SELECT string_agg(indexdef, ', ' ORDER BY indexname) FROM pg_indexes WHERE schemaname = 'public')
			|| (SELECT string_agg(version_id || ':' || is_applied, ', ' ORDER BY id) FROM goose_db_version)
			FROM information_schema.columns WHERE table_schema = 'public'`).Scan(&text)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := tables()
	s := storetest.Open(t, database)
	if tables() != before {
		t.Errorf("opening again changed the tables:\n%s\n%s", before, tables())
	}
	if !storetest.HasLead(t, s, "lead_before") {
		t.Error("opening again lost a lead")
	}
	if n := storetest.QueryInt(t, db, `SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`); n > 0 {
		t.Errorf("%d columns are compared in another way than byte by byte", n)
	}
	if n := storetest.QueryInt(t, db, `SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'integer' AND table_name <> 'goose_db_version'`); n > 0 {
		t.Errorf("%d columns hold no more than two thousand million", n)
	}
}
