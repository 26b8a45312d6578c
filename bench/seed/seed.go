// Package seed fills a database with the leads of two months, for measurements on stores that are not empty.
//
// The people are made up, with numbers and addresses reserved for that. The package cannot restore anything.
package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

const leadBatch = 50_000 // in one transaction

// Fill creates a database with a number of leads, as a service that has run for two months would have stored them. The
// store itself creates the tables; the rows are written directly, because the intake would take an hour.
func Fill(ctx context.Context, database string, leads int, now time.Time) error {
	return create(ctx, database, now, func(conn *sql.Conn) error {
		err := fill(ctx, conn, leads, now)
		if err == nil {
			err = runFollowers(ctx, conn)
		}
		if err == nil && !strings.HasPrefix(database, "sqlite:") {
			_, err = conn.ExecContext(ctx, refreshServer)
		}
		return err
	})
}

// create creates the tables and the buyers, and fills the rest with do.
func create(ctx context.Context, database string, now time.Time, do func(*sql.Conn) error) error {
	if err := prepare(ctx, database, now); err != nil {
		return err
	}
	db, err := openFast(database)
	if err != nil {
		return err
	}
	conn, err := db.Conn(ctx)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	return errors.Join(do(conn), conn.Close(), db.Close())
}

// prepare creates the tables and the buyers. The buyers are paused: leads that come in later are held.
func prepare(ctx context.Context, database string, now time.Time) error {
	st, err := store.Open(ctx, database, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	kept := st.KeepConsentTexts(ctx, now.Add(-historySpan), consentText)
	err = st.Update(ctx, func(tx *store.Tx) error {
		var errs []error
		for i, id := range buyers {
			errs = append(errs, tx.PutBuyer(buyer.Buyer{
				ID: id, State: buyer.Paused, Why: "seeded", CreatedAt: now.Add(-historySpan), UpdatedAt: now.Add(-historySpan),
				Terms: buyer.Terms{Name: fmt.Sprintf("Network %d", i+1), URL: "https://leads.example.com/", Services: lead.Services, Priority: buyer.DefaultPriority},
			}))
		}
		return errors.Join(errs...)
	})
	return errors.Join(kept, err, st.Close())
}

// openFast opens a database for bulk writes. Nothing was promised to anyone, so it does not wait for the disk. The store
// registers the drivers.
func openFast(database string) (*sql.DB, error) {
	if path, found := strings.CutPrefix(database, "sqlite:"); found {
		return sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(OFF)&_pragma=cache_size(-262144)&_pragma=busy_timeout(60000)")
	}
	return sql.Open("pgx", database)
}

// refreshServer tells PostgreSQL what it would notice by itself only later: the last row number, and table statistics.
const refreshServer = `SELECT setval(pg_get_serial_sequence('leads', 'seq'), (SELECT max(seq) FROM leads)); ANALYZE`

// fill writes the leads and their history. Every lead gets an explicit row number, so that the same seed is the same
// everywhere.
func fill(ctx context.Context, conn *sql.Conn, leads int, now time.Time) error {
	t, err := openTables(ctx, conn)
	if err != nil {
		return err
	}
	g := newGenerator(leads, now)
	for first := 1; first <= leads; first += leadBatch {
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			return err
		}
		for seq := first; seq < min(first+leadBatch, leads+1); seq++ {
			if err := g.addLead(t, int64(seq)); err != nil {
				return err
			}
		}
		if err := t.flush(); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
			return err
		}
	}
	return t.close()
}
