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

// checkDamage compares indexes with their tables if the server has amcheck and this user may execute it. Otherwise it reads every
// row, which fails on a broken page. It uses its own connections, because one error would end the snapshot.
func (p *postgresServer) checkDamage(ctx context.Context, _ *snapshot, report func(Finding)) error {
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
		check := readAllRows
		if can {
			check = runAmcheck
		}
		err := check(ctx, db, s, report)
		if err != nil && !isDataError(err) {
			return err
		}
		if err != nil {
			report(Finding{What: fmt.Sprintf("the table %s is damaged: %s", s.name, oneLine(err)), Remedy: restoreDatabase})
		}
	}
	if !can {
		report(Finding{
			What: "the indexes were not looked at: the server's amcheck is not installed, or not for this user", Mild: true,
			Remedy: "CREATE EXTENSION amcheck, and let this user execute bt_index_check and verify_heapam",
		})
	}
	return nil
}

// isDataError reports whether the server's error is about its data, rather than about the server itself or the network.
func isDataError(err error) bool {
	var notConnected connectErrors
	var pgErr *pgconn.PgError
	return !errors.As(err, &notConnected) && errors.As(err, &pgErr) &&
		!slices.ContainsFunc(nonDataCodes, func(class string) bool { return strings.HasPrefix(pgErr.Code, class) })
}

// nonDataCodes are error codes and classes that say nothing about the data: connection, authentication, permission, resources,
// locks and cancellation.
var nonDataCodes = []string{"08", "28", "42501", "53", "55P03", "57"}

func hasAmcheck(ctx context.Context, db *sql.DB) (can bool, err error) {
	err = db.QueryRowContext(ctx, `SELECT COALESCE(bool_and(has_function_privilege(oid, 'execute')), false) AND count(DISTINCT proname) = 2
		FROM pg_proc WHERE proname IN ('bt_index_check', 'verify_heapam') AND pg_function_is_visible(oid)`).Scan(&can)
	return can, err
}

// runAmcheck compares each index with its table and checks that the rows of the table are valid.
func runAmcheck(ctx context.Context, db *sql.DB, s tableSpec, report func(Finding)) error {
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
			report(Finding{What: fmt.Sprintf("the index %s is damaged: %s", index, oneLine(err)), Remedy: "REINDEX INDEX " + index + ", and check again"})
		}
	}
	return each(ctx, db, func(r scanner) error {
		what, err := scanOne[string](r)
		report(Finding{What: fmt.Sprintf("the table %s is damaged: %s", s.name, what), Remedy: restoreDatabase})
		return err
	}, `SELECT msg FROM verify_heapam(to_regclass($1))`, s.name)
}

// readAllRows reads every row and discards it.
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

// checkEngine checks the type new_lead, the sequences, and the settings that can make a server lose what it acknowledged.
func (p *postgresServer) checkEngine(ctx context.Context, snap *snapshot, report func(Finding)) error {
	if err := checkTypes(ctx, snap, report); err != nil {
		return err
	}
	for _, s := range numberedTables() {
		var sequence string
		if err := snap.QueryRowContext(ctx, `SELECT COALESCE(pg_get_serial_sequence($1, 'seq'), '')`, s.name).Scan(&sequence); err != nil {
			return err
		}
		remedy := fmt.Sprintf(`SELECT setval('%s', (SELECT max(seq) FROM %s))`, sequence, s.name)
		if sequence == "" {
			report(Finding{What: "nothing numbers the rows of " + s.name, Remedy: restoreDatabase})
			continue
		}
		var behind bool
		if err := snap.QueryRowContext(ctx, `SELECT COALESCE((SELECT max(seq) FROM `+s.name+`), 0) >= last_value + CASE WHEN is_called THEN 1 ELSE 0 END FROM `+sequence).Scan(&behind); err != nil {
			return err
		}
		if behind {
			report(Finding{What: "the next row of " + s.name + " would get a number that is taken", Remedy: remedy})
		}
	}
	return p.checkSettings(ctx, snap, report)
}

// checkTypes finds a database that was restored table by table, which leaves out types.
func checkTypes(ctx context.Context, from querier, report func(Finding)) error {
	var missing bool
	err := from.QueryRowContext(ctx, `SELECT to_regtype('new_lead') IS NULL`).Scan(&missing)
	if missing {
		report(Finding{What: "the type new_lead is missing, so no lead can be kept", Remedy: createLeadType()})
	}
	return err
}

// createLeadType is the statement of the migration that creates the type. That migration cannot run again, because goose refuses
// one that later ones have followed.
func createLeadType() string {
	text, _ := migrations.ReadFile("migrations/00008_new_lead.sql") // it is embedded
	_, rest, _ := strings.Cut(toPostgres(string(text)), "CREATE TYPE")
	statement, _, _ := strings.Cut(rest, ";")
	return "CREATE TYPE" + statement
}

func (p *postgresServer) checkSettings(ctx context.Context, from querier, report func(Finding)) error {
	p.checkEncryption(report)
	if err := p.checkLimits(ctx, from, report); err != nil {
		return err
	}
	if err := checkDurability(ctx, from, report); err != nil {
		return err
	}
	return checkStandbys(ctx, from, report)
}
