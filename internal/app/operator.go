package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"foyer/internal/config"
	"foyer/internal/forward"
	"foyer/internal/keyring"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// operatorStore lets the desk write in the store.
type operatorStore struct{ *store.Store }

func (l operatorStore) Update(ctx context.Context, do func(operator.Tx) error) error {
	return l.Store.Update(ctx, func(p *store.Tx) error { return do(p) })
}

func (l operatorStore) View(ctx context.Context, do func(operator.Tx) error) error {
	return l.Store.View(ctx, func(p *store.Tx) error { return do(p) })
}

// Operator is a desk on a database. A service may run on it meanwhile.
type Operator struct {
	*operator.Operator
	KeysMade string // the file, where keys were made
	keys     *keyring.Ring
	store    *store.Store
	sender   *webhook.Sender
}

// OpenOperator opens an existing database for an operator. Private permits buyers in our own network.
func OpenOperator(ctx context.Context, d config.Data, private bool) (*Operator, error) {
	st, err := store.OpenExisting(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return newOperator(ctx, st, d, private)
}

// NewOperator opens a database for an operator, and makes it where there is none.
func NewOperator(ctx context.Context, d config.Data, private bool) (o *Operator, made bool, err error) {
	there, err := store.Exists(ctx, string(d.Database))
	if err != nil {
		return nil, false, err
	}
	st, err := store.Open(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, false, err
	}
	o, err = newOperator(ctx, st, d, private)
	return o, !there, err
}

// newOperator takes a store over: where the keys are wrong, it is closed.
func newOperator(ctx context.Context, st *store.Store, d config.Data, private bool) (*Operator, error) {
	found, err := openKeys(ctx, st, d, callerOperator)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	st.Fingerprint = fingerprint(found.Ring)
	sender := newSender(private)
	return &Operator{KeysMade: found.created, keys: found.Ring, store: st, sender: sender, Operator: &operator.Operator{
		Store: operatorStore{st}, Now: time.Now, NewID: newID, NewSecret: newSecret, CheckURL: BuyerURL(private), CheckSecret: webhook.CheckSecret,
		Send: webhookSender(sender), Suppressed: st.Suppressed,
		Persons: forward.PersonRules{Key: found.Key(keyring.Index)},
	}}, nil
}

// Erase forgets who sent a lead.
func (o *Operator) Erase(ctx context.Context, id string, c lead.Change) error {
	return o.store.Erase(ctx, id, c)
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
