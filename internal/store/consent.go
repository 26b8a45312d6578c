package store

import (
	"context"
	"time"

	"foyer/internal/lead"
)

// KeepConsentTexts stores the texts that people are about to agree to, so that they can be found by their hash.
func (s *Store) KeepConsentTexts(ctx context.Context, at time.Time, texts ...lead.ConsentText) error {
	return s.write(ctx, func(tx *Tx) error {
		for _, t := range texts {
			ref := t.Ref()
			if err := tx.exec(`INSERT INTO consent_texts (hash, version, text, first_used) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING`,
				ref.Hash, ref.Version, t.Text, micros(at)); err != nil {
				return err
			}
		}
		return nil
	})
}

// ConsentTexts returns every text that people were ever asked to agree to, by hash.
func (s *Store) ConsentTexts(ctx context.Context) (map[string]lead.ConsentText, error) {
	pool, ctx, done := s.useReadPool(ctx)
	defer done()
	rows, err := pool.QueryContext(ctx, `SELECT hash, version, text, first_used FROM consent_texts`)
	if err != nil {
		return nil, s.readError(pool, err)
	}
	defer rows.Close()
	texts := make(map[string]lead.ConsentText)
	for rows.Next() {
		var hash string
		var t lead.ConsentText
		var at int64
		if err := rows.Scan(&hash, &t.Version, &t.Text, &at); err != nil {
			return nil, err
		}
		t.FirstUsed = fromMicros(at)
		texts[hash] = t
	}
	return texts, s.readError(pool, rows.Err())
}
