package app

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/config"
	"foyer/internal/forward"
	"foyer/internal/keyring"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/webhook"
)

// Operator carries out an operator's commands on a database. A service may run on the database at the same time.
type Operator struct {
	*operator.Operator
	KeysMade string // the new key file, "" if none was created
	store    *store.Store
	sender   *webhook.Sender
}

// OpenOperator opens an existing database for an operator. If private is set, buyers may have private addresses. by is the actor of
// what opening changes: it may create and register keys.
func OpenOperator(ctx context.Context, d config.Data, private bool, by audit.Actor) (*Operator, error) {
	st, err := store.OpenExisting(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	return newOperator(ctx, st, d, private, by)
}

// OpenWithoutKeys opens an existing database for commands that must work where the key file is missing: to suppress a number, and
// to settle a privacy request. If the file is there and belongs to the database, its keys are used.
func OpenWithoutKeys(ctx context.Context, d config.Data) (*Operator, error) {
	st, err := store.OpenExisting(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	var persons forward.PersonRules
	known, err := st.Keys(ctx)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	if ring, err := keyring.Open(d.KeyFile()); err == nil && len(known) > 0 && checkKeys(d, ring, known) == nil {
		persons.Key = ring.Key(keyring.Index)
	}
	return &Operator{store: st, sender: newSender(false), Operator: &operator.Operator{Store: st, Now: time.Now, Persons: persons, Suppressed: st.Suppressed}}, nil
}

// NewOperator opens a database for an operator, and creates it if there is none.
func NewOperator(ctx context.Context, d config.Data, private bool, by audit.Actor) (o *Operator, made bool, err error) {
	exists, err := store.Exists(ctx, string(d.Database))
	if err != nil {
		return nil, false, err
	}
	st, err := store.Open(ctx, string(d.Database), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, false, err
	}
	o, err = newOperator(ctx, st, d, private, by)
	return o, !exists, err
}

// newOperator takes over the store: if the keys are wrong, it closes the store.
func newOperator(ctx context.Context, st *store.Store, d config.Data, private bool, by audit.Actor) (*Operator, error) {
	keys, err := openKeys(ctx, st, d, callerOperator, by)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	sender := newSender(private)
	return &Operator{KeysMade: keys.created, store: st, sender: sender, Operator: newOperatorOf(st, keys.Ring, sender, private)}, nil
}

// newOperatorOf returns what carries out an operator's commands on a store.
func newOperatorOf(st *store.Store, keys *keyring.Ring, sender *webhook.Sender, private bool) *operator.Operator {
	return &operator.Operator{
		Store: st, Now: clock, NewID: newID, NewSecret: newSecret, CheckURL: BuyerURL(private), CheckSecret: webhook.CheckSecret,
		Send: sendNow(sender), Suppressed: st.Suppressed, SendAlert: alertSender(catalog.Brand{Name: "Foyer"}, "", config.Mail{}, sender).Send,
		Persons: forward.PersonRules{Key: keys.Key(keyring.Index)},
	}
}

// PhoneIndex returns the keyed index by which the audit trail of a database names a phone number.
func PhoneIndex(d config.Data, phone string) (string, error) {
	ring, err := keyring.Open(d.KeyFile())
	if err != nil {
		return "", err
	}
	return lead.PhoneIndex(ring.Key(keyring.Index), phone), nil
}

// SearchKey returns the key of the search index, or nil if the key file is missing or belongs to another database: then persons are
// searched one by one.
func SearchKey(d config.Data, tx *store.Tx) ([]byte, error) {
	ring, err := keyring.Open(d.KeyFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil || slices.Contains(ring.Missing(), keyring.Index) {
		return nil, err
	}
	known, err := tx.Keys().List()
	used := slices.ContainsFunc(known, func(k store.RegisteredKey) bool {
		return keyring.NameOf(k.ID) == keyring.Index && slices.ContainsFunc(ring.Keys(), func(has keyring.Key) bool { return has.ID == k.ID })
	})
	if err != nil || !used {
		return nil, err
	}
	return ring.Key(keyring.Index), nil
}

// Close closes the sender and the store.
func (o *Operator) Close() error {
	o.sender.Close()
	return o.store.Close()
}

// BuyerURL returns a function that checks the URLs of buyers.
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
