// Package consents has the SQL of the table consent_texts: the words that people agree to, by their hash. A row is never changed or
// deleted, so that consent can be proven years later.
package consents

import (
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Keep stores texts that people are about to agree to.
func Keep(c db.Conn, at time.Time, texts ...lead.ConsentText) error {
	for _, t := range texts {
		ref := t.Ref()
		if err := c.Exec(`INSERT INTO consent_texts (hash, version, text, first_used) VALUES ($1, $2, $3, $4) ON CONFLICT (hash) DO NOTHING`,
			[]any{ref.Hash, ref.Version, t.Text, rows.Micros(at)}); err != nil {
			return err
		}
	}
	return nil
}

// ByHash returns the words with a hash, and since when they are used.
func ByHash(c db.Conn, hash string) (lead.ConsentText, error) {
	text, found, err := db.One(c, scan, `SELECT hash, version, text, first_used FROM consent_texts WHERE hash = $1`, hash)
	if err == nil && !found {
		err = lead.NotFoundError("consent text with this hash")
	}
	return text, err
}

func scan(r db.Row) (lead.ConsentText, error) {
	return lead.ConsentText{Version: r.Text(1), Text: r.Text(2), FirstUsed: rows.Time(r.Int(3))}, nil
}

// All returns every text that people were ever asked to agree to, by hash.
func All(c db.Conn) (map[string]lead.ConsentText, error) {
	texts := make(map[string]lead.ConsentText)
	err := c.Query(`SELECT hash, version, text, first_used FROM consent_texts`, nil, func(r db.Row) (err error) {
		texts[r.Text(0)], err = scan(r)
		return err
	})
	return texts, err
}
