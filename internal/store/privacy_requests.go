package store

import (
	"slices"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// AddPrivacyRequest stores a privacy request.
func (tx *Tx) AddPrivacyRequest(r lead.PrivacyRequest) error {
	return tx.exec(`INSERT INTO privacy_requests (`+rows.PrivacyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		r.ID, rows.Micros(r.At), string(r.Kind), r.Phone, r.LeadID, string(r.State), r.Note, string(rows.EncodeEvidence(nil, &r.Evidence)))
}

// PrivacyRequestTimes lists when a lead was named in privacy requests after a time, newest first.
func (tx *Tx) PrivacyRequestTimes(leadID string, after time.Time, limit int) ([]time.Time, error) {
	return all(tx, func(r db.Row) (time.Time, error) { return rows.Time(r.Int(0)), nil },
		`SELECT at FROM privacy_requests WHERE lead_id = $1 AND lead_id <> '' AND at > $2 ORDER BY at DESC LIMIT $3`, leadID, rows.Micros(after), int64(limit))
}

// OpenPrivacyRequests lists the open privacy requests for the same thing as req, whoever sent them.
func (tx *Tx) OpenPrivacyRequests(req lead.PrivacyRequest) ([]lead.PrivacyRequest, error) {
	return all(tx, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE state = 'open' AND phone = $1 AND lead_id = $2 AND kind = $3`,
		req.Phone, req.LeadID, string(req.Kind))
}

// PrivacyRequestsAbout lists the privacy requests that name a lead, and the open ones with its phone number, oldest first. Settled ones have
// no number.
func (tx *Tx) PrivacyRequestsAbout(leadID, phone string) ([]lead.PrivacyRequest, error) {
	list, err := all(tx, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE lead_id = $1 AND lead_id <> '' ORDER BY seq`, leadID)
	if err != nil || phone == "" {
		return list, err
	}
	others, err := all(tx, rows.PrivacyRequest, `SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE state = 'open' AND phone = $1 AND lead_id <> $2`, phone, leadID)
	list = append(list, others...)
	slices.SortFunc(list, func(a, b lead.PrivacyRequest) int { return a.At.Compare(b.At) })
	return list, err
}

// PrivacyRequests lists privacy requests, oldest first: the open ones, or all.
func (tx *Tx) PrivacyRequests(settled bool) ([]lead.PrivacyRequest, error) {
	query := `SELECT ` + rows.PrivacyColumns + ` FROM privacy_requests WHERE state = 'open' ORDER BY seq`
	if settled {
		query = `SELECT ` + rows.PrivacyColumns + ` FROM privacy_requests ORDER BY seq`
	}
	return all(tx, rows.PrivacyRequest, query)
}

// PrivacyRequest finds a privacy request by its id.
func (tx *Tx) PrivacyRequest(id string) (lead.PrivacyRequest, error) {
	return existing(tx, "privacy request with this id", rows.PrivacyRequest,
		`SELECT `+rows.PrivacyColumns+` FROM privacy_requests WHERE id = $1`, id)
}

// PutPrivacyRequest stores what settling a privacy request changes: its state, note, phone number and evidence.
func (tx *Tx) PutPrivacyRequest(r lead.PrivacyRequest) error {
	evidence := ""
	if r.Evidence != (lead.Evidence{}) {
		evidence = string(rows.EncodeEvidence(nil, &r.Evidence))
	}
	return tx.execOne(`UPDATE privacy_requests SET state = $1, note = $2, phone = $3, evidence = $4 WHERE id = $5`, string(r.State), r.Note, r.Phone, evidence, r.ID)
}
