package operator

import (
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// Statement returns the statement of a buyer for a month: the closed one, or what it would be now.
func (op *Operator) Statement(ctx context.Context, id string, m buyer.Month, zone *time.Location) (s buyer.Statement, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { s, _, err = statement(tx, id, m, zone); return err })
	return s, err
}

// Statements lists closed statements, the newest month first: those of a buyer, or all if id is "".
func (op *Operator) Statements(ctx context.Context, id string) (list []buyer.Statement, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) { list, err = tx.Ledger().Statements(id); return err })
	return list, err
}

// statement returns a statement and where its lines are. The lines of one that is not closed begin where the last closed one ended,
// however old they are: what came too late for that one is on the next. If an earlier month is not closed either, they begin with the month.
func statement(tx *store.Tx, id string, m buyer.Month, zone *time.Location) (s buyer.Statement, lines store.LedgerLines, err error) {
	s, closed, err := tx.Ledger().Statement(id, m)
	if err != nil || closed {
		return s, store.LedgerLines{Buyer: id, Statement: s.ID}, err
	}
	s = buyer.Statement{Buyer: id, Month: m, Zone: zone.String(), Ends: m.Next().Begins(zone), Format: statementFormat}
	b, err := tx.Ledger().Buyer(id)
	if err != nil {
		return s, lines, err
	}
	s.BuyerName = b.Terms.Name
	last, found, err := tx.Ledger().LastStatement(id)
	switch {
	case err != nil:
		return s, lines, err
	case found && m.String() < last.Month.String():
		return s, lines, refuse("%s has no statement for %s: the one for %s is closed, and nothing was open before it", id, m, last.Month)
	}
	s.Opening = last.Closing()
	lines = store.LedgerLines{Buyer: id, To: s.Ends}
	if !found || last.Month != m.Before() {
		lines.From = m.Begins(zone)
		before, err := tx.Ledger().Totals(store.LedgerLines{Buyer: id, To: lines.From})
		if err != nil {
			return s, lines, err
		}
		s.Opening += before.Net()
	}
	s.Totals, err = tx.Ledger().Totals(lines)
	return s, lines, err
}

// CloseStatement closes the statement of a buyer for a month that is over. Months are closed in their order.
func (op *Operator) CloseStatement(ctx context.Context, by audit.Actor, id string, m buyer.Month, zone *time.Location) (s buyer.Statement, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		var lines store.LedgerLines
		if s, lines, err = statement(tx, id, m, zone); err != nil {
			return err
		}
		now := op.now()
		switch {
		case s.ID != "":
			return refuse("the statement of %s for %s is closed already, since %s", id, m, s.ClosedAt.UTC().Format("2006-01-02"))
		case now.Before(s.Ends):
			return errNotOver(m, zone)
		}
		if earlier, err := openBefore(tx, lines, zone); err != nil {
			return err
		} else if earlier != "" {
			return refuse("%s has open lines from before %s: close %s first", id, m, earlier)
		}
		if empty, err := tx.Ledger().None(lines); err != nil {
			return err
		} else if empty {
			return refuse("%s (%s) has no open lines for %s: there is nothing to close", id, s.BuyerName, m)
		}
		s.ID, s.ClosedAt, s.ClosedBy = op.NewID("stmt_"), now, string(by)
		if s.Hash, err = writeStatement(tx, s, lines, io.Discard); err != nil {
			return err
		}
		if err := tx.Ledger().Close(s, lines); err != nil {
			return err
		}
		return op.record(tx, by, audit.StatementClose, s.ID, audit.Detail{"buyer": id, "month": m.String(), "owed_cents": s.Closing(), "hash": s.Hash})
	})
	return s, err
}

// openBefore returns the month that has to be closed before lines that begin with their month, or "".
func openBefore(tx *store.Tx, lines store.LedgerLines, zone *time.Location) (string, error) {
	first, err := tx.Ledger().FirstOpen(lines.Buyer)
	if err != nil || lines.From.IsZero() || first.IsZero() || !first.Before(lines.From) {
		return "", err
	}
	last, found, err := tx.Ledger().LastStatement(lines.Buyer)
	if found {
		return last.Month.Next().String(), err
	}
	return buyer.MonthOf(first.In(zone)).String(), err
}

func errNotOver(m buyer.Month, zone *time.Location) error {
	return refuse("%s is not over: it ends at %s", m, m.Next().Begins(zone).Format("2006-01-02 15:04 MST"))
}

// Closable lists the buyers that have lines on no statement from before the end of a month, which must be over.
func (op *Operator) Closable(ctx context.Context, m buyer.Month, zone *time.Location) (ids []string, err error) {
	if op.now().Before(m.Next().Begins(zone)) {
		return nil, errNotOver(m, zone)
	}
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) {
		ids, err = tx.Ledger().Accounts(m.Next().Begins(zone))
		return err
	})
	return ids, err
}

// WriteStatement writes a statement as a CSV file. It writes nothing of a closed one that is not what it was when it was closed.
func (op *Operator) WriteStatement(ctx context.Context, id string, m buyer.Month, zone *time.Location, w io.Writer) error {
	return op.Store.View(ctx, func(tx *store.Tx) error {
		s, lines, err := statement(tx, id, m, zone)
		if err != nil {
			return err
		}
		if err := verify(tx, s, lines); err != nil {
			return err
		}
		_, err = writeStatement(tx, s, lines, w)
		return err
	})
}

// VerifyStatements compares the lines of closed statements with their hashes: those of a buyer, or all if id is "". It returns how many
// there are, and names each that differs.
func (op *Operator) VerifyStatements(ctx context.Context, id string) (n int, err error) {
	list, err := op.Statements(ctx, id)
	if err != nil {
		return 0, err
	}
	var differ []error
	for _, s := range list {
		differ = append(differ, op.Store.View(ctx, func(tx *store.Tx) error { return verify(tx, s, store.LedgerLines{Buyer: s.Buyer, Statement: s.ID}) }))
	}
	return len(list), errors.Join(differ...)
}

// verify compares the lines of a closed statement with its hash.
func verify(tx *store.Tx, s buyer.Statement, lines store.LedgerLines) error {
	if s.ID == "" {
		return nil
	}
	hash, err := writeStatement(tx, s, lines, io.Discard)
	if err == nil && hash != s.Hash {
		err = refuse("%s, of %s for %s: its lines are not those with which it was closed. Its hash was %s, and is %s now: compare with a backup", s.ID, s.Buyer, s.Month, s.Hash, hash)
	}
	return err
}

// statementFormat is the format of the CSV file. A closed statement keeps its own: its hash is that of the file.
const statementFormat = 1

// writeStatement writes a CSV file with the lines of a statement, between what the buyer owed before and after, and returns its hash.
func writeStatement(tx *store.Tx, s buyer.Statement, lines store.LedgerLines, w io.Writer) (hash string, err error) {
	if s.Format != statementFormat {
		return "", refuse("%s has the format %d, which this foyer does not know: use a newer one", s.ID, s.Format)
	}
	zone, err := time.LoadLocation(s.Zone)
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	file := csv.NewWriter(io.MultiWriter(sum, w))
	row := func(at time.Time, kind, offer, leadID string, service lead.Service, note string, amount buyer.Cents) error {
		return file.Write([]string{s.Buyer, s.Month.String(), at.In(zone).Format(time.RFC3339), kind, offer, leadID, string(service), GuardCell(note), amount.Decimal()})
	}
	errs := []error{file.Write([]string{"buyer_id", "month", "at", "line", "offer_id", "lead_id", "service_type", "note", "amount_usd"})}
	errs = append(errs, row(s.Month.Begins(zone), "opening", "", "", "", "owed before", s.Opening))
	err = tx.Ledger().Each(lines, func(e buyer.Entry) error {
		return row(e.At, string(e.Kind), e.Offer, e.LeadID, e.Service, e.Note, e.Amount)
	})
	errs = append(errs, err, row(s.Ends, "closing", "", "", "", "owed after", s.Closing()))
	file.Flush()
	return hex.EncodeToString(sum.Sum(nil)), errors.Join(append(errs, file.Error())...)
}

// GuardCell keeps spreadsheets from taking a text for a formula.
func GuardCell(text string) string {
	if text != "" && strings.ContainsAny(text[:1], "=+-@\t\r") {
		return "'" + text
	}
	return text
}
