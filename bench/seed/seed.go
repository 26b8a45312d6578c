// Package seed fills a database with the leads of two months, for measurements on stores that are not empty.
//
// It makes people up, with numbers and addresses that are reserved for that. It is no way to restore anything.
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

const leadsAtOnce = 50_000 // in one transaction

// Fill makes a database with a number of leads, as a service that has run for two months would have kept them. The tables are
// made by the store itself; the rows are written beside it, because the intake would take an hour.
func Fill(ctx context.Context, database string, leads int, now time.Time) error {
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
	err = fill(ctx, conn, leads, now)
	if err == nil && !strings.HasPrefix(database, "sqlite:") {
		_, err = conn.ExecContext(ctx, catchUp)
	}
	return errors.Join(err, conn.Close(), db.Close())
}

// prepare makes the tables, and the buyers of the past. They are paused: what comes in later is held.
func prepare(ctx context.Context, database string, now time.Time) error {
	st, err := store.Open(ctx, database, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	kept := st.KeepConsentTexts(ctx, now.Add(-span), consentText)
	err = st.Update(ctx, func(p *store.Tx) error {
		var errs []error
		for i, id := range buyers {
			errs = append(errs, p.PutBuyer(buyer.Buyer{
				ID: id, State: buyer.Paused, Why: "seeded", CreatedAt: now.Add(-span), UpdatedAt: now.Add(-span),
				Terms: buyer.Terms{Name: fmt.Sprintf("Network %d", i+1), URL: "https://leads.example.com/", Services: lead.Services, Priority: buyer.DefaultPriority},
			}))
		}
		return errors.Join(errs...)
	})
	return errors.Join(kept, err, st.Close())
}

// openFast opens a database for writing much at once. Nobody was promised anything, so it does not wait for the disk. The
// store brings the drivers.
func openFast(database string) (*sql.DB, error) {
	if path, found := strings.CutPrefix(database, "sqlite:"); found {
		return sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(MEMORY)&_pragma=synchronous(OFF)&_pragma=cache_size(-262144)&_pragma=busy_timeout(60000)")
	}
	return sql.Open("pgx", database)
}

// catchUp tells PostgreSQL what it would notice by itself only later: which numbers were given out, and how much there is.
const catchUp = `SELECT setval(pg_get_serial_sequence('leads', 'seq'), (SELECT max(seq) FROM leads)); ANALYZE`

// fill writes the leads and what became of them. Every lead is given its row, so that the same seed is the same everywhere.
func fill(ctx context.Context, conn *sql.Conn, leads int, now time.Time) error {
	b, err := openBooks(ctx, conn)
	if err != nil {
		return err
	}
	p := newPast(leads, now)
	for first := 1; first <= leads; first += leadsAtOnce {
		if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
			return err
		}
		for seq := first; seq < min(first+leadsAtOnce, leads+1); seq++ {
			if err := p.live(b, int64(seq)); err != nil {
				return err
			}
		}
		if err := b.flush(); err != nil {
			return err
		}
		if _, err := conn.ExecContext(ctx, "COMMIT"); err != nil {
			return err
		}
	}
	return b.close()
}
