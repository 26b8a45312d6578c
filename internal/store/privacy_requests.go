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

// SavePrivacyRequest stores a privacy request for the operator, unless the same sender has the same request open already. If the
// request names a lead and the phone number of that lead, the lead is closed in the same commit, unless a buyer may have the
// contact by now. A lead that was named too often today is not touched, whatever number comes with it.
func (s *Store) SavePrivacyRequest(ctx context.Context, r lead.PrivacyRequest, c lead.Change) error {
	return s.UpdateUrgent(ctx, func(tx *Tx) error {
		if err := tx.checkRequestLimit(r); err != nil {
			return err
		}
		open, err := tx.isAlreadyOpen(r)
		if err != nil {
			return err
		}
		if !open {
			if err := tx.exec(`INSERT INTO privacy_requests (`+privacyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
				r.ID, micros(r.At), string(r.Kind), r.Phone, r.LeadID, string(r.State), r.Note, string(encodeEvidence(nil, r.Evidence))); err != nil {
				return err
			}
		}
		return tx.closeLeadOf(r, c, s.Fingerprint)
	})
}

// checkRequestLimit refuses a privacy request about a lead that was named too often, and says when the next one is allowed.
func (tx *Tx) checkRequestLimit(req lead.PrivacyRequest) error {
	var oldest time.Time
	named := 0
	err := tx.query(`SELECT at FROM privacy_requests WHERE lead_id = $1 AND lead_id <> '' AND at > $2 ORDER BY at DESC LIMIT $3`,
		[]any{req.LeadID, micros(req.At.Add(-lead.PrivacyWindow)), int64(lead.MaxPrivacyRequests)},
		func(r db.Row) error { oldest, named = fromMicros(r.Int(0)), named+1; return nil })
	if err != nil || named < lead.MaxPrivacyRequests {
		return err
	}
	return &lead.Error{Kind: lead.RateLimited, Retry: oldest.Add(lead.PrivacyWindow).Sub(req.At)}
}

// isAlreadyOpen reports whether the same sender has the same privacy request open already.
func (tx *Tx) isAlreadyOpen(req lead.PrivacyRequest) (open bool, err error) {
	err = tx.query(`SELECT `+privacyColumns+` FROM privacy_requests WHERE state = 'open' AND phone = $1 AND lead_id = $2 AND kind = $3`,
		[]any{req.Phone, req.LeadID, string(req.Kind)}, func(r db.Row) error {
			known, err := scanPrivacyRequest(r)
			open = open || known.SameSender(req)
			return err
		})
	return open, err
}

// closeLeadOf closes the lead that a privacy request is about, and its repeats.
func (tx *Tx) closeLeadOf(r lead.PrivacyRequest, c lead.Change, fingerprint func(lead.Request) string) error {
	seq, err := tx.SeqOf(r.LeadID)
	if lead.KindOf(err) == lead.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := tx.LeadBySeq(seq)
	if err != nil || l.Request.Contact.Phone != r.Phone {
		return err
	}
	if err := tx.closeRepeats(fingerprint(l.Request), c); err != nil || !l.Status.MayBecome(c.Status, c.Actor) {
		return err
	}
	d, found, err := tx.Delivery(seq)
	if err != nil || found && d.MayHaveContact { // a closed lead would claim that no buyer has the contact
		return err
	}
	if _, err := tx.takeOffMarket(seq, c.At); err != nil {
		return err
	}
	return tx.move(seq, l.Status, c)
}

// closeRepeats closes leads that are withheld because they repeat a lead that the person withdraws: at most heldBatch, so that no
// request waits long. The others stay held.
func (tx *Tx) closeRepeats(fingerprint string, c lead.Change) error {
	var repeats []int64
	err := tx.query(`SELECT lead_seq FROM withheld WHERE fingerprint = $1 ORDER BY lead_seq LIMIT $2`, []any{fingerprint, int64(heldBatch)},
		func(r db.Row) error { repeats = append(repeats, r.Int(0)); return nil })
	if err != nil {
		return err
	}
	for _, seq := range repeats {
		if _, err := tx.tryMove(seq, lead.Collected, c); err != nil {
			return err
		}
	}
	return nil
}

// eraseSenders deletes who sent the privacy requests about an erased lead.
func (tx *Tx) eraseSenders(leadID string) error {
	return tx.exec(`UPDATE privacy_requests SET evidence = '' WHERE lead_id = $1 AND lead_id <> ''`, leadID)
}

// SettlePrivacyRequest records that a privacy request was fulfilled, or why it was not. It deletes the phone number, which is no
// longer needed. The evidence stays until the lead that the request names is erased. Without a lead it is deleted right away,
// because no later erasure would find it.
func (s *Store) SettlePrivacyRequest(ctx context.Context, id, note string) error {
	return s.write(ctx, func(tx *Tx) error {
		rows, err := tx.execCount(`UPDATE privacy_requests SET state = 'done', note = $1, phone = '', evidence = CASE WHEN lead_id = '' THEN '' ELSE evidence END
			WHERE id = $2 AND state = 'open'`, note, id)
		if err != nil || rows > 0 {
			return err
		}
		if known, err := tx.queryRow(`SELECT id FROM privacy_requests WHERE id = $1`, []any{id}, func(db.Row) {}); err != nil || !known {
			return errors.Join(err, noPrivacyRequest())
		}
		return &lead.Error{Kind: lead.Refused, Message: "This wish is settled already."}
	})
}

func noPrivacyRequest() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no wish with this id."}
}

// PrivacyRequest finds a privacy request by its id.
func (r *Reader) PrivacyRequest(ctx context.Context, id string) (lead.PrivacyRequest, error) {
	req, err := scanPrivacyRequest(r.pool.QueryRowContext(ctx, `SELECT `+privacyColumns+` FROM privacy_requests WHERE id = $1`, id))
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
	list, err := db.Collect(ctx, r.pool, scanPrivacyRequest, query)
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
	seqs, err := leadsWithPhone(ctx, r.pool, phone, `SELECT seq, contact FROM leads WHERE contact IS NOT NULL ORDER BY seq`)
	if err != nil {
		return nil, TranslateError(r.engine, err)
	}
	var list []lead.Lead
	for _, seq := range seqs {
		l, err := scanLead(r.pool.QueryRowContext(ctx, `SELECT `+leadColumns+` FROM leads WHERE seq = $1`, seq))
		if err != nil {
			return nil, TranslateError(r.engine, err)
		}
		list = append(list, l)
	}
	return list, nil
}

// leadsWithPhone finds the leads whose contact has a phone number. It reads all rows of the query: an operator rarely asks for
// this, so the intake maintains no index for it.
func leadsWithPhone(ctx context.Context, db *sql.DB, phone, query string) (leads []int64, err error) {
	rows, err := db.QueryContext(ctx, query)
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
