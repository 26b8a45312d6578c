// Package privacyrequests has the SQL of the table privacy_requests: who asked not to be contacted, or to be erased (as CCPA and GDPR let them). It decides nothing:
// the operator does.
package privacyrequests

import (
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// PrivacyRequests are the privacy requests as one transaction sees them.
type PrivacyRequests struct{ Conn db.Conn }

// Add stores a privacy request.
func (t PrivacyRequests) Add(r lead.PrivacyRequest) error {
	return t.Conn.Exec(`INSERT INTO privacy_requests (`+rows.PrivacyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		[]any{r.ID, rows.Micros(r.At), string(r.Kind), r.Phone, r.LeadID, string(r.State), r.Note, string(rows.EncodeEvidence(nil, &r.Evidence))})
}

// Times lists when a lead was named in privacy requests after a time, newest first.
func (t PrivacyRequests) Times(leadID string, after time.Time, limit int) ([]time.Time, error) {
	return db.All(t.Conn, func(r db.Row) (time.Time, error) { return rows.Time(r.Int(0)), nil },
		`SELECT at FROM privacy_requests WHERE lead_id = $1 AND lead_id <> '' AND at > $2 ORDER BY at DESC LIMIT $3`, leadID, rows.Micros(after), int64(limit))
}

// Open lists the open privacy requests for the same thing as req, whoever sent them.
func (t PrivacyRequests) Open(req lead.PrivacyRequest) ([]lead.PrivacyRequest, error) {
	return db.All(t.Conn, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE state = 'open' AND phone = $1 AND lead_id = $2 AND kind = $3`,
		req.Phone, req.LeadID, string(req.Kind))
}

// About lists the privacy requests that name a lead, and the open ones with its phone number, oldest first. Settled ones have
// no number.
func (t PrivacyRequests) About(leadID, phone string) ([]lead.PrivacyRequest, error) {
	list, err := db.All(t.Conn, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE lead_id = $1 AND lead_id <> '' ORDER BY seq`, leadID)
	if err != nil || phone == "" {
		return list, err
	}
	others, err := db.All(t.Conn, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE state = 'open' AND phone = $1 AND lead_id <> $2`, phone, leadID)
	list = append(list, others...)
	slices.SortFunc(list, func(a, b lead.PrivacyRequest) int { return a.At.Compare(b.At) })
	return list, err
}

// List lists privacy requests, oldest first: the open ones, or all.
func (t PrivacyRequests) List(settled bool) ([]lead.PrivacyRequest, error) {
	query := `SELECT ` + rows.PrivacyColumns + ` FROM privacy_requests WHERE state = 'open' ORDER BY seq`
	if settled {
		query = `SELECT ` + rows.PrivacyColumns + ` FROM privacy_requests ORDER BY seq`
	}
	return db.All(t.Conn, rows.PrivacyRequest, query)
}

// Find finds a privacy request by its id.
func (t PrivacyRequests) Find(id string) (lead.PrivacyRequest, error) {
	r, found, err := db.One(t.Conn, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE id = $1`, id)
	if err == nil && !found {
		err = lead.NotFoundError("privacy request with this id")
	}
	return r, err
}

// Put stores what settling a privacy request changes: its state, note, phone number and evidence.
func (t PrivacyRequests) Put(r lead.PrivacyRequest) error {
	evidence := ""
	if r.Evidence != (lead.Evidence{}) {
		evidence = string(rows.EncodeEvidence(nil, &r.Evidence))
	}
	return t.Conn.ExecOne(`UPDATE privacy_requests SET state = $1, note = $2, phone = $3, evidence = $4 WHERE id = $5`, []any{string(r.State), r.Note, r.Phone, evidence, r.ID})
}
