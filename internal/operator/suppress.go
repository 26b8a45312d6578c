package operator

import (
	"context"
	"io"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// numberSuppressed is the reason in the history of a held lead that was closed.
const numberSuppressed = "number suppressed"

// Suppress has requests with a phone number refused from now on, and closes the held ones. It returns how many it closed. If the
// number is suppressed already, Suppress changes its reason.
func (op *Operator) Suppress(ctx context.Context, by audit.Actor, phone, reason string) (closed int, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.Suppress(phone, reason, op.now()); err != nil {
			return err
		}
		return op.record(tx, by, audit.SuppressionAdd, op.PhoneIndex(phone), nil)
	})
	if err == nil {
		err = op.Store.Refresh(ctx)
	}
	if err != nil {
		return 0, err
	}
	held, err := op.Store.HeldOfPhone(ctx, phone) // after the commit: later requests are refused
	if err != nil {
		return 0, err
	}
	return op.closeSuppressed(ctx, by, held, op.PhoneIndex(phone))
}

// Unsuppress has requests with a phone number accepted again. It reports whether the number was suppressed.
func (op *Operator) Unsuppress(ctx context.Context, by audit.Actor, phone string) (found bool, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if found, err = tx.Unsuppress(phone); err != nil || !found {
			return err
		}
		return op.record(tx, by, audit.SuppressionRemove, op.PhoneIndex(phone), nil)
	})
	if err != nil {
		return false, err
	}
	return found, op.Store.Refresh(ctx)
}

// PhoneIndex returns the keyed index of a phone number, by which the audit trail names it, or "" without a key.
func (op *Operator) PhoneIndex(phone string) string {
	if len(op.Persons.Key) == 0 {
		return ""
	}
	return lead.PhoneIndex(op.Persons.Key, phone)
}

// closeBatch is how many leads or numbers one transaction changes, so that no new lead waits long for it.
const closeBatch = 500

// closeSuppressed closes held leads whose number was suppressed, with one audit entry for each transaction.
func (op *Operator) closeSuppressed(ctx context.Context, by audit.Actor, held []int64, subject string) (closed int, err error) {
	for batch := range slices.Chunk(held, closeBatch) {
		n := 0
		if err := op.Store.Update(ctx, func(tx *store.Tx) error {
			n = 0
			change := lead.Change{At: op.now(), Status: lead.Rejected, Actor: by.Role(), Reason: numberSuppressed}
			for _, seq := range batch {
				changed, err := tx.TryChange(seq, lead.Collected, change) // it may have been queued for delivery meanwhile
				if err != nil {
					return err
				}
				if changed {
					n++
				}
			}
			if n == 0 {
				return nil
			}
			return op.record(tx, by, audit.LeadClose, subject, audit.Detail{"leads": n, "why": numberSuppressed})
		}); err != nil {
			return closed, err
		}
		closed += n
	}
	return closed, nil
}

// SuppressionImport says how to import phone numbers.
type SuppressionImport struct {
	Reason   string
	BadLine  func(line int64)           // called for each line without a number
	Progress func(numbers, bytes int64) // called after each transaction, with what was read so far
}

// SuppressionsImported counts the lines of an imported file.
type SuppressionsImported struct {
	Numbers int64 // lines with a number
	Added   int64 // of those, new numbers
	Bad     int64 // lines without one
	Closed  int   // held leads
}

// ImportSuppressions suppresses the phone numbers of a text or CSV file, one a line, and then closes held leads with suppressed
// numbers. A number that is suppressed already keeps its reason and its date. If it fails, what was imported stays.
func (op *Operator) ImportSuppressions(ctx context.Context, by audit.Actor, file io.Reader, i SuppressionImport) (done SuppressionsImported, err error) {
	in := newPhoneLines(file, func(line int64) { done.Bad++; i.BadLine(line) })
	batch := make([]string, 0, closeBatch)
	flush := func() error {
		added, err := op.suppressMany(ctx, by, batch, i.Reason)
		done.Added += added
		batch = batch[:0]
		i.Progress(done.Numbers, in.bytes)
		return err
	}
	for in.next(ctx) {
		batch = append(batch, in.phone)
		if done.Numbers++; len(batch) == cap(batch) {
			if err := flush(); err != nil {
				return done, err
			}
		}
	}
	if err := in.err(ctx); err != nil {
		return done, err
	}
	if err := flush(); err != nil {
		return done, err
	}
	if err := op.Store.Refresh(ctx); err != nil {
		return done, err
	}
	held, err := op.Store.HeldSuppressed(ctx)
	if err != nil {
		return done, err
	}
	done.Closed, err = op.closeSuppressed(ctx, by, held, "")
	return done, err
}

func (op *Operator) suppressMany(ctx context.Context, by audit.Actor, phones []string, reason string) (added int64, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if added, err = tx.SuppressMany(phones, reason, op.now()); err != nil || added == 0 {
			return err
		}
		return op.record(tx, by, audit.SuppressionImport, "", audit.Detail{"added": added})
	})
	return added, err
}
