package persons

import (
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Enter records that a lead with this fingerprint is put on the market.
func Enter(c db.Conn, fingerprint string, seq int64, at time.Time) error {
	return c.Exec(`INSERT INTO fingerprints (fingerprint, lead_seq, at) VALUES ($1, $2, $3) ON CONFLICT (fingerprint, lead_seq) DO NOTHING`, []any{fingerprint, seq, rows.Micros(at)})
}

// Unkeyed finds fingerprints of older versions, for Rekey: they are hex digits, and sort before all keyed ones.
const Unkeyed = `SELECT fingerprint, lead_seq, at FROM fingerprints WHERE fingerprint < 'g' ORDER BY fingerprint LIMIT $1`

// Rekey replaces a row of fingerprints, and its sales, by the keyed form. If the lead is erased or gone, nothing replaces the row. The
// sales go with the last lead that has the old fingerprint: another one must still get them, or its buyer would be asked again.
func Rekey(c db.Conn, row db.Row, fingerprint func(lead.Request) string) error {
	old, seq, at := row.Text(0), row.Int(1), rows.Time(row.Int(2))
	l, found, err := db.One(c, rows.Lead, `SELECT `+rows.LeadColumns+` FROM leads WHERE seq = $1`, seq)
	if err == nil && found && !l.Erased() {
		keyed := fingerprint(l.Request)
		if err := Enter(c, keyed, seq, at); err != nil {
			return err
		}
		if err := c.Exec(`INSERT INTO sales (fingerprint, buyer_id, at) SELECT $1, buyer_id, at FROM sales WHERE fingerprint = $2
			ON CONFLICT (fingerprint, buyer_id) DO NOTHING`, []any{keyed, old}); err != nil {
			return err
		}
	}
	if err := c.Exec(`DELETE FROM fingerprints WHERE fingerprint = $1 AND lead_seq = $2`, []any{old, seq}); err != nil {
		return err
	}
	return c.Exec(`DELETE FROM sales WHERE fingerprint = $1 AND NOT EXISTS (SELECT 1 FROM fingerprints f WHERE f.fingerprint = $1)`, []any{old})
}
