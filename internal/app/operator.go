package app

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"time"

	"foyer/internal/desk"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// ledger lets the desk write in the store.
type ledger struct{ *store.Store }

func (l ledger) Turn(ctx context.Context, do func(desk.Page) error) error {
	return l.Store.Turn(ctx, func(p *store.Page) error { return do(p) })
}

func (l ledger) Look(ctx context.Context, do func(desk.Page) error) error {
	return l.Store.Look(ctx, func(p *store.Page) error { return do(p) })
}

// Operator is a desk on a database. A service may run on it meanwhile.
type Operator struct {
	*desk.Desk
	store  *store.Store
	sender *webhook.Sender
}

// OpenDesk opens an existing database for an operator. Private permits buyers in our own network.
func OpenDesk(ctx context.Context, database string, private bool) (*Operator, error) {
	st, err := store.OpenExisting(ctx, database, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return newOperator(st, private), nil
}

// MakeDesk opens a database for an operator, and makes it where there is none.
func MakeDesk(ctx context.Context, database string, private bool) (o *Operator, made bool, err error) {
	there, err := store.Exists(ctx, database)
	if err != nil {
		return nil, false, err
	}
	st, err := store.Open(ctx, database, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, false, err
	}
	return newOperator(st, private), !there, nil
}

func newOperator(st *store.Store, private bool) *Operator {
	sender := newSender(private)
	return &Operator{store: st, sender: sender, Desk: &desk.Desk{
		Books: ledger{st}, Now: time.Now, NewID: newID, NewSecret: newSecret, CheckURL: BuyerURL(private), CheckSecret: webhook.CheckSecret,
		Send: post(sender), Suppressed: st.Suppressed,
	}}
}

// Close ends the desk's work.
func (o *Operator) Close() error {
	o.sender.Close()
	return o.store.Close()
}

// BuyerURL checks addresses of buyers.
func BuyerURL(private bool) func(raw string) error {
	return func(raw string) error {
		err := webhook.CheckURL(raw, private)
		if err != nil && !private && webhook.CheckURL(raw, true) == nil {
			return fmt.Errorf("%w (--allow-private-buyers permits private addresses and http)", err)
		}
		return err
	}
}

func newSecret() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return webhook.NewSecret(random[:])
}
