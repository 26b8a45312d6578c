// Package accounts is what an operator does about the money of buyers: payments, corrections and statements. Each change names its actor,
// and is written to the audit trail in the transaction that makes it.
//
// The package charges nothing and gives nothing back: the forwarder charges for leads, and a return that is approved credits them.
package accounts

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Accounts carries out what an operator does about the money of buyers.
type Accounts struct {
	Store  Store
	Now    func() time.Time
	NewID  func(prefix string) string
	Record func(tx *store.Tx, by audit.Actor, action audit.Action, subject string, detail audit.Detail) error // in the audit trail
	Keep   func(tx *store.Tx, e buyer.Entry) error                                                            // for Undo
}

// Store is what Accounts needs of the database.
type Store interface {
	Update(ctx context.Context, do func(*store.Tx) error) error
	View(ctx context.Context, do func(*store.Tx) error) error
	Buyers(ctx context.Context) ([]buyer.Buyer, int64, error)
}

// Entered is an entry of the operator in the account of a buyer, and what the buyer owes after it.
type Entered struct {
	buyer.Entry
	BuyerName string
	Owed      buyer.Cents
}

// Find finds the account of a buyer by the buyer's name or id. A buyer that was removed still has one, and is found by its id.
func (ac *Accounts) Find(ctx context.Context, word string) (string, error) {
	buyers, _, err := ac.Store.Buyers(ctx)
	if err != nil {
		return "", err
	}
	id, err := entered.FindBuyer(buyers, word)
	if lead.KindOf(err) != lead.NotFound {
		return id, err
	}
	err = ac.Store.View(ctx, func(tx *store.Tx) error { _, err := tx.Ledger().Buyer(word); return err })
	if lead.KindOf(err) == lead.NotFound {
		err = &lead.Error{Kind: lead.NotFound, Message: "There is no buyer with this name or id. One that was removed is found by its id, among what buyers owe."}
	}
	return word, err
}

// Account is what a buyer owes.
type Account struct {
	Buyer buyer.Buyer
	Owed  buyer.Cents
}

// List lists what each buyer owes that has prices or owes something, removed ones included, those that owe most first.
func (ac *Accounts) List(ctx context.Context) (list []Account, err error) {
	err = ac.Store.View(ctx, func(tx *store.Tx) error {
		list = nil
		buyers, err := tx.Ledger().Buyers()
		if err != nil {
			return err
		}
		for _, b := range buyers {
			owed, err := tx.Ledger().Owed(b.ID)
			if err != nil {
				return err
			}
			if owed != 0 || len(b.Terms.Prices) > 0 && b.State != buyer.Removed {
				list = append(list, Account{b, owed})
			}
		}
		slices.SortStableFunc(list, func(a, b Account) int { return cmp.Compare(b.Owed, a.Owed) })
		return nil
	})
	return list, err
}

// TopUp records a payment of a buyer. Leads that are held because it had no money are offered to it.
func (ac *Accounts) TopUp(ctx context.Context, by audit.Actor, id string, amount buyer.Cents, note string) (Entered, error) {
	if amount <= 0 {
		return Entered{}, entered.Refuse("a payment of %s is not one: write an amount above zero, and put a wrong one right with a correction", amount)
	}
	return ac.addFunds(ctx, by, audit.BuyerTopUp, buyer.Entry{Buyer: id, Kind: buyer.EntryPayment, Amount: -amount, Note: note})
}

// Correct records that a buyer owes more, or less if the amount is negative. What was charged or paid before stays as it is.
func (ac *Accounts) Correct(ctx context.Context, by audit.Actor, id string, amount buyer.Cents, note string) (Entered, error) {
	switch {
	case amount == 0:
		return Entered{}, entered.Refuse("a correction of $0.00 changes nothing: write what the buyer owes more or less")
	case strings.TrimSpace(note) == "":
		return Entered{}, entered.Problem("note", "missing: say why, because the buyer reads it on the statement")
	}
	return ac.addFunds(ctx, by, audit.BuyerCorrect, buyer.Entry{Buyer: id, Kind: buyer.EntryCorrection, Amount: amount, Note: note})
}

// addFunds adds an entry to a buyer's account, and has held leads checked again: they may be waiting for the money.
func (ac *Accounts) addFunds(ctx context.Context, by audit.Actor, action audit.Action, e buyer.Entry) (done Entered, err error) {
	if e.Note, err = entered.PlainText(e.Note); err != nil {
		return done, entered.Problem("note", err.Error())
	}
	err = ac.Store.Update(ctx, func(tx *store.Tx) error {
		if done, err = ac.Enter(tx, by, action, e); err != nil {
			return err
		}
		return ac.Keep(tx, done.Entry)
	})
	return done, err
}

// Enter adds an entry in a transaction.
func (ac *Accounts) Enter(tx *store.Tx, by audit.Actor, action audit.Action, e buyer.Entry) (done Entered, err error) {
	b, err := tx.Ledger().Buyer(e.Buyer)
	if err != nil {
		return done, err
	}
	if after := b.Funds - e.Amount; after > buyer.MaxAmount || after < -buyer.MaxAmount {
		return done, entered.Refuse("the payments and corrections of %s would come to %s: at most %s are possible", b.ID, after, buyer.MaxAmount)
	}
	e.At = ac.Now()
	if err := tx.AddFunds(e); err != nil {
		return done, err
	}
	if b.State != buyer.Removed {
		if err := forward.WakeBuyer(tx, e.Buyer, e.At); err != nil {
			return done, err
		}
	}
	done = Entered{Entry: e, BuyerName: b.Terms.Name}
	if done.Owed, err = tx.Ledger().Owed(e.Buyer); err != nil {
		return done, err
	}
	return done, ac.Record(tx, by, action, e.Buyer, audit.Detail{"owes_more_cents": e.Amount})
}
