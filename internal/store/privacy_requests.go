package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/lead"
)

const privacyColumns = `id, at, kind, phone, lead_id, state, note, evidence`

// SavePrivacyRequest keeps a wish for the operator. One that is open already, from the same sender, is kept once. Where the wish
// names both a request and its phone number, the request is closed in the same commit, unless somebody may have the contact
// by now. A request that was named too often today is left alone, whatever number comes with it.
func (s *Store) SavePrivacyRequest(ctx context.Context, w lead.PrivacyRequest, c lead.Change) error {
	return s.writeUrgent(ctx, func(h *dbTx) error {
		if err := h.checkRequestLimit(w); err != nil {
			return err
		}
		again, err := h.isAlreadyOpen(w)
		if err != nil {
			return err
		}
		if !again {
			if err := h.exec(`INSERT INTO wishes (`+privacyColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
				w.ID, micros(w.At), string(w.Kind), w.Phone, w.LeadID, string(w.State), w.Note, string(encodeEvidence(nil, w.Evidence))); err != nil {
				return err
			}
		}
		return (&Tx{h}).closeLeadOf(w, c, s.Fingerprint)
	})
}

// checkRequestLimit refuses a wish about a request that was named too often, and says when the next one may come.
func (h *dbTx) checkRequestLimit(w lead.PrivacyRequest) error {
	var oldest time.Time
	named := 0
	err := h.query(`SELECT at FROM wishes WHERE lead_id = $1 AND lead_id <> '' AND at > $2 ORDER BY at DESC LIMIT $3`,
		[]any{w.LeadID, micros(w.At.Add(-lead.PrivacyWindow)), int64(lead.MaxPrivacyRequests)},
		func(r row) error { oldest, named = fromMicros(r.number(0)), named+1; return nil })
	if err != nil || named < lead.MaxPrivacyRequests {
		return err
	}
	return &lead.Error{Kind: lead.RateLimited, Retry: oldest.Add(lead.PrivacyWindow).Sub(w.At)}
}

// isAlreadyOpen says whether the same wish of the same sender waits already.
func (h *dbTx) isAlreadyOpen(w lead.PrivacyRequest) (again bool, err error) {
	err = h.query(`SELECT `+privacyColumns+` FROM wishes WHERE state = 'open' AND phone = $1 AND lead_id = $2 AND kind = $3`,
		[]any{w.Phone, w.LeadID, string(w.Kind)}, func(r row) error {
			known, err := scanPrivacyRequest(r)
			again = again || known.SameSender(w)
			return err
		})
	return again, err
}

// closeLeadOf closes the request that a wish is about.
func (p *Tx) closeLeadOf(w lead.PrivacyRequest, c lead.Change, print func(lead.Request) string) error {
	seq, err := p.SeqOf(w.LeadID)
	if lead.KindOf(err) == lead.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	l, err := p.LeadBySeq(seq)
	if err != nil || l.Request.Contact.Phone != w.Phone {
		return err
	}
	if err := p.closeRepeats(print(l.Request), c); err != nil || !l.Status.MayBecome(c.Status, c.Actor) {
		return err
	}
	e, found, err := p.Delivery(seq)
	if err != nil || found && e.MayHaveContact { // a buyer may have the contact: to say that nobody has it would be wrong
		return err
	}
	if _, err := p.takeOffMarket(seq, c.At); err != nil {
		return err
	}
	return p.db.move(seq, l.Status, c)
}

// closeRepeats closes what is held because it repeats a request that its person withdraws: so many at once that nobody waits long.
// What is left stays held.
func (p *Tx) closeRepeats(print string, c lead.Change) error {
	var repeats []int64
	err := p.db.query(`SELECT lead_seq FROM withheld WHERE print = $1 ORDER BY lead_seq LIMIT $2`, []any{print, int64(heldBatch)},
		func(r row) error { repeats = append(repeats, r.number(0)); return nil })
	if err != nil {
		return err
	}
	for _, seq := range repeats {
		if _, err := p.db.tryMove(seq, lead.Collected, c); err != nil {
			return err
		}
	}
	return nil
}

// eraseSenders empties what tells who sent the wishes about a lead whose person is erased.
func (h *dbTx) eraseSenders(leadID string) error {
	return h.exec(`UPDATE wishes SET evidence = '' WHERE lead_id = $1 AND lead_id <> ''`, leadID)
}

// SettlePrivacyRequest notes that a wish was fulfilled, or why it was not. The phone number is forgotten with that: nobody needs it
// here any more. How it came is kept with the lead it names, until that is erased; without one nothing would lead there.
func (s *Store) SettlePrivacyRequest(ctx context.Context, id, note string) error {
	return s.write(ctx, func(h *dbTx) error {
		rows, err := h.execCount(`UPDATE wishes SET state = 'done', note = $1, phone = '', evidence = CASE WHEN lead_id = '' THEN '' ELSE evidence END
			WHERE id = $2 AND state = 'open'`, note, id)
		if err != nil || rows > 0 {
			return err
		}
		if known, err := h.queryRow(`SELECT id FROM wishes WHERE id = $1`, []any{id}, func(row) {}); err != nil || !known {
			return errors.Join(err, noPrivacyRequest())
		}
		return &lead.Error{Kind: lead.Refused, Message: "This wish is settled already."}
	})
}

func noPrivacyRequest() *lead.Error {
	return &lead.Error{Kind: lead.NotFound, Message: "There is no wish with this id."}
}

// PrivacyRequest finds a wish by its id.
func (r *Reader) PrivacyRequest(ctx context.Context, id string) (lead.PrivacyRequest, error) {
	w, err := scanPrivacyRequest(r.db.QueryRowContext(ctx, `SELECT `+privacyColumns+` FROM wishes WHERE id = $1`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return w, noPrivacyRequest()
	}
	return w, translateError(r.engine, err)
}

// PrivacyRequests lists wishes, those that have waited longest first. Settled ones are listed only where all are asked for.
func (r *Reader) PrivacyRequests(ctx context.Context, all bool) ([]lead.PrivacyRequest, error) {
	query := `SELECT ` + privacyColumns + ` FROM wishes WHERE state = 'open' ORDER BY seq`
	if all {
		query = `SELECT ` + privacyColumns + ` FROM wishes ORDER BY seq`
	}
	list, err := collect(ctx, r.db, scanPrivacyRequest, query)
	return list, translateError(r.engine, err)
}

func scanPrivacyRequest(row scanner) (w lead.PrivacyRequest, err error) {
	var at int64
	var kind, state string
	var evidence []byte
	if err := row.Scan(&w.ID, &at, &kind, &w.Phone, &w.LeadID, &state, &w.Note, &evidence); err != nil {
		return w, err
	}
	w.At, w.Kind, w.State = fromMicros(at), lead.PrivacyKind(kind), lead.PrivacyState(state)
	if len(evidence) > 0 {
		err = json.Unmarshal(evidence, &w.Evidence)
	}
	return w, err
}

// LeadsOf lists the leads that hold a phone number, oldest first.
func (r *Reader) LeadsOf(ctx context.Context, phone string) ([]lead.Lead, error) {
	theirs, err := leadsWithPhone(ctx, r.db, phone, `SELECT seq, contact FROM leads WHERE contact IS NOT NULL ORDER BY seq`)
	if err != nil {
		return nil, translateError(r.engine, err)
	}
	var list []lead.Lead
	for _, seq := range theirs {
		l, err := scanLead(r.db.QueryRowContext(ctx, `SELECT `+leadColumns+` FROM leads WHERE seq = $1`, seq))
		if err != nil {
			return nil, translateError(r.engine, err)
		}
		list = append(list, l)
	}
	return list, nil
}

// leadsWithPhone finds the leads whose contact has a phone number. It reads through all that the query lists: an operator's rare
// wish, for which the intake keeps no index.
func leadsWithPhone(ctx context.Context, db *sql.DB, phone, query string) (leads []int64, err error) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		var sealed sql.RawBytes
		if err := rows.Scan(&seq, &sealed); err != nil {
			return nil, err
		}
		if !bytes.Contains(sealed, []byte(phone)) { // spares decoding nearly all
			continue
		}
		var contact lead.Contact
		if err := json.Unmarshal(sealed, &contact); err != nil {
			return nil, err
		}
		if contact.Phone == phone {
			leads = append(leads, seq)
		}
	}
	return leads, rows.Err()
}
