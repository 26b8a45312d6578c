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
// already. If the request names a lead and the phone number of that lead, it also takes the lead off the market and closes its
// repeats, with reason in their history. A lead that was named too often today is not touched, whatever number comes with it.
func (op *Operator) SavePrivacyRequest(ctx context.Context, r lead.PrivacyRequest, reason string) error {
	c := lead.Change{At: r.At, Actor: audit.Person.Role(), Reason: reason}
	var fingerprint string
	var more bool
	err := op.Store.UpdateUrgent(ctx, func(tx *store.Tx) (err error) {
		fingerprint, more, err = op.savePrivacyRequest(tx, r, c)
		return err
	})
	// If this is interrupted, the sender gets an error. The same request, sent again, goes on.
	for err == nil && more {
		err = op.Store.UpdateUrgent(ctx, func(tx *store.Tx) (err error) {
			var closed int
			if closed, more, err = closeRepeats(tx, fingerprint, c); err != nil || closed == 0 {
				return err
			}
			return recordPrivacy(tx, r, audit.Detail{"repeats_closed": closed})
		})
	}
	return err
}

// savePrivacyRequest is the first transaction of SavePrivacyRequest. It reports whether there may be more repeats to close.
func (op *Operator) savePrivacyRequest(tx *store.Tx, r lead.PrivacyRequest, c lead.Change) (fingerprint string, more bool, err error) {
	if err := checkRequestLimit(tx, r); err != nil {
		return "", false, err
	}
	open, err := tx.PrivacyRequests().Open(r)
	if err != nil {
		return "", false, err
	}
	isNew := !slices.ContainsFunc(open, r.SameSender)
	if isNew {
		if err := tx.PrivacyRequests().Add(r); err != nil {
			return "", false, err
		}
	}
	seq, l, err := findLead(tx, r.LeadID)
	proven := err == nil && l.ID == r.LeadID && l.Request.Contact.Phone == r.Phone
	if err != nil && lead.KindOf(err) != lead.NotFound {
		return "", false, err
	}
	var repeats int
	var w Withdrawn
	if proven {
		fingerprint = op.fingerprint(l)
		if w, _, err = op.withdraw(tx, Requesting, seq, l, c); err != nil { // before the repeats, because it may be one
			return "", false, err
		}
		if repeats, more, err = closeRepeats(tx, fingerprint, c); err != nil {
			return "", false, err
		}
	}
	if !isNew && repeats == 0 && w.Status == "" {
		return fingerprint, more, nil // nothing was changed
	}
	return fingerprint, more, recordPrivacy(tx, r, audit.Detail{"lead_closed": w.Status != "", "repeats_closed": repeats})
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
