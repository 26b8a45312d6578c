package dbadmin

import (
	"context"
	"database/sql"
	"fmt"

	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
	"foyer/internal/store/postgres"
)

// checkPostgresDamage compares indexes with their tables if the server has amcheck and this user may execute it. Otherwise it reads every
// row, which fails on a broken page. It uses its own connections, because one error would end the snapshot.
func checkPostgresDamage(ctx context.Context, e *postgres.Server, report func(db.Finding)) error {
	pool, err := e.Read()
	if err != nil {
		return err
	}
	defer pool.Close()
	can, err := hasAmcheck(ctx, pool)
	if err != nil {
		return err
	}
	for _, s := range migrations.Tables {
		if can {
			err = runAmcheck(ctx, e, pool, s, report)
		} else {
			err = db.Each(ctx, pool, func(db.Row) error { return nil }, `SELECT `+s.ColumnList()+` FROM `+s.Name)
		}
		if err != nil && !e.IsDamage(err) {
			return err
		}
		if err != nil {
			report(db.Finding{What: fmt.Sprintf("the table %s is damaged: %s", s.Name, db.OneLine(err)), Remedy: restoreDatabase})
		}
	}
	if !can {
		report(db.Finding{
			What: "the indexes were not looked at: the server's amcheck is not installed, or not for this user", Mild: true,
			Remedy: "CREATE EXTENSION amcheck, and let this user execute bt_index_check and verify_heapam",
		})
	}
	return nil
}

func hasAmcheck(ctx context.Context, pool *sql.DB) (can bool, err error) {
	err = pool.QueryRowContext(ctx, `SELECT COALESCE(bool_and(has_function_privilege(oid, 'execute')), false) AND count(*) = 2
		FROM pg_proc WHERE (oid = to_regprocedure('bt_index_check(regclass, boolean)') OR proname = 'verify_heapam') AND pg_function_is_visible(oid)`).Scan(&can)
	return can, err
}

// runAmcheck compares each index with its table and checks that the rows of the table are valid.
func runAmcheck(ctx context.Context, e *postgres.Server, pool *sql.DB, s db.Table, report func(db.Finding)) error {
	indexes, err := db.Collect(ctx, pool, db.FirstText, `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid = to_regclass($1) AND i.indisvalid ORDER BY c.relname`, s.Name)
	if err != nil {
		return err
	}
	for _, index := range indexes {
		_, err := pool.ExecContext(ctx, `SELECT bt_index_check(to_regclass($1), true)`, index)
		if err != nil && !e.IsDamage(err) {
			return err
		}
		if err != nil {
			report(db.Finding{What: fmt.Sprintf("the index %s is damaged: %s", index, db.OneLine(err)), Remedy: "REINDEX INDEX " + index + ", and check again"})
		}
	}
	return db.Each(ctx, pool, func(r db.Row) error {
		report(db.Finding{What: fmt.Sprintf("the table %s is damaged: %s", s.Name, r.Text(0)), Remedy: restoreDatabase})
		return nil
	}, `SELECT msg FROM verify_heapam(to_regclass($1))`, s.Name)
}

// checkPostgresTables checks the sequences that number the rows.
func checkPostgresTables(ctx context.Context, snap *db.Snapshot, report func(db.Finding)) error {
	for _, s := range migrations.Tables {
		if !s.Numbered() {
			continue
		}
		var sequence string
		if err := snap.QueryRowContext(ctx, `SELECT COALESCE(pg_get_serial_sequence($1, 'seq'), '')`, s.Name).Scan(&sequence); err != nil {
			return err
		}
		remedy := fmt.Sprintf(`SELECT setval('%s', (SELECT max(seq) FROM %s))`, sequence, s.Name)
		if sequence == "" {
			report(db.Finding{What: "nothing numbers the rows of " + s.Name, Remedy: restoreDatabase})
			continue
		}
		var behind bool
		if err := snap.QueryRowContext(ctx, `SELECT COALESCE((SELECT max(seq) FROM `+s.Name+`), 0) >= last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM `+sequence).Scan(&behind); err != nil {
			return err
		}
		if behind {
			report(db.Finding{What: "the next row of " + s.Name + " would get a number that is taken", Remedy: remedy})
		}
	}
	return nil
}
