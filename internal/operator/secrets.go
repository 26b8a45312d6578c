package operator

import (
	"context"
	"slices"
	"time"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/operator/entered"
	"foyer/internal/store"
)

// Rotate begins a key rotation: it gives a buyer a new secret, returned only this once, and keeps the old one until EndRotation: both sign meanwhile.
// When Rotate returns, every process signs with the new secret. If ctx ends first, Rotate still returns the secret with the
// error: it is in use.
func (op *Operator) Rotate(ctx context.Context, by audit.Actor, id, own string) (b buyer.Buyer, secret string, err error) {
	if secret = own; own == "" {
		secret = op.NewSecret()
	} else if err := op.CheckSecret(own); err != nil {
		return b, "", entered.Problem("secret", err.Error())
	}
	b, err = op.changeSecrets(ctx, by, audit.BuyerRotate, id, func(b *buyer.Buyer) error {
		switch {
		case len(b.Secrets) > 1:
			return entered.Refuse("a rotation is under way: end it first, or the buyer may be left with a secret that no longer signs")
		case slices.Contains(b.Secrets, secret):
			return entered.Refuse("this is the secret it has")
		}
		b.Secrets = append([]string{secret}, b.Secrets...)
		return nil
	})
	if err != nil {
		return b, "", err
	}
	return b, secret, op.waitUntilSent(ctx, id)
}

// EndRotation drops the old secret.
func (op *Operator) EndRotation(ctx context.Context, by audit.Actor, id string) (buyer.Buyer, error) {
	return op.changeSecrets(ctx, by, audit.BuyerEndRotation, id, func(b *buyer.Buyer) error {
		if len(b.Secrets) < 2 {
			return entered.Refuse("no rotation is under way")
		}
		b.Secrets = b.Secrets[:1]
		return nil
	})
}

// changeSecrets changes a buyer's secrets. Held leads are not checked again: the buyer's terms are the same.
func (op *Operator) changeSecrets(ctx context.Context, by audit.Actor, action audit.Action, id string, do func(*buyer.Buyer) error) (b buyer.Buyer, err error) {
	err = op.Store.Update(ctx, func(tx *store.Tx) error {
		var err error
		if b, err = tx.Buyer(id); err != nil {
			return err
		}
		if err := do(&b); err != nil {
			return err
		}
		if err := tx.PutBuyer(b); err != nil {
			return err
		}
		return op.record(tx, by, action, id, nil)
	})
	return b, err
}

// waitUntilSent waits until every message to the buyer that was claimed before now has been sent: later claims use the
// buyer as it is now. For a message whose process died, it waits no longer than the lease.
func (op *Operator) waitUntilSent(ctx context.Context, id string) error {
	const pause = 50 * time.Millisecond
	for until := op.now(); ; {
		sending, err := op.Store.Sending(ctx, id, until, op.now())
		if err != nil || sending == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
