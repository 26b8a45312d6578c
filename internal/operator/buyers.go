package operator

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// New is a buyer to add.
type New struct {
	Terms  entered.Terms
	Secret string // the buyer's own; "" generates one
	Live   bool   // the buyer is asked immediately, held leads included
	Paused bool
}

// Check returns every problem with a new buyer.
func (n New) Check(checkURL, checkSecret func(string) error) (buyer.Terms, error) {
	terms, err := n.Terms.Begin(checkURL)
	problems, _ := errors.AsType[entered.Problems](err)
	if n.Secret != "" {
		if err := checkSecret(n.Secret); err != nil {
			problems.Add(entered.FieldError{Term: "secret", Text: err.Error()})
		}
	}
	return terms, problems.OrNil()
}

// Add adds a buyer, in test unless Live or Paused is set. The secret is returned only this once. Add refuses a name that
// another buyer has, because commands refer to buyers by name.
func (op *Operator) Add(ctx context.Context, by audit.Actor, n New) (b buyer.Buyer, secret string, err error) {
	terms, err := n.Check(op.CheckURL, op.CheckSecret)
	if err != nil {
		return b, "", err
	}
	if secret = n.Secret; secret == "" {
		secret = op.NewSecret()
	}
	b = buyer.Buyer{ID: op.NewID(entered.BuyerIDPrefix), Terms: terms, Secrets: []string{secret}, State: buyer.Testing}
	switch {
	case n.Paused:
		b.State, b.Why = buyer.Paused, byOperator
	case n.Live:
		b.State = buyer.Active
	}
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		if err := op.save(tx, by, audit.BuyerAdd, buyer.Buyer{}, &b, buyer.Health{}); err != nil {
			return err
		}
		return checkSavedName(tx, b)
	})
	return b, secret, err
}

// checkSavedName refuses a name that another buyer has. It comes after the buyer was saved: that made other transactions with buyers wait.
func checkSavedName(tx *store.Tx, b buyer.Buyer) error {
	buyers, err := tx.Ledger().Buyers()
	if err != nil {
		return err
	}
	return checkNameFree(buyers, b)
}

func checkNameFree(buyers []buyer.Buyer, b buyer.Buyer) error {
	for _, other := range buyers {
		if other.ID != b.ID && other.State != buyer.Removed && strings.EqualFold(other.Terms.Name, b.Terms.Name) {
			return entered.Problem("name", fmt.Sprintf("%q is the name of %s already: write another, or change that buyer", other.Terms.Name, other.ID))
		}
	}
	return nil
}

// Edit changes the terms that the input mentions. Like Add, it refuses a name that another buyer has.
func (op *Operator) Edit(ctx context.Context, by audit.Actor, id string, in entered.Terms) (buyer.Buyer, error) {
	return op.change(ctx, by, audit.BuyerEdit, id, func(tx *store.Tx, b *buyer.Buyer, s *buyer.Health) (err error) {
		before := b.Terms.URL
		if b.Terms, err = in.Change(b.Terms, op.CheckURL); b.Terms.URL != before {
			*s = s.Forget()
		}
		if err != nil || in.Name == nil {
			return err
		}
		if err := tx.PutBuyer(*b); err != nil { // makes others wait, as checkSavedName wants
			return err
		}
		return checkSavedName(tx, *b)
	})
}

const byOperator = "by the operator"

// Pause stops offers to a buyer. Leads that are only queued for it go to other buyers. Without a reason, the buyer keeps
// the one it has: that may be the answer with which its address refused us.
func (op *Operator) Pause(ctx context.Context, by audit.Actor, id, why string) (buyer.Buyer, error) {
	why, err := entered.PlainText(why)
	if err != nil {
		return buyer.Buyer{}, entered.Problem("why", err.Error())
	}
	return op.change(ctx, by, audit.BuyerPause, id, func(tx *store.Tx, b *buyer.Buyer, _ *buyer.Health) error {
		if b.State == buyer.Off {
			return entered.Refuse("it is off already: its address said that it is gone, and nothing is sent there")
		}
		if b.State == buyer.Testing {
			return entered.Refuse("the buyer is in test: it gets no leads before it is started")
		}
		b.State, b.Why = buyer.Paused, cmp.Or(why, b.Why, byOperator)
		return tx.Requeue(id)
	})
}

// Resume makes a buyer active again and clears its failures. A buyer in test must be started instead.
func (op *Operator) Resume(ctx context.Context, by audit.Actor, id string) (buyer.Buyer, error) {
	return op.change(ctx, by, audit.BuyerResume, id, func(_ *store.Tx, b *buyer.Buyer, s *buyer.Health) error {
		if b.State == buyer.Testing {
			return entered.Refuse("the buyer is in test: start it, which also says which held leads it gets")
		}
		b.State, b.Why = buyer.Active, ""
		*s = s.Forget()
		return nil
	})
}

// InProgress counts what is in progress with a buyer right now.
type InProgress struct {
	Offers   int      // waiting for the buyer's answer
	Contacts int      // being delivered to the buyer
	Leads    []string // at most maxLeadIDs of their ids
}

// maxLeadIDs bounds how many lead ids UnderWay lists.
const maxLeadIDs = 10

// Nothing reports whether nothing is in progress.
func (u InProgress) Nothing() bool { return u.Offers+u.Contacts == 0 }

func (u InProgress) String() string {
	text := fmt.Sprintf("offers open: %d, contacts being delivered: %d", u.Offers, u.Contacts)
	if len(u.Leads) > 0 {
		text += "; leads: " + strings.Join(u.Leads, ", ")
	}
	if more := u.Offers + u.Contacts - len(u.Leads); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// InProgress returns a buyer and what is in progress with it.
func (op *Operator) InProgress(ctx context.Context, id string) (b buyer.Buyer, u InProgress, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) {
		if b, err = tx.Buyer(id); err == nil {
			u, err = inProgressWith(tx, id)
		}
		return err
	})
	return b, u, err
}

func inProgressWith(tx *store.Tx, id string) (u InProgress, err error) {
	if u.Offers, err = tx.UnderWay(id, buyer.StepOffer); err != nil {
		return u, err
	}
	if u.Contacts, err = tx.UnderWay(id, buyer.StepDeliver); err != nil || u.Nothing() {
		return u, err
	}
	u.Leads, err = tx.LeadsUnderWay(id, maxLeadIDs)
	return u, err
}

// Remove removes a buyer; its name stays in the history. If something is in progress with it, Remove requires force, and
// leads whose contact the buyer may have end in error. It returns how many contacts were being delivered.
func (op *Operator) Remove(ctx context.Context, by audit.Actor, id string, force bool) (b buyer.Buyer, onTheirWay int, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		var err error
		if b, err = tx.Buyer(id); err != nil {
			return err
		}
		u, err := inProgressWith(tx, id)
		if err != nil {
			return err
		}
		if onTheirWay = u.Contacts; !u.Nothing() && !force {
			return entered.Refuse("something is under way to %s (%s), and a lead whose contact it may have would end in error: pause it and wait, or force it", id, u)
		}
		if err := tx.Requeue(id); err != nil {
			return err
		}
		// Deliveries that wait for a retry end now, not when the retry is due.
		if err := tx.MakeDueNow(id, op.now()); err != nil {
			return err
		}
		if err := tx.RemoveBuyer(id, op.now()); err != nil {
			return err
		}
		return op.record(tx, by, audit.BuyerRemove, id, audit.Detail{"forced": force, "offers_open": u.Offers, "contacts_being_delivered": u.Contacts})
	})
	if err == nil {
		err = op.waitUntilSent(ctx, id)
	}
	return b, onTheirWay, err
}

// change applies an edit to a buyer and its health, and records what it changed.
func (op *Operator) change(ctx context.Context, by audit.Actor, action audit.Action, id string, edit func(*store.Tx, *buyer.Buyer, *buyer.Health) error) (b buyer.Buyer, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		before, err := tx.Buyer(id)
		if err != nil {
			return err
		}
		health, err := tx.Health(id)
		if err != nil {
			return err
		}
		b = before
		if err := edit(tx, &b, &health); err != nil {
			return err
		}
		if err := op.save(tx, by, action, before, &b, health); err != nil {
			return err
		}
		return op.keepBuyer(tx, before, b)
	})
	return b, err
}

// save stores a buyer and has all held leads checked again: they may be waiting for this change.
func (op *Operator) save(tx *store.Tx, by audit.Actor, action audit.Action, before buyer.Buyer, b *buyer.Buyer, health buyer.Health) error {
	if b.UpdatedAt = op.now(); b.CreatedAt.IsZero() {
		b.CreatedAt = b.UpdatedAt
	}
	if err := tx.PutBuyer(*b); err != nil {
		return err
	}
	health.WakeAt = b.UpdatedAt
	if err := tx.PutHealth(b.ID, health); err != nil {
		return err
	}
	return op.record(tx, by, action, b.ID, entered.ChangedTerms(before, *b))
}

// FindPart is Find for a part of a name, which only one buyer may have: of those that are not removed.
func (op *Operator) FindPart(ctx context.Context, word string) (string, error) {
	id, err := op.Find(ctx, word)
	if lead.KindOf(err) != lead.NotFound {
		return id, err
	}
	buyers, _, listErr := op.Store.Buyers(ctx)
	if listErr != nil {
		return "", listErr
	}
	for _, b := range buyers {
		if b.State == buyer.Removed || !strings.Contains(strings.ToLower(b.Terms.Name), strings.ToLower(strings.TrimSpace(word))) {
			continue
		}
		if id != "" {
			return "", err
		}
		id = b.ID
	}
	if id == "" {
		return "", err
	}
	return id, nil
}

// Find returns the id of the buyer with this id or name. Names must match as a whole, regardless of case. If several buyers
// have the name, the error lists them.
func (op *Operator) Find(ctx context.Context, word string) (string, error) {
	buyers, _, err := op.Store.Buyers(ctx)
	if err != nil {
		return "", err
	}
	return entered.FindBuyer(buyers, word)
}

// Import is a list of ZIP codes and what to do with it.
type Import struct {
	ZIPs    []string
	Replace bool // replace the buyer's list instead of adding to it
	Exclude bool // the buyer does not work in these
}

// Import gives a buyer thousands of ZIP codes.
func (op *Operator) Import(ctx context.Context, by audit.Actor, id string, i Import) (b buyer.Buyer, before buyer.Area, err error) {
	b, err = op.change(ctx, by, audit.BuyerImport, id, func(_ *store.Tx, b *buyer.Buyer, _ *buyer.Health) error {
		before = b.Terms.Area
		list := &b.Terms.Area.ZIPs
		if i.Exclude {
			list = &b.Terms.Area.Excluded
		}
		all := strings.Join(i.ZIPs, ",")
		if !i.Replace {
			all += "," + *list
		}
		var err error
		if *list, err = buyer.CleanZIPs(all); err != nil {
			return err
		}
		var problems entered.Problems
		entered.CheckTerms(b.Terms, &problems)
		return problems.OrNil()
	})
	return b, before, err
}
