package store

import (
	"context"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// KeepConsentTexts stores the texts that people are about to agree to, so that they can be found by their hash.
func (s *Store) KeepConsentTexts(ctx context.Context, at time.Time, texts ...lead.ConsentText) error {
	return s.write(ctx, func(tx *Tx) error {
		for _, t := range texts {
			ref := t.Ref()
			if err := tx.exec(`INSERT INTO consent_texts (hash, version, text, first_used) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING`,
				ref.Hash, ref.Version, t.Text, rows.Micros(at)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ConsentTexts returns every text that people were ever asked to agree to, by hash.
func (s *Store) ConsentTexts(ctx context.Context) (map[string]lead.ConsentText, error) {
	return read(ctx, s, func(tx *Tx) (map[string]lead.ConsentText, error) {
		texts := make(map[string]lead.ConsentText)
		err := tx.query(`SELECT hash, version, text, first_used FROM consent_texts`, nil, func(r db.Row) error {
			texts[r.Text(0)] = lead.ConsentText{Version: r.Text(1), Text: r.Text(2), FirstUsed: rows.Time(r.Int(3))}
			return nil
		})
		return texts, err
	})
}

// ConsentText finds a consent text by its hash.
func (tx *Tx) ConsentText(hash string) (string, error) {
	text, found, err := one(tx, db.FirstText, `SELECT text FROM consent_texts WHERE hash = $1`, hash)
	if err == nil && !found {
		err = &lead.Error{Kind: lead.NotFound, Message: "There is no consent text with this hash."}
	}
	return text, err
}
