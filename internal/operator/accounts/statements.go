package accounts

import (
	"context"
	"errors"
	"io"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/operator/entered"
	"foyer/internal/operator/query"
	"foyer/internal/store"
)

// Statement returns the statement of a buyer for a month, to write an invoice by: the closed one, or what it would be now.
func (ac *Accounts) Statement(ctx context.Context, id string, m buyer.Month, zone *time.Location) (s buyer.Statement, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) { s, _, err = query.Statement(tx, id, m, zone); return err })
	return s, err
}

// Statements lists closed statements, the newest month first: those of a buyer, or all if id is "".
func (ac *Accounts) Statements(ctx context.Context, id string) (list []buyer.Statement, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Ledger().Statements(id); return err })
	return list, err
}

// CloseStatement closes the statement of a buyer for a month that is over. Months are closed in their order, and end as those of the
// reports do: a month that was closed in another time zone by mistake could not be put right.
func (ac *Accounts) CloseStatement(ctx context.Context, by audit.Actor, id string, m buyer.Month, zone *time.Location) (s buyer.Statement, err error) {
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		var lines store.LedgerLines
		if s, lines, err = query.Statement(tx, id, m, zone); err != nil {
			return err
		}
		counted, _, err := tx.LeadCounts().Zone()
		if err != nil {
			return err
		}
		now := ac.Now()
		switch {
		case counted != nil && counted.String() != zone.String():
			return errOtherZone(counted, zone)
		case s.ID != "":
			return entered.Refuse("the statement of %s for %s is closed already, since %s", id, m, s.ClosedAt.UTC().Format("2006-01-02"))
		case now.Before(s.Ends):
			return errNotOver(m, zone)
		}
		if earlier, err := query.OpenBefore(tx, lines, zone); err != nil {
			return err
		} else if earlier != "" {
			return entered.Refuse("%s has open lines from before %s: close %s first", id, m, earlier)
		}
		if empty, err := tx.Ledger().None(lines); err != nil {
			return err
		} else if empty {
			return entered.Refuse("%s (%s) has no open lines for %s: there is nothing to close", id, s.BuyerName, m)
		}
		s.ID, s.ClosedAt, s.ClosedBy = ac.NewID("stmt_"), now, string(by)
		if s.Hash, err = query.WriteStatement(tx, s, lines, io.Discard); err != nil {
			return err
		}
		if err := tx.Ledger().Close(s, lines); err != nil {
			return err
		}
		return ac.Record(tx, by, audit.StatementClose, s.ID, audit.Detail{"buyer": id, "month": m.String(), "owed_cents": s.Closing(), "hash": s.Hash})
	})
	return s, err
}

func errOtherZone(counted, zone *time.Location) error {
	return entered.Refuse("months end in %s, as in reports, and not in %s: set time-zone to %s. foyer report rebuild --time-zone %s changes the reports", counted, zone, counted, zone)
}

func errNotOver(m buyer.Month, zone *time.Location) error {
	return entered.Refuse("%s is not over: it ends at %s", m, m.Next().Begins(zone).Format("2006-01-02 15:04 MST"))
}

// Closable lists the buyers that have lines on no statement from before the end of a month, which must be over.
func (ac *Accounts) Closable(ctx context.Context, m buyer.Month, zone *time.Location) (ids []string, err error) {
	if ac.Now().Before(m.Next().Begins(zone)) {
		return nil, errNotOver(m, zone)
	}
	err = ac.Store.View(ctx, func(tx *store.Tx) (err error) {
		ids, err = tx.Ledger().Accounts(m.Next().Begins(zone))
		return err
	})
	return ids, err
}

// WriteStatement writes a statement as a CSV file, and records that it did. It writes nothing of a closed one that is not what it was when it
// was closed.
func (ac *Accounts) WriteStatement(ctx context.Context, by audit.Actor, id string, m buyer.Month, zone *time.Location, w io.Writer) error {
	return ac.Store.View(ctx, func(tx *store.Tx) error {
		s, lines, err := query.Statement(tx, id, m, zone)
		if err != nil {
			return err
		}
		if err := query.VerifyStatement(tx, s, lines); err != nil {
			return err
		}
		if err := ac.Store.Update(ctx, func(tx *store.Tx) error {
			return ac.Record(tx, by, audit.StatementExport, id, audit.Detail{"month": m.String()})
		}); err != nil {
			return err
		}
		_, err = query.WriteStatement(tx, s, lines, w)
		return err
	})
}

// VerifyStatements compares the lines of closed statements with their hashes: those of a buyer, or all if id is "". It returns how many
// there are, and names each that differs.
func (ac *Accounts) VerifyStatements(ctx context.Context, id string) (n int, err error) {
	list, err := ac.Statements(ctx, id)
	if err != nil {
		return 0, err
	}
	var differ []error
	for _, s := range list {
		differ = append(differ, ac.Store.View(ctx, func(tx *store.Tx) error {
			return query.VerifyStatement(tx, s, store.LedgerLines{Buyer: s.Buyer, Statement: s.ID})
		}))
	}
	return len(list), errors.Join(differ...)
}
