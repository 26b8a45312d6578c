// Package persons finds the other leads of a person, by the fingerprints of phone numbers: for one lead, or for many with one query. What
// makes a lead the repeat of another, package lead decides.
package persons

import (
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Of says which leads to compare a lead with: those in a range of fingerprints that were put on the market, and arrived since a time.
type Of struct {
	Lead     int64
	From, To string // fingerprints
	Since    time.Time
}

// Others are the other leads of a person.
type Others struct {
	Leads   []lead.OtherLead
	Entered bool // the lead that they are compared with was put on the market, too
}

// add adds a row: a fingerprint, its lead, when that arrived, and its status.
func (o *Others) add(r db.Row, seq int64) {
	if r.Int(1) == seq {
		o.Entered = true
		return
	}
	o.Leads = append(o.Leads, lead.OtherLead{Fingerprint: r.Text(0), At: rows.Time(r.Int(2)), Status: lead.Status(r.Text(3))})
}

// In both queries, at + 0 keeps an engine from using the index on at, which would read all recent rows. most bounds how many leads of one
// phone number are compared: with the default limits there are fewer than a hundred. Without limits and above this bound, a repeat may
// get on the market.
const (
	most = `LIMIT 1000`

	readQuery = `SELECT f.fingerprint, f.lead_seq, f.at, l.status FROM fingerprints f JOIN leads l ON l.seq = f.lead_seq
		WHERE f.fingerprint >= $1 AND f.fingerprint < $2 AND f.at + 0 > $3 ` + most

	readAllQuery = `SELECT p.seq, f.fingerprint, f.lead_seq, f.at, l.status FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS p (low, high, seq, since)
		CROSS JOIN LATERAL (SELECT * FROM fingerprints WHERE fingerprint >= p.low AND fingerprint < p.high AND at + 0 > p.since ` + most + `) AS f
		JOIN leads l ON l.seq = f.lead_seq`
)

// Read finds the other leads for one lead.
func Read(c db.Conn, of Of) (found Others, err error) {
	err = c.Query(readQuery, []any{of.From, of.To, rows.Micros(of.Since)}, func(r db.Row) error { found.add(r, of.Lead); return nil })
	return found, err
}

// ReadAll is Read for many leads, with one query that only PostgreSQL has. It leaves out leads that are compared with each other.
func ReadAll(c db.Conn, list []Of, into map[int64]Others) error {
	leads := make(map[string]int)
	for _, of := range list {
		leads[of.From]++
	}
	var from, to []string
	var seqs, since []int64
	for _, of := range list {
		if leads[of.From] == 1 {
			into[of.Lead] = Others{}
			from, to, seqs, since = append(from, of.From), append(to, of.To), append(seqs, of.Lead), append(since, rows.Micros(of.Since))
		}
	}
	return c.Query(readAllQuery, []any{from, to, seqs, since}, func(r db.Row) error {
		found := into[r.Int(0)]
		found.add(r[1:], r.Int(0))
		into[r.Int(0)] = found
		return nil
	})
}

// Enter records that a lead with this fingerprint, which arrived at a time, is put on the market.
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
