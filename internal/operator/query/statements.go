package query

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"io"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Statement returns a statement and where its lines are. The lines of one that is not closed begin where the last closed one ended,
// however old they are: what came too late for that one is on the next. If an earlier month is not closed either, they begin with the month.
func Statement(tx *store.Tx, id string, m buyer.Month, zone *time.Location) (s buyer.Statement, lines store.LedgerLines, err error) {
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
		return s, lines, entered.Refuse("%s has no statement for %s: the one for %s is closed, and nothing was open before it", id, m, last.Month)
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

// OpenBefore returns the month that has to be closed before lines that begin with their month, or "".
func OpenBefore(tx *store.Tx, lines store.LedgerLines, zone *time.Location) (string, error) {
	first, err := tx.Ledger().FirstOpen(lines.Buyer)
	if err != nil || lines.From.IsZero() || first.IsZero() || !first.Before(lines.From) {
		return "", err
	}
	month := buyer.MonthOf(first.In(zone)).String()
	last, found, err := tx.Ledger().LastStatement(lines.Buyer)
	if found {
		month = max(month, last.Month.Next().String()) // what came too late for a closed month is on the next statement
	}
	return month, err
}

// errEnough ends a list of lines.
var errEnough = errors.New("enough lines")

// StatementLines returns the first lines of a statement, at most so many, and whether there are more.
func StatementLines(tx *store.Tx, lines store.LedgerLines, most int) (list []buyer.Entry, more bool, err error) {
	err = tx.Ledger().Each(lines, func(e buyer.Entry) error {
		if more = len(list) == most; more {
			return errEnough
		}
		list = append(list, e)
		return nil
	})
	if more {
		err = nil
	}
	return list, more, err
}

// VerifyStatement compares the lines of a closed statement with its hash.
func VerifyStatement(tx *store.Tx, s buyer.Statement, lines store.LedgerLines) error {
	if s.ID == "" {
		return nil
	}
	hash, err := WriteStatement(tx, s, lines, io.Discard)
	if err == nil && hash != s.Hash {
		err = entered.Refuse("%s, of %s for %s: its lines are not those with which it was closed. Its hash was %s, and is %s now: compare with a backup", s.ID, s.Buyer, s.Month, s.Hash, hash)
	}
	return err
}

// statementFormat is the format of the CSV file. A closed statement keeps its own: its hash is that of the file.
const statementFormat = 1

// WriteStatement writes a CSV file with the lines of a statement, between what the buyer owed before and after, and returns its hash.
func WriteStatement(tx *store.Tx, s buyer.Statement, lines store.LedgerLines, w io.Writer) (hash string, err error) {
	if s.Format != statementFormat {
		return "", entered.Refuse("%s has the format %d, which this foyer does not know: use a newer one", s.ID, s.Format)
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
