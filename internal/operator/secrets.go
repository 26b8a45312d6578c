package operator

import (
	"context"
	"errors"
	"slices"
	"time"

	"foyer/internal/buyer"
)

// secret is the one that was brought along, or a new one.
func (d *Operator) secret(own string) (string, error) {
	if own == "" {
		return d.NewSecret(), nil
	}
	if err := d.CheckSecret(own); err != nil {
		return "", Problems{{"secret", err.Error()}}
	}
	return own, nil
}

// Rotate gives a buyer a new secret, told this once, and keeps the old one until the rotation ends: both sign meanwhile. When it
// returns, no process sends anything that the new one did not sign. Whoever stops waiting for that is told the secret all the same: it
// is in use.
func (d *Operator) Rotate(ctx context.Context, id, own string) (b buyer.Buyer, secret string, err error) {
	if secret, err = d.secret(own); err != nil {
		return b, "", err
	}
	b, err = d.changeSecrets(ctx, id, func(b *buyer.Buyer) error {
		switch {
		case len(b.Secrets) > 1:
			return errors.New("a rotation is under way: end it first, or the buyer may be left with a secret that no longer signs")
		case slices.Contains(b.Secrets, secret):
			return errors.New("this is the secret it has")
		}
		b.Secrets = append([]string{secret}, b.Secrets...)
		return nil
	})
	if err != nil {
		return b, "", err
	}
	return b, secret, d.waitUntilSent(ctx, id)
}

// EndRotation drops the old secret.
func (d *Operator) EndRotation(ctx context.Context, id string) (buyer.Buyer, error) {
	return d.changeSecrets(ctx, id, func(b *buyer.Buyer) error {
		if len(b.Secrets) < 2 {
			return errors.New("no rotation is under way")
		}
		b.Secrets = b.Secrets[:1]
		return nil
	})
}

// changeSecrets changes the secrets of a buyer. What is held is not looked at for that: nothing about the buyer's terms is new.
func (d *Operator) changeSecrets(ctx context.Context, id string, do func(*buyer.Buyer) error) (b buyer.Buyer, err error) {
	err = d.Store.Update(ctx, func(p Tx) error {
		var err error
		if b, err = p.Buyer(id); err != nil {
			return err
		}
		if err := do(&b); err != nil {
			return err
		}
		return p.PutBuyer(b)
	})
	return b, err
}

// waitUntilSent waits until no message is under way to a buyer that was taken before now: what is taken from here on goes by the buyer
// as it is now. A message whose process died is not waited for longer than its lease.
func (d *Operator) waitUntilSent(ctx context.Context, id string) error {
	const pause = 50 * time.Millisecond
	for until := d.now(); ; {
		sending, err := d.Store.Sending(ctx, id, until, d.now())
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
