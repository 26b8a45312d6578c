package desk

import (
	"context"
	"errors"
	"slices"

	"foyer/internal/buyer"
)

// secret is the one that was brought along, or a new one.
func (d *Desk) secret(own string) (string, error) {
	if own == "" {
		return d.NewSecret(), nil
	}
	if err := d.CheckSecret(own); err != nil {
		return "", Problems{{"secret", err.Error()}}
	}
	return own, nil
}

// Rotate gives a buyer a new secret, told this once, and keeps the old one until the rotation ends: both sign meanwhile.
func (d *Desk) Rotate(ctx context.Context, id, own string) (b buyer.Buyer, secret string, err error) {
	if secret, err = d.secret(own); err != nil {
		return b, "", err
	}
	b, err = d.change(ctx, id, func(_ Page, b *buyer.Buyer, _ *buyer.Standing) error {
		switch {
		case len(b.Secrets) > 1:
			return errors.New("a rotation is under way: end it first, or the buyer may be left with a secret that no longer signs")
		case slices.Contains(b.Secrets, secret):
			return errors.New("this is the secret it has")
		}
		b.Secrets = append([]string{secret}, b.Secrets...)
		return nil
	})
	return b, secret, err
}

// EndRotation drops the old secret.
func (d *Desk) EndRotation(ctx context.Context, id string) (buyer.Buyer, error) {
	return d.change(ctx, id, func(_ Page, b *buyer.Buyer, _ *buyer.Standing) error {
		if len(b.Secrets) < 2 {
			return errors.New("no rotation is under way")
		}
		b.Secrets = b.Secrets[:1]
		return nil
	})
}
