package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// checkDamage has the server hold indexes and tables against each other where its amcheck is installed and may be used. Else
// every row is read: a page that is broken says so. It has connections of its own: one error would end the moment.
func (p *postgresServer) checkDamage(ctx context.Context, _ *snapshot, tell func(Finding)) error {
	db, err := p.read()
	if err != nil {
		return err
	}
	defer db.Close()
	can, err := hasAmcheck(ctx, db)
	if err != nil {
		return err
	}
	for _, s := range tableSpecs {
		look := readAllRows
		if can {
			look = runAmcheck
		}
		err := look(ctx, db, s, tell)
		if err != nil && !isDataError(err) {
			return err
		}
		if err != nil {
			tell(Finding{What: fmt.Sprintf("the table %s is damaged: %s", s.name, oneLine(err)), Remedy: restoreDatabase})
		}
	}
	if !can {
		tell(Finding{
			What: "the indexes were not looked at: the server's amcheck is not installed, or not for this user", Mild: true,
			Remedy: "CREATE EXTENSION amcheck, and let this user execute bt_index_check and verify_heapam",
		})
	}
	return nil
}

// isDataError tells what the server says about its data from what it says about itself, and from what the network says.
func isDataError(err error) bool {
	var closed connectErrors
	var said *pgconn.PgError
	return !errors.As(err, &closed) && errors.As(err, &said) &&
		!slices.ContainsFunc(nonDataCodes, func(class string) bool { return strings.HasPrefix(said.Code, class) })
}

// nonDataCodes are errors, and classes of them, that say nothing about the data: the connection, who asks, what it may do, what
// is locked, what the server has no room for, and what it stopped.
var nonDataCodes = []string{"08", "28", "42501", "53", "55P03", "57"}

func hasAmcheck(ctx context.Context, db *sql.DB) (can bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT COALESCE(bool_and(has_function_privilege(oid, 'execute')), false) AND count(DISTINCT proname) = 2
		FROM pg_proc WHERE proname IN ('bt_index_check', 'verify_heapam') AND pg_function_is_visible(oid)`).Scan(&can)
	return can, err
}

// runAmcheck holds each index against its table, and the rows of the table against what rows can be.
func runAmcheck(ctx context.Context, db *sql.DB, s tableSpec, tell func(Finding)) error {
	indexes, err := collect(ctx, db, scanOne[string], `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid = to_regclass($1) AND i.indisvalid ORDER BY c.relname`, s.name)
	if err != nil {
		return err
	}
	for _, index := range indexes {
		_, err := db.ExecContext(ctx, `SELECT bt_index_check(to_regclass($1), true)`, index)
		if err != nil && !isDataError(err) {
			return err
		}
		if err != nil {
			tell(Finding{What: fmt.Sprintf("the index %s is damaged: %s", index, oneLine(err)), Remedy: "REINDEX INDEX " + index + ", and check again"})
		}
	}
	return each(ctx, db, func(r scanner) error {
		what, err := scanOne[string](r)
		tell(Finding{What: fmt.Sprintf("the table %s is damaged: %s", s.name, what), Remedy: restoreDatabase})
		return err
	}, `SELECT msg FROM verify_heapam(to_regclass($1))`, s.name)
}

// readAllRows reads every row, without keeping any.
func readAllRows(ctx context.Context, db *sql.DB, s tableSpec, _ func(Finding)) error {
	rows, err := db.QueryContext(ctx, `SELECT `+s.columnList()+` FROM `+s.name)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
	}
	return rows.Err()
}

// checkEngine looks at what leads are handed in as, at what gives rows their numbers, and at the settings by which a server forgets
// what it acknowledged.
func (p *postgresServer) checkEngine(ctx context.Context, now *snapshot, tell func(Finding)) error {
	if err := checkTypes(ctx, now, tell); err != nil {
		return err
	}
	for _, s := range numberedTables() {
		var sequence string
		if err := now.QueryRowContext(ctx, `SELECT COALESCE(pg_get_serial_sequence($1, 'seq'), '')`, s.name).Scan(&sequence); err != nil {
			return err
		}
		remedy := fmt.Sprintf(`SELECT setval('%s', (SELECT max(seq) FROM %s))`, sequence, s.name)
		if sequence == "" {
			tell(Finding{What: "nothing numbers the rows of " + s.name, Remedy: restoreDatabase})
			continue
		}
		var behind bool
		if err := now.QueryRowContext(ctx, `SELECT COALESCE((SELECT max(seq) FROM `+s.name+`), 0) >= last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM `+sequence).Scan(&behind); err != nil {
			return err
		}
		if behind {
			tell(Finding{What: "the next row of " + s.name + " would get a number that is taken", Remedy: remedy})
		}
	}
	return p.checkSettings(ctx, now, tell)
}

// checkTypes finds a database that was restored table by table: types are left out then.
func checkTypes(ctx context.Context, from querier, tell func(Finding)) error {
	var missing bool
	err := from.QueryRowContext(ctx, `SELECT to_regtype('new_lead') IS NULL`).Scan(&missing)
	if missing {
		tell(Finding{What: "the type new_lead is missing, so no lead can be kept", Remedy: createLeadType()})
	}
	return err
}

// createLeadType is the statement that makes the type, as its migration has it: to make a migration again that others came behind is
// refused.
func createLeadType() string {
	text, _ := migrations.ReadFile("migrations/00008_new_lead.sql") // it is built in
	_, rest, _ := strings.Cut(toPostgres(string(text)), "CREATE TYPE")
	statement, _, _ := strings.Cut(rest, ";")
	return "CREATE TYPE" + statement
}

func (p *postgresServer) checkSettings(ctx context.Context, from querier, tell func(Finding)) error {
	p.checkEncryption(tell)
	if err := p.checkLimits(ctx, from, tell); err != nil {
		return err
	}
	if err := checkDurability(ctx, from, tell); err != nil {
		return err
	}
	return checkStandbys(ctx, from, tell)
}
