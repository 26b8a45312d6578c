// Package legalholds has the SQL of the table legal_holds: which leads nothing may destroy, since when, and why. It decides nothing:
// package lead says what a hold keeps, and package operator refuses what one is in the way of.
package legalholds

import (
	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// LegalHolds are the legal holds as one transaction sees them.
type LegalHolds struct{ Conn db.Conn }

// columns are read together with the lead's id. db check reports a hold on a lead that is not there.
const (
	columns = `h.id, COALESCE(l.id, ''), h.created_at, h.created_by, h.why, h.removed_at, h.removed_by, h.removed_why`
	from    = ` FROM legal_holds h LEFT JOIN leads l ON l.seq = h.lead_seq`
)

func scan(r db.Row) (lead.LegalHold, error) {
	return lead.LegalHold{
		ID: r.Text(0), LeadID: r.Text(1), CreatedAt: rows.Time(r.Int(2)), CreatedBy: r.Text(3), Why: r.Text(4),
		RemovedAt: rows.TimeOrZero(r.Int(5)), RemovedBy: r.Text(6), RemovedWhy: r.Text(7),
	}, nil
}

// Add adds a hold on the lead with number seq.
func (t LegalHolds) Add(h lead.LegalHold, seq int64) error {
	return t.Conn.Exec(`INSERT INTO legal_holds (id, lead_seq, created_at, created_by, why) VALUES ($1, $2, $3, $4, $5)`,
		[]any{h.ID, seq, rows.Micros(h.CreatedAt), h.CreatedBy, h.Why})
}

// Remove stores when a hold was removed, by whom and why. It fails if the hold is not in force.
func (t LegalHolds) Remove(h lead.LegalHold) error {
	return t.Conn.ExecOne(`UPDATE legal_holds SET removed_at = $1, removed_by = $2, removed_why = $3 WHERE id = $4 AND removed_at = 0`,
		[]any{rows.Micros(h.RemovedAt), h.RemovedBy, h.RemovedWhy, h.ID})
}

// Find finds a hold by its id.
func (t LegalHolds) Find(id string) (h lead.LegalHold, found bool, err error) {
	return db.One(t.Conn, scan, `SELECT `+columns+from+` WHERE h.id = $1`, id)
}

// OfLead lists the holds on a lead, by its own id: oldest first, also those that were removed.
func (t LegalHolds) OfLead(leadID string) ([]lead.LegalHold, error) {
	return t.list(`SELECT `+columns+from+` WHERE l.id = $1 ORDER BY h.created_at, h.id`, leadID)
}

// List lists holds, oldest first: those in force, or all.
func (t LegalHolds) List(removed bool) ([]lead.LegalHold, error) {
	if removed {
		return t.list(`SELECT ` + columns + from + ` ORDER BY h.created_at, h.id`)
	}
	return t.list(`SELECT ` + columns + from + ` WHERE h.removed_at = 0 ORDER BY h.created_at, h.id`)
}

func (t LegalHolds) list(query string, args ...any) (list []lead.LegalHold, err error) {
	err = t.Conn.Query(query, args, func(r db.Row) error {
		h, err := scan(r)
		list = append(list, h)
		return err
	})
	return list, err
}

// Persons lists the holds in force with the phone numbers of their leads, oldest first. There are few: who has many leads under legal
// holds still has many more leads.
func (t LegalHolds) Persons() (list []lead.HeldPerson, err error) {
	err = t.Conn.Query(`SELECT `+columns+`, l.contact`+from+` WHERE h.removed_at = 0 ORDER BY h.created_at, h.id`, nil, func(r db.Row) error {
		h, err := scan(r)
		var c lead.Contact
		if contact := r.Text(8); contact != "" && json.Unmarshal([]byte(contact), &c) != nil {
			c = lead.Contact{} // db check reports it
		}
		list = append(list, lead.HeldPerson{LegalHold: h, Phone: c.Phone})
		return err
	})
	return list, err
}

// KeepsAudit is a condition on a row of the table audit: a legal hold in force keeps it. It is about the lead itself, one of its offers or
// a privacy request that names it; or about suppressed numbers, because their keyed indexes do not tell the database whose they are.
const KeepsAudit = `(EXISTS (SELECT 1 FROM leads l JOIN legal_holds h ON h.lead_seq = l.seq AND h.removed_at = 0 WHERE l.id = audit.subject)
	OR EXISTS (SELECT 1 FROM offers o JOIN legal_holds h ON h.lead_seq = o.lead_seq AND h.removed_at = 0 WHERE o.id = audit.subject)
	OR EXISTS (SELECT 1 FROM privacy_requests p JOIN leads l ON l.id = p.lead_id JOIN legal_holds h ON h.lead_seq = l.seq AND h.removed_at = 0 WHERE p.id = audit.subject)
	OR audit.action LIKE 'suppression.%' AND EXISTS (SELECT 1 FROM legal_holds h WHERE h.removed_at = 0))`
