package operator

import (
	"context"
	"errors"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// ErrKeyUsed says that an idempotency key was used before, and that nothing was changed now.
var ErrKeyUsed = errors.New("the idempotency key was used before")

// Once returns an operator for one change with an idempotency key. The key is stored in the first transaction of the change, so that
// the change happens once, even if the process dies right after it. If the key was used before, the change fails with ErrKeyUsed.
func (op *Operator) Once(key lead.Idempotency) *Operator {
	once := *op
	once.Store = &onceStore{Store: op.Store, op: op, key: key}
	return &once
}

type onceStore struct {
	Store
	op      *Operator
	key     lead.Idempotency
	claimed bool
}

// Update claims the key in the first transaction.
func (s *onceStore) Update(ctx context.Context, do func(*store.Tx) error) error {
	if s.claimed {
		return s.Store.Update(ctx, do)
	}
	now := s.op.now()
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		claimed, err := tx.IdempotencyKeys().Claim(s.key, now, now.Add(-lead.IdempotencyWindow))
		if err == nil && !claimed {
			err = ErrKeyUsed
		}
		if err != nil {
			return err
		}
		return do(tx)
	})
	s.claimed = err == nil
	return err
}

// KeyUse returns what an idempotency key was used for in the last day, or nil. Its answer is empty if it was not stored: the change is
// still going on, or the process died after it.
func (op *Operator) KeyUse(ctx context.Context, key string) (used *lead.Idempotency, err error) {
	err = op.Store.View(ctx, func(tx *store.Tx) (err error) {
		used, err = tx.IdempotencyKeys().Find(key, op.now().Add(-lead.IdempotencyWindow))
		return err
	})
	return used, err
}

// StoreAnswer stores the answer of a change with an idempotency key.
func (op *Operator) StoreAnswer(ctx context.Context, key lead.Idempotency) error {
	return op.Store.Update(ctx, func(tx *store.Tx) error { return tx.IdempotencyKeys().PutAnswer(key) })
}

// ForgetKey lets the idempotency key of Once be used again, because the change was refused in the end. It leaves a key alone that another
// request claimed: what that changed must not happen twice.
func (op *Operator) ForgetKey(ctx context.Context) error {
	s, ok := op.Store.(*onceStore)
	if !ok || !s.claimed {
		return nil
	}
	return s.Store.Update(ctx, func(tx *store.Tx) error { return tx.IdempotencyKeys().Forget(s.key) })
}
