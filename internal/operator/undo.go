package operator

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"foyer/internal/alert"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/source"
	"foyer/internal/store"
)

// before is what a change can be undone with: one of its members. It is kept as the answer of the change's idempotency key, and goes with it.
type before struct {
	At         time.Time      // of the change: what was changed again since then stays as it is
	Undone     bool           `json:",omitzero"`
	Buyer      *buyerBefore   `json:",omitempty"`
	Source     *source.Source `json:",omitempty"`
	Rule       *ruleBefore    `json:",omitempty"`
	Account    *accountEntry  `json:",omitempty"`
	Suppressed bool           `json:",omitzero"` // a number that was not suppressed: the row of that time names it
}

// buyerBefore has no secrets: a change of them is not undone.
type buyerBefore struct {
	ID    string
	Terms buyer.Terms
	State buyer.State
	Why   string
}

type ruleBefore struct {
	Name          alert.Name
	Setting, Then alert.Setting // before and after the change
}

type accountEntry struct {
	Buyer  string
	Amount buyer.Cents // what the buyer owed more after it
	Note   string      // of the entry against it
}

// Undoable is Once for a change that Undo takes back within a day: what was there before is written in the transaction of the change. What
// cannot be taken back leaves nothing.
func (op *Operator) Undoable(key lead.Idempotency) *Operator {
	undoable := op.Once(key)
	undoable.undoKey = &key
	return undoable
}

// notUndoable is the same operator for a change that cannot be taken back.
func (op *Operator) notUndoable() *Operator {
	plain := *op
	plain.undoKey = nil
	return &plain
}

// keep writes what a change can be undone with. It must be called in the transaction of the change.
func (op *Operator) keep(tx *store.Tx, b before) error {
	if op.undoKey == nil {
		return nil
	}
	text, err := json.Marshal(b)
	if err != nil {
		return err
	}
	key := *op.undoKey
	key.Answer = text
	return tx.IdempotencyKeys().PutAnswer(key)
}

var errNotUndone = entered.Refuse("this cannot be undone any more: it was changed again since, or is more than a day old")

// CanUndo reports whether the change that was made with a key can be undone now.
func (op *Operator) CanUndo(ctx context.Context, key string) (can bool, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) error {
		_, b, err := op.kept(tx, key)
		if err != nil || b.Undone {
			return err
		}
		can, err = op.stands(tx, b)
		return err
	})
	return can, err
}

// Undo takes back the change that was made with a key, by a change of its own, which can be undone as well. It refuses if what it would
// put back was changed again since. Asked for twice, it happens once.
func (op *Operator) Undo(ctx context.Context, by audit.Actor, key string) error {
	if err := op.Store.Update(ctx, func(tx *store.Tx) error {
		used, b, err := op.kept(tx, key)
		if err != nil || b.Undone {
			return err
		}
		if stands, err := op.stands(tx, b); err != nil {
			return err
		} else if !stands {
			return errNotUndone
		}
		if err := op.putBack(tx, by, b); err != nil {
			return err
		}
		b.Undone = true
		if used.Answer, err = json.Marshal(b); err != nil {
			return err
		}
		return tx.IdempotencyKeys().PutAnswer(used)
	}); err != nil {
		return err
	}
	return op.Store.Refresh(ctx) // it may have been a suppressed number
}

// kept reads what was there before the change with a key.
func (op *Operator) kept(tx *store.Tx, key string) (used lead.Idempotency, b before, err error) {
	found, err := tx.IdempotencyKeys().Find(key, op.now().Add(-lead.IdempotencyWindow))
	if err != nil || found == nil || len(found.Answer) == 0 {
		return used, b, err
	}
	return *found, b, json.Unmarshal(found.Answer, &b)
}

// stands reports whether nothing was changed since. It is false if nothing was kept.
func (op *Operator) stands(tx *store.Tx, b before) (bool, error) {
	switch {
	case b.Buyer != nil:
		now, err := tx.Buyer(b.Buyer.ID)
		if lead.KindOf(err) == lead.NotFound { // it was removed
			return false, nil
		}
		return err == nil && now.UpdatedAt.Equal(b.At), err
	case b.Source != nil:
		all, err := tx.Sources().List()
		return slices.ContainsFunc(all, func(s source.Source) bool { return s.Key == b.Source.Key && s.UpdatedAt.Equal(b.At) }), err
	case b.Rule != nil:
		settings, err := tx.Alerts().Settings()
		rule, known := alert.Find(b.Rule.Name)
		return known && settings.Of(rule) == b.Rule.Then, err
	case b.Suppressed:
		phone, err := b.phone(tx)
		if err != nil || phone == "" {
			return false, err
		}
		again, err := op.suppressedAgain(tx, b, phone)
		return !again, err
	}
	return b.Account != nil, nil // an account has no state to return to: what was entered stays, and an entry against it follows
}

// phone is the number that was suppressed then, if it still is. What is kept does not name it.
func (b before) phone(tx *store.Tx) (string, error) {
	list, err := tx.Suppressions().List(b.At, 0, 2)
	if err != nil || len(list) == 0 || !list[0].CreatedAt.Equal(b.At) || len(list) > 1 && list[1].CreatedAt.Equal(b.At) {
		return "", err
	}
	return list[0].Phone, nil
}

// suppressedAgain reports whether somebody suppressed the number again since, by itself or perhaps in a list. That changed nothing, but they
// were told that the number is suppressed.
func (op *Operator) suppressedAgain(tx *store.Tx, b before, phone string) (bool, error) {
	adds, err := tx.Audit(store.AuditFilter{Since: b.At, Subject: op.PhoneIndex(phone), Actions: []audit.Action{audit.SuppressionAdd}, Limit: 2})
	if err != nil || len(adds) > 1 { // the first is that of the change
		return true, err
	}
	lists, err := tx.Audit(store.AuditFilter{Since: b.At, Actions: []audit.Action{audit.SuppressionImport}, Limit: 1})
	return len(lists) > 0, err
}

// putBack makes the change that undoes another.
func (op *Operator) putBack(tx *store.Tx, by audit.Actor, b before) error {
	switch {
	case b.Buyer != nil:
		return op.putBuyerBack(tx, by, *b.Buyer)
	case b.Source != nil:
		return op.Sources().PutBack(tx, by, *b.Source)
	case b.Rule != nil:
		return op.Alerts().PutSetting(tx, by, audit.AlertUndo, b.Rule.Name, b.Rule.Then, b.Rule.Setting)
	case b.Account != nil:
		_, err := op.Accounts().Enter(tx, by, audit.BuyerCorrect, buyer.Entry{Buyer: b.Account.Buyer, Kind: buyer.EntryCorrection, Amount: -b.Account.Amount, Note: b.Account.Note})
		return err
	}
	phone, err := b.phone(tx)
	if err != nil {
		return err
	}
	if _, err := tx.Suppressions().Remove(phone); err != nil {
		return err
	}
	return op.record(tx, by, audit.SuppressionRemove, op.PhoneIndex(phone), nil)
}

// putBuyerBack puts terms and state back. Its secrets stay as they are.
func (op *Operator) putBuyerBack(tx *store.Tx, by audit.Actor, b buyerBefore) error {
	now, err := tx.Buyer(b.ID)
	if err != nil {
		return err
	}
	health, err := tx.Health(b.ID)
	if err != nil {
		return err
	}
	after := now
	after.Terms, after.State, after.Why = b.Terms, b.State, b.Why
	if after.Terms.URL != now.Terms.URL {
		health = health.Forget()
	}
	if after.State != buyer.Active {
		if err := tx.Requeue(b.ID); err != nil {
			return err
		}
	}
	if err := op.save(tx, by, audit.BuyerUndo, now, &after, health); err != nil {
		return err
	}
	if err := op.keepBuyer(tx, now, after); err != nil {
		return err
	}
	return checkSavedName(tx, after)
}

func (op *Operator) keepEntry(tx *store.Tx, e buyer.Entry) error {
	note := "undo of the " + string(e.Kind) + " of " + max(e.Amount, -e.Amount).String()
	return op.keep(tx, before{At: e.At, Account: &accountEntry{e.Buyer, e.Amount, note}})
}

func (op *Operator) keepSource(tx *store.Tx, was source.Source, at time.Time) error {
	return op.keep(tx, before{At: at, Source: &was})
}

func (op *Operator) keepSetting(tx *store.Tx, name alert.Name, was, is alert.Setting) error {
	return op.keep(tx, before{Rule: &ruleBefore{name, was, is}})
}

func (op *Operator) keepBuyer(tx *store.Tx, was, is buyer.Buyer) error {
	return op.keep(tx, before{At: is.UpdatedAt, Buyer: &buyerBefore{was.ID, was.Terms, was.State, was.Why}})
}
