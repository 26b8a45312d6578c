package operator

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// SavePrivacyRequest stores a privacy request of the public page for the operator, unless the same sender has the same request open
// already. If the request names a lead and the phone number of that lead, it also takes the lead and all its repeats off the
// market, with reason in their history. A lead that was named too often today is not touched, whatever number comes with it.
func (op *Operator) SavePrivacyRequest(ctx context.Context, r lead.PrivacyRequest, reason string) error {
	c := lead.Change{At: r.At, Status: lead.Rejected, Actor: audit.Person.Role(), Reason: reason}
	var taken *lead.Request
	var more bool
	err := op.Store.UpdateUrgent(ctx, func(tx *store.Tx) (err error) {
		taken, more, err = op.savePrivacyRequest(tx, r, c)
		return err
	})
	if err != nil || taken == nil {
		return err
	}
	// If this is interrupted, the sender gets an error. The same request, sent again, goes on.
	for err == nil && more {
		err = op.Store.UpdateUrgent(ctx, func(tx *store.Tx) (err error) {
			var closed int
			if closed, more, err = tx.CloseRepeats(taken.Fingerprint(op.Persons.Key), closeRepeatsBatch, c); err != nil || closed == 0 {
				return err
			}
			return recordPrivacy(tx, r, audit.Detail{"repeats_closed": closed})
		})
	}
	if err != nil {
		return err
	}
	return op.withdrawOthers(ctx, r, *taken, c)
}

// savePrivacyRequest is the first transaction of SavePrivacyRequest. It returns what the person takes back, or nil if the request does not
// name it, and whether there may be more repeats to close.
func (op *Operator) savePrivacyRequest(tx *store.Tx, r lead.PrivacyRequest, c lead.Change) (taken *lead.Request, more bool, err error) {
	if err := checkRequestLimit(tx, r); err != nil {
		return nil, false, err
	}
	open, err := tx.PrivacyRequests().Open(r)
	if err != nil {
		return nil, false, err
	}
	isNew := !slices.ContainsFunc(open, r.SameSender)
	if isNew {
		if err := tx.PrivacyRequests().Add(r); err != nil {
			return nil, false, err
		}
	}
	seq, l, err := findLead(tx, r.LeadID)
	proven := err == nil && l.ID == r.LeadID && l.Request.Contact.Phone == r.Phone
	if err != nil && lead.KindOf(err) != lead.NotFound {
		return nil, false, err
	}
	var repeats int
	var w Withdrawn
	if proven {
		taken = &l.Request
		if w, repeats, more, err = op.takeBack(tx, seq, l, c); err != nil {
			return nil, false, err
		}
	}
	if !isNew && repeats == 0 && w.Status == "" {
		return taken, more, nil // nothing was changed
	}
	return taken, more, recordPrivacy(tx, r, audit.Detail{"lead_closed": w.Status != "", "repeats_closed": repeats})
}

// takeBack withdraws a lead for its person, and its repeats. It returns how many of these it closed, and whether there may be more.
func (op *Operator) takeBack(tx *store.Tx, seq int64, l lead.Lead, c lead.Change) (w Withdrawn, repeats int, more bool, err error) {
	if w, _, err = op.withdraw(tx, Requesting, seq, l, c); err != nil { // before the repeats, because it may be one
		return w, 0, false, err
	}
	unsold, err := tx.Unsold(op.fingerprint(l), closeRepeatsBatch) // may go to the next buyer, although nothing withholds them
	if err != nil {
		return w, 0, false, err
	}
	entered, err := op.withdrawAll(tx, unsold, c)
	if err != nil {
		return w, 0, false, err
	}
	withheld, more, err := tx.CloseRepeats(op.fingerprint(l), closeRepeatsBatch, c)
	return w, entered + withheld, more, err
}

// recordPrivacy adds an audit entry about the lead that a privacy request names, or about the request.
func recordPrivacy(tx *store.Tx, r lead.PrivacyRequest, detail audit.Detail) error {
	detail["request"], detail["kind"] = r.ID, r.Kind
	return tx.AddAudit(audit.Entry{At: r.At, Actor: audit.Person, Action: audit.PrivacyRequest, Subject: cmp.Or(r.LeadID, r.ID), Detail: detail})
}

// checkRequestLimit refuses a privacy request about a lead that was named too often, and says when the next one is allowed.
func checkRequestLimit(tx *store.Tx, r lead.PrivacyRequest) error {
	named, err := tx.PrivacyRequests().Times(r.LeadID, r.At.Add(-lead.PrivacyWindow), lead.MaxPrivacyRequests)
	if err != nil || len(named) < lead.MaxPrivacyRequests {
		return err
	}
	return &lead.Error{Kind: lead.RateLimited, Retry: named[len(named)-1].Add(lead.PrivacyWindow).Sub(r.At)}
}

// SettlePrivacyRequest records that a privacy request was fulfilled, or why it was not. It deletes the phone number, which is no
// longer needed. The evidence stays until the lead that the request names is erased. Without a lead it is deleted right away,
// because no later erasure would find it. A request that a legal hold keeps open is refused.
func (op *Operator) SettlePrivacyRequest(ctx context.Context, by audit.Actor, id, note string) error {
	note, err := entered.PlainText(note)
	if err != nil {
		return entered.Problem("note", fmt.Sprintf("write at most %d characters on one line", entered.MaxNameLength))
	}
	if err := refuseContact("note", note); err != nil {
		return err
	}
	return op.Store.Update(ctx, func(tx *store.Tx) error {
		r, err := tx.PrivacyRequests().Find(id)
		if err != nil {
			return err
		}
		if r.State != lead.PrivacyOpen {
			return entered.Refuse("this privacy request is settled already")
		}
		if err := refuseSettling(tx, r); err != nil {
			return err
		}
		r.State, r.Note, r.Phone = lead.PrivacyDone, note, ""
		if r.LeadID == "" {
			r.Evidence = lead.Evidence{}
		}
		if err := tx.PrivacyRequests().Put(r); err != nil {
			return err
		}
		return op.record(tx, by, audit.PrivacySettle, r.ID, audit.Detail{"kind": r.Kind, "lead": r.LeadID})
	})
}
