package forward_test

import (
	"context"

	"foyer/internal/desk"
	"foyer/internal/store"
)

func (b deskBooks) Look(ctx context.Context, do func(desk.Page) error) error {
	return b.Store.Look(ctx, func(p *store.Page) error { return do(p) })
}
