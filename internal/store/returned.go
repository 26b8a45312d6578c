package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// OfferSecrets are the secrets of the buyer that an offer went to. There are none where there is no such offer, or where
// the buyer was removed. It is read aside from the writer, so that an unknown caller keeps nobody waiting.
func (s *Store) OfferSecrets(ctx context.Context, offer string) (secrets []string, err error) {
	var text string
	e, ctx, done := s.useReadPool(ctx)
	defer done()
	err = e.QueryRowContext(ctx, `SELECT b.secrets FROM offers o JOIN buyers b ON b.id = o.buyer_id WHERE o.id = $1 AND b.state <> 'removed'`, offer).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, s.readError(e, err)
	}
	return secrets, json.Unmarshal([]byte(text), &secrets)
}

// Returned is when the lead of an offer was given back, or no time.
func (p *Tx) Returned(offer string) (at time.Time, err error) {
	_, err = p.db.queryRow(`SELECT returned_at FROM offers WHERE id = $1`, []any{offer}, func(r row) { at = timeOrZero(r.number(0)) })
	return at, err
}

// LastAnsweredAt is when the last message about an offer was answered: for one that was delivered, its delivery.
func (p *Tx) LastAnsweredAt(o buyer.Offer) (at time.Time, err error) {
	at = o.At
	_, err = p.db.queryRow(`SELECT COALESCE(MAX(at + took), 0) FROM attempts WHERE lead_seq = $1 AND offer_id = $2`, []any{o.Lead, o.ID}, func(r row) {
		if answered := timeOrZero(r.number(0)); answered.After(at) {
			at = answered
		}
	})
	return at, err
}

// deleteBatch is how many old ids go with each new one. So they never pile up, and nobody waits for them.
const deleteBatch = 100

// MessageSeen says whether a message with the id of a return came since a time with another body.
func (p *Tx) MessageSeen(r lead.Return, since time.Time) (another bool, err error) {
	id, body := messageKey(r)
	// What follows the id in the key is a slash and the body's digest; 0 is the character after the slash.
	err = p.db.query(`SELECT id FROM webhook_ids WHERE id > $1 AND id < $2 AND at >= $3`, []any{id + "/", id + "0", micros(since)}, func(known row) error {
		another = another || known.text(0) != id+"/"+body
		return nil
	})
	return another, err
}

// RecordMessage remembers the message of a return, and forgets some that came before a time.
func (p *Tx) RecordMessage(r lead.Return, at, since time.Time) error {
	id, body := messageKey(r)
	err := p.db.exec(`INSERT INTO webhook_ids (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, id+"/"+body, micros(at))
	if err != nil {
		return err
	}
	return p.db.exec(`DELETE FROM webhook_ids WHERE id IN (SELECT id FROM webhook_ids WHERE at < $1 ORDER BY at LIMIT $2)`, micros(since), int64(deleteBatch))
}

// messageKey is what is kept of a message: the offer with a digest of the buyer's id for it, and a digest of its body.
// The id may be long, and may name somebody.
func messageKey(r lead.Return) (id, body string) {
	name, sum := sha256.Sum256([]byte(r.Message)), sha256.Sum256(r.Body)
	return r.Offer + "/" + hex.EncodeToString(name[:16]), hex.EncodeToString(sum[:16])
}
