package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
)

// OfferSecrets are the secrets of the buyer that an offer went to. There are none where there is no such offer, or where
// the buyer was removed. It is read aside from the writer, so that an unknown caller keeps nobody waiting.
func (s *Store) OfferSecrets(ctx context.Context, offer string) (secrets []string, err error) {
	var text string
	e, ctx, done := s.look(ctx)
	defer done()
	err = e.QueryRowContext(ctx, `SELECT b.secrets FROM offers o JOIN buyers b ON b.id = o.buyer_id WHERE o.id = $1 AND b.state <> 'removed'`, offer).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.reading(e, err)
	}
	return secrets, json.Unmarshal([]byte(text), &secrets)
}

// Returned is when the lead of an offer was given back, or no time.
func (p *Page) Returned(offer string) (at time.Time, err error) {
	_, err = p.h.one(`SELECT returned_at FROM offers WHERE id = $1`, []any{offer}, func(r row) { at = moment(r.number(0)) })
	return at, err
}

// Handed is when the last message about an offer was answered: for one that was delivered, its delivery.
func (p *Page) Handed(o buyer.Offer) (at time.Time, err error) {
	at = o.At
	_, err = p.h.one(`SELECT COALESCE(MAX(at + took), 0) FROM attempts WHERE lead_seq = $1 AND offer_id = $2`, []any{o.Lead, o.ID}, func(r row) {
		if answered := moment(r.number(0)); answered.After(at) {
			at = answered
		}
	})
	return at, err
}
