package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// move changes the status of a lead and adds a row to its history. It refuses a transition that lead.Status does not allow, and
// fails if the lead does not have status from.
func (tx *Tx) move(seq int64, from lead.Status, c lead.Change) error {
	query, err := statusUpdate(from, c)
	if err != nil {
		return err
	}
	if err := tx.execOne(query, string(c.Status), micros(c.At), seq); err != nil {
		return err
	}
	return errors.Join(tx.endWithholdIfHeld(seq, from), tx.addHistory(seq, c))
}

// endWithholdIfHeld deletes the row in withheld of a lead that was held until now.
func (tx *Tx) endWithholdIfHeld(seq int64, from lead.Status) error {
	if from != lead.Collected {
		return nil
	}
	return tx.EndWithhold(seq)
}

// statusUpdate returns the statement that changes the status, or an error if lead.Status does not allow the transition.
func statusUpdate(from lead.Status, c lead.Change) (string, error) {
	if !from.MayBecome(c.Status, c.Actor) {
		return "", fmt.Errorf("a lead does not go from %s to %s by the %s", from, c.Status, c.Actor)
	}
	// The old status is a literal: with a parameter, SQLite would prepare the statement again each time, to see whether the index
	// of held leads applies.
	return `UPDATE leads SET status = $1, updated_at = $2 WHERE seq = $3 AND status = '` + string(from) + `'`, nil
}

// tryMove is move for a lead whose status may have changed meanwhile. It reports whether the lead still had status from.
func (tx *Tx) tryMove(seq int64, from lead.Status, c lead.Change) (bool, error) {
	query, err := statusUpdate(from, c)
	if err != nil {
		return false, err
	}
	rows, err := tx.execCount(query, string(c.Status), micros(c.At), seq)
	if err != nil || rows == 0 {
		return false, err
	}
	return true, errors.Join(tx.endWithholdIfHeld(seq, from), tx.addHistory(seq, c))
}

// addHistory adds a row to the history of a lead.
func (tx *Tx) addHistory(seq int64, c lead.Change) error {
	return tx.exec(`INSERT INTO history (lead_seq, at, status, actor, reason) VALUES ($1, $2, $3, $4, $5)`,
		seq, micros(c.At), string(c.Status), c.Actor, c.Reason)
}

// Hold changes a received lead to held, and records which buyers were passed over.
func (tx *Tx) Hold(seq int64, c lead.Change, passed []buyer.PassedOver) error {
	query, err := statusUpdate(lead.Received, c)
	if err != nil {
		return err
	}
	text, err := encodePassedOver(passed)
	if err != nil {
		return err
	}
	if err := tx.execOne(query, string(c.Status), micros(c.At), seq); err != nil {
		return err
	}
	return tx.exec(`INSERT INTO history (lead_seq, at, status, actor, reason, passed_over) VALUES ($1, $2, $3, $4, $5, $6)`,
		seq, micros(c.At), string(c.Status), c.Actor, c.Reason, text)
}

// Erase deletes the personal data of a lead. The lead itself stays, because it was accepted. If it might still be forwarded,
// Erase also closes it and ends its delivery.
func (s *Store) Erase(ctx context.Context, id string, c lead.Change) error {
	return s.write(ctx, func(tx *Tx) error {
		seq, err := tx.SeqOf(id)
		if err != nil {
			return err
		}
		l, err := tx.LeadBySeq(seq)
		if err != nil {
			return err
		}
		fingerprint := s.Fingerprint(l.Request)
		mayHaveContact, err := tx.takeOffMarket(seq, c.At) // repeats of it stay held: an erased person did not ask to have those sold
		if err != nil {
			return err
		}
		if mayHaveContact { // the operator has to know that a buyer may have the contact
			c.Status, c.Reason = lead.Errored, c.Reason+"; a buyer may have the contact"
		}
		if err := tx.erase(seq, l.Evidence.Anonymized()); err != nil {
			return err
		}
		if err := tx.eraseSenders(id); err != nil {
			return err
		}
		if err := tx.deleteFingerprint(seq, fingerprint, l.Request.UnkeyedFingerprint()); err != nil {
			return err
		}
		if l.Status.MayBecome(c.Status, c.Actor) {
			return tx.move(seq, l.Status, c)
		}
		c.Status = l.Status
		return tx.addHistory(seq, c)
	})
}

// takeOffMarket closes the offers of a lead and ends its delivery. It reports whether a buyer may have the contact.
func (tx *Tx) takeOffMarket(seq int64, now time.Time) (mayHaveContact bool, err error) {
	if mayHaveContact, err = tx.DropOffers(seq, now); err != nil {
		return false, err
	}
	return mayHaveContact, tx.EndDelivery(seq)
}

// erase deletes personal data: the contact, where the request came from, free text, and the answers of buyers, which may name the
// person. After the commit, the engine's truncateLog deletes what remains on the disk.
func (tx *Tx) erase(seq int64, left lead.Evidence) error {
	var job lead.Job
	if _, err := tx.queryRow(`SELECT job FROM leads WHERE seq = $1`, []any{seq}, func(r db.Row) {
		if json.Unmarshal([]byte(r.Text(0)), &job) != nil {
			job = lead.Job{} // unreadable JSON may contain anything, so nothing of it stays
		}
	}); err != nil {
		return err
	}
	tx.erased = true
	if err := tx.exec(`UPDATE leads SET contact = NULL, job = $1, evidence = $2 WHERE seq = $3`,
		string(encodeJob(nil, job.Anonymized())), string(encodeEvidence(nil, left)), seq); err != nil {
		return err
	}
	if err := tx.exec(`UPDATE attempts SET answer = '' WHERE lead_seq = $1`, seq); err != nil {
		return err
	}
	return tx.exec(`UPDATE offers SET returned_reason = '', buyer_ref = '' WHERE lead_seq = $1`, seq)
}

// DropOffers closes the offers of a lead whose delivery ends. It reports whether a buyer may have the contact.
func (tx *Tx) DropOffers(seq int64, now time.Time) (mayHaveContact bool, err error) {
	d, found, err := tx.Delivery(seq)
	if err != nil || !found {
		return false, err
	}
	offers, err := tx.Offers(seq)
	if err != nil {
		return false, err
	}
	for _, o := range offers {
		before := o.State
		switch {
		case before != buyer.OfferOpen && before != buyer.OfferAccepted:
			continue
		case d.MayHaveContact:
			o.State = buyer.OfferLost
		default:
			o.State = buyer.OfferFailed
		}
		if err := tx.PutOffer(o, before); err != nil {
			return false, err
		}
		h, err := tx.Health(o.Buyer)
		if err != nil {
			return false, err
		}
		if err := tx.PutHealth(o.Buyer, h.Wake(now)); err != nil { // its caps may allow another lead now
			return false, err
		}
	}
	return d.MayHaveContact, nil
}

// History lists the status changes of a lead, oldest first.
func (r *Reader) History(ctx context.Context, id string) ([]lead.Change, error) {
	list, err := db.Collect(ctx, r.pool, scanChange, `SELECT h.at, h.status, h.actor, h.reason FROM history h JOIN leads l ON l.seq = h.lead_seq
		WHERE l.id = $1 ORDER BY h.seq`, id)
	return list, TranslateError(r.engine, err)
}

func scanChange(r db.Scanner) (c lead.Change, err error) {
	var at int64
	err = r.Scan(&at, &c.Status, &c.Actor, &c.Reason)
	c.At = fromMicros(at)
	return c, err
}
