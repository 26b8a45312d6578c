package operator

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// numberSuppressed is the reason in the history of a held lead that was closed.
const numberSuppressed = "number suppressed"

// Suppress has requests with a phone number refused from now on, and closes the held ones. It returns how many it closed. If the
// number is suppressed already, Suppress changes its reason.
func (op *Operator) Suppress(ctx context.Context, by audit.Actor, phone, reason string) (closed int, err error) {
	if reason, err = suppressionReason(reason); err != nil {
		return 0, err
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		since, err := tx.Suppressions().Since(phone)
		if err != nil {
			return err
		}
		at := op.now()
		if err := tx.Suppressions().Add(phone, reason, at); err != nil {
			return err
		}
		if since.IsZero() {
			if err := op.keep(tx, before{At: at, Suppressed: true}); err != nil {
				return err
			}
		}
		return op.record(tx, by, audit.SuppressionAdd, op.PhoneIndex(phone), nil)
	})
	if err != nil {
		return 0, err
	}
	return op.closeHeld(ctx, by, op.PhoneIndex(phone), func(other string) bool { return other == phone })
}

// suppressionReason validates why a number is suppressed. The error does not repeat it: it may name the person.
func suppressionReason(text string) (string, error) {
	text, err := entered.PlainText(text)
	if err != nil || text == "" {
		return "", entered.Problem("reason", fmt.Sprintf("write 1 to %d characters on one line", entered.MaxNameLength))
	}
	return text, nil
}

// Unsuppress has requests with a phone number accepted again. It reports whether the number was suppressed.
func (op *Operator) Unsuppress(ctx context.Context, by audit.Actor, phone string) (found bool, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if found, err = tx.Suppressions().Remove(phone); err != nil || !found {
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

// closeHeld closes the held leads whose phone numbers were suppressed, with one audit entry for each transaction.
// It looks for them after the commit, when later requests are refused.
func (op *Operator) closeHeld(ctx context.Context, by audit.Actor, subject string, suppressed func(phone string) bool) (closed int, err error) {
	if err := op.Store.Refresh(ctx); err != nil {
		return 0, err
	}
	var held []int64
	if err := op.Store.View(ctx, func(tx *store.Tx) (err error) { held, err = tx.LeadsWithPhone(true, suppressed); return err }); err != nil {
		return 0, err
	}
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

// maxLineLength is longer than any line of a list of phone numbers.
const maxLineLength = 1 << 20

// ImportSuppressions suppresses the phone numbers of a text or CSV file, one a line, and then closes held leads with suppressed
// numbers. A number that is suppressed already keeps its reason and its date. If it fails, what was imported stays.
func (op *Operator) ImportSuppressions(ctx context.Context, by audit.Actor, file io.Reader, i SuppressionImport) (done SuppressionsImported, err error) {
	if i.Reason, err = suppressionReason(i.Reason); err != nil {
		return done, err
	}
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 64<<10), maxLineLength)
	var line, bytes int64
	var batch []string
	flush := func() error {
		added, err := op.suppressMany(ctx, by, batch, i.Reason)
		done.Added += added
		batch = batch[:0]
		i.Progress(done.Numbers, bytes)
		return err
	}
	for headings := true; ctx.Err() == nil && lines.Scan(); {
		line, bytes = line+1, bytes+int64(len(lines.Bytes()))+1
		text := strings.TrimSpace(strings.Trim(lines.Text(), "\ufeff,;\" \t"))
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		phone, found := entered.PhoneIn(lines.Text())
		switch {
		case found:
			batch = append(batch, phone)
			done.Numbers++
		case !headings || strings.ContainsAny(text, "0123456789"): // the first line may hold headings instead
			done.Bad++
			i.BadLine(line)
		}
		headings = false
		if len(batch) == closeBatch {
			if err := flush(); err != nil {
				return done, err
			}
		}
	}
	switch err := cmp.Or(ctx.Err(), lines.Err()); {
	case errors.Is(err, bufio.ErrTooLong):
		return done, entered.Refuse("line %d is too long: this is not a list of phone numbers", line+1)
	case err != nil:
		return done, err
	}
	if err := flush(); err != nil {
		return done, err
	}
	done.Closed, err = op.closeHeld(ctx, by, "", op.Suppressed)
	return done, err
}

func (op *Operator) suppressMany(ctx context.Context, by audit.Actor, phones []string, reason string) (added int64, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if added, err = tx.Suppressions().AddMany(phones, reason, op.now()); err != nil || len(phones) == 0 {
			return err
		}
		return op.record(tx, by, audit.SuppressionImport, "", audit.Detail{"added": added})
	})
	return added, err
}
