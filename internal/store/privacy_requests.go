package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

const privacyColumns = `id, at, kind, phone, lead_id, state, note, evidence`

// AddPrivacyRequest stores a privacy request.
func (tx *Tx) AddPrivacyRequest(r lead.PrivacyRequest) error {
	return tx.exec(`INSERT INTO privacy_requests (`+privacyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		r.ID, micros(r.At), string(r.Kind), r.Phone, r.LeadID, string(r.State), r.Note, string(encodeEvidence(nil, r.Evidence)))
}

// PrivacyRequestTimes lists when a lead was named in privacy requests after a time, newest first.
func (tx *Tx) PrivacyRequestTimes(leadID string, after time.Time, limit int) (times []time.Time, err error) {
	err = tx.query(`SELECT at FROM privacy_requests WHERE lead_id = $1 AND lead_id <> '' AND at > $2 ORDER BY at DESC LIMIT $3`,
		[]any{leadID, micros(after), int64(limit)}, func(r db.Row) error { times = append(times, fromMicros(r.Int(0))); return nil })
	return times, err
}

// OpenPrivacyRequests lists the open privacy requests for the same thing as req, whoever sent them.
func (tx *Tx) OpenPrivacyRequests(req lead.PrivacyRequest) (open []lead.PrivacyRequest, err error) {
	err = tx.query(`SELECT `+privacyColumns+` FROM privacy_requests WHERE state = 'open' AND phone = $1 AND lead_id = $2 AND kind = $3`,
		[]any{req.Phone, req.LeadID, string(req.Kind)}, func(r db.Row) error {
			known, err := scanPrivacyRequest(r)
			open = append(open, known)
			return err
		})
	return open, err
}

// PrivacyRequest finds a privacy request by its id.
func (tx *Tx) PrivacyRequest(id string) (req lead.PrivacyRequest, err error) {
	found, queryErr := tx.queryRow(`SELECT `+privacyColumns+` FROM privacy_requests WHERE id = $1`, []any{id}, func(r db.Row) { req, err = scanPrivacyRequest(r) })
	switch {
	case queryErr != nil:
		return req, queryErr
	case !found:
		return req, noPrivacyRequest()
	}
	return req, err
}

// PutPrivacyRequest stores what settling a privacy request changes: its state, note, phone number and evidence.
func (tx *Tx) PutPrivacyRequest(r lead.PrivacyRequest) error {
	evidence := ""
	if r.Evidence != (lead.Evidence{}) {
		evidence = string(encodeEvidence(nil, r.Evidence))
	}
	return tx.execOne(`UPDATE privacy_requests SET state = $1, note = $2, phone = $3, evidence = $4 WHERE id = $5`, string(r.State), r.Note, r.Phone, evidence, r.ID)
}

func noPrivacyRequest() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no wish with this id."}
}

// PrivacyRequest finds a privacy request by its id.
func (r *Reader) PrivacyRequest(ctx context.Context, id string) (lead.PrivacyRequest, error) {
	req, err := scanPrivacyRequest(r.from.QueryRowContext(ctx, `SELECT `+privacyColumns+` FROM privacy_requests WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return req, noPrivacyRequest()
	}
	return req, TranslateError(r.engine, err)
}

// PrivacyRequests lists privacy requests, oldest first: the open ones, or all.
func (r *Reader) PrivacyRequests(ctx context.Context, all bool) ([]lead.PrivacyRequest, error) {
	query := `SELECT ` + privacyColumns + ` FROM privacy_requests WHERE state = 'open' ORDER BY seq`
	if all {
		query = `SELECT ` + privacyColumns + ` FROM privacy_requests ORDER BY seq`
	}
	list, err := db.Collect(ctx, r.from, scanPrivacyRequest, query)
	return list, TranslateError(r.engine, err)
}

func scanPrivacyRequest(row db.Scanner) (r lead.PrivacyRequest, err error) {
	var at int64
	var kind, state string
	var evidence []byte
	if err := row.Scan(&r.ID, &at, &kind, &r.Phone, &r.LeadID, &state, &r.Note, &evidence); err != nil {
		return r, err
	}
	r.At, r.Kind, r.State = fromMicros(at), lead.PrivacyKind(kind), lead.PrivacyState(state)
	if len(evidence) > 0 {
		err = json.Unmarshal(evidence, &r.Evidence)
	}
	return r, err
}

// LeadsOf lists the leads with a phone number, oldest first.
func (r *Reader) LeadsOf(ctx context.Context, phone string) ([]lead.Lead, error) {
	seqs, err := leadsWithPhone(ctx, r.from, phone, `SELECT seq, contact FROM leads WHERE contact IS NOT NULL ORDER BY seq`)
	if err != nil {
		return nil, TranslateError(r.engine, err)
	}
	var list []lead.Lead
	for _, seq := range seqs {
		l, err := scanLead(r.from.QueryRowContext(ctx, `SELECT `+leadColumns+` FROM leads WHERE seq = $1`, seq))
		if err != nil {
			return nil, TranslateError(r.engine, err)
		}
		list = append(list, l)
	}
	return list, nil
}

// leadsWithPhone finds the leads whose contact has a phone number. It reads all rows of the query: an operator rarely asks for
// this, so the intake maintains no index for it.
func leadsWithPhone(ctx context.Context, from db.Querier, phone, query string) (leads []int64, err error) {
	rows, err := from.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var text sql.RawBytes
		if err := rows.Scan(&seq, &text); err != nil {
			return nil, err
		}
		if !bytes.Contains(text, []byte(phone)) { // avoids decoding nearly all rows
			continue
		}
		var contact lead.Contact
		if err := json.Unmarshal(text, &contact); err != nil {
			return nil, err
		}
		if contact.Phone == phone {
			leads = append(leads, seq)
		}
	}
	return leads, rows.Err()
}
