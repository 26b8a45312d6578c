package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// move gives a lead another status, and a line in its history. A move that statuses do not make, or from where the lead
// does not stand, is refused.
func (h *dbTx) move(seq int64, from lead.Status, c lead.Change) error {
	query, err := statusUpdate(from, c)
	if err != nil {
		return err
	}
	if err := h.execOne(query, string(c.Status), micros(c.At), seq); err != nil {
		return err
	}
	return errors.Join(h.endWithholdIfHeld(seq, from), h.addHistory(seq, c))
}

// endWithholdIfHeld takes a lead that is held no longer out of those that are kept off the market.
func (h *dbTx) endWithholdIfHeld(seq int64, from lead.Status) error {
	if from != lead.Collected {
		return nil
	}
	return (&Tx{h}).EndWithhold(seq)
}

// statusUpdate is the statement for a move that statuses make.
func statusUpdate(from lead.Status, c lead.Change) (string, error) {
	if !from.MayBecome(c.Status, c.Actor) {
		return "", fmt.Errorf("a lead does not go from %s to %s by the %s", from, c.Status, c.Actor)
	}
	// The old status stands in the text: as a parameter SQLite would prepare the statement anew each time, to see whether
	// the index of held leads applies.
	return `UPDATE leads SET status = $1, updated_at = $2 WHERE seq = $3 AND status = '` + string(from) + `'`, nil
}

// tryMove is move for leads that may stand elsewhere by now. It says whether one did not.
func (h *dbTx) tryMove(seq int64, from lead.Status, c lead.Change) (bool, error) {
	query, err := statusUpdate(from, c)
	if err != nil {
		return false, err
	}
	rows, err := h.execCount(query, string(c.Status), micros(c.At), seq)
	if err != nil || rows == 0 {
		return false, err
	}
	return true, errors.Join(h.endWithholdIfHeld(seq, from), h.addHistory(seq, c))
}

// addHistory writes a line into a lead's history.
func (h *dbTx) addHistory(seq int64, c lead.Change) error {
	return h.exec(`INSERT INTO history (lead_seq, at, status, actor, reason) VALUES ($1, $2, $3, $4, $5)`,
		seq, micros(c.At), string(c.Status), c.Actor, c.Reason)
}

// Hold holds a lead that is on its way, and writes down who was passed over.
func (p *Tx) Hold(seq int64, c lead.Change, passed []buyer.PassedOver) error {
	query, err := statusUpdate(lead.Received, c)
	if err != nil {
		return err
	}
	text, err := encodePassedOver(passed)
	if err != nil {
		return err
	}
	if err := p.db.execOne(query, string(c.Status), micros(c.At), seq); err != nil {
		return err
	}
	return p.db.exec(`INSERT INTO history (lead_seq, at, status, actor, reason, passed_over) VALUES ($1, $2, $3, $4, $5, $6)`,
		seq, micros(c.At), string(c.Status), c.Actor, c.Reason, text)
}

// Erase forgets who sent a lead. The lead itself stays: it was taken in. One that might still be passed on is closed
// with it, and leaves its way.
func (s *Store) Erase(ctx context.Context, id string, c lead.Change) error {
	return s.write(ctx, func(h *dbTx) error {
		page := Tx{h}
		seq, err := page.SeqOf(id)
		if err != nil {
			return err
		}
		l, err := page.LeadBySeq(seq)
		if err != nil {
			return err
		}
		print := s.Fingerprint(l.Request)
		handed, err := page.takeOffMarket(seq, c.At) // what repeats it stays held: whoever is erased did not ask for that to be sold
		if err != nil {
			return err
		}
		if handed { // the operator has to know that somebody may have the contact
			c.Status, c.Reason = lead.Errored, c.Reason+"; a buyer may have the contact"
		}
		if err := h.erase(seq, l.Evidence.Anonymized()); err != nil {
			return err
		}
		if err := h.eraseSenders(id); err != nil {
			return err
		}
		if err := h.deleteFingerprint(seq, print, l.Request.UnkeyedFingerprint()); err != nil {
			return err
		}
		if l.Status.MayBecome(c.Status, c.Actor) {
			return h.move(seq, l.Status, c)
		}
		c.Status = l.Status
		return h.addHistory(seq, c)
	})
}

// takeOffMarket takes a lead off its way. It says whether a buyer may have the contact.
func (p *Tx) takeOffMarket(seq int64, now time.Time) (handed bool, err error) {
	if handed, err = p.DropOffers(seq, now); err != nil {
		return false, err
	}
	return handed, p.EndDelivery(seq)
}

// erase empties what tells who a person is: the contact, where it came from, what they wrote freely, and the words of buyers,
// which may name them. What it leaves on the disk is seen to after the commit.
func (h *dbTx) erase(seq int64, left lead.Evidence) error {
	var job lead.Job
	if _, err := h.queryRow(`SELECT job FROM leads WHERE seq = $1`, []any{seq}, func(r row) {
		if json.Unmarshal([]byte(r.text(0)), &job) != nil {
			job = lead.Job{} // nobody knows what it holds, so nothing of it stays
		}
	}); err != nil {
		return err
	}
	h.erased = true
	if err := h.exec(`UPDATE leads SET contact = NULL, job = $1, evidence = $2 WHERE seq = $3`,
		string(encodeJob(nil, job.Anonymized())), string(encodeEvidence(nil, left)), seq); err != nil {
		return err
	}
	if err := h.exec(`UPDATE attempts SET answer = '' WHERE lead_seq = $1`, seq); err != nil {
		return err
	}
	return h.exec(`UPDATE offers SET returned_reason = '', buyer_ref = '' WHERE lead_seq = $1`, seq)
}

// DropOffers closes the offers of a lead that is taken off its way. It says whether a buyer may have the contact.
func (p *Tx) DropOffers(seq int64, now time.Time) (handed bool, err error) {
	e, found, err := p.Delivery(seq)
	if err != nil || !found {
		return false, err
	}
	offers, err := p.Offers(seq)
	if err != nil {
		return false, err
	}
	for _, o := range offers {
		before := o.State
		switch {
		case before != buyer.OfferOpen && before != buyer.OfferAccepted:
			continue
		case e.MayHaveContact:
			o.State = buyer.OfferLost
		default:
			o.State = buyer.OfferFailed
		}
		if err := p.PutOffer(o, before); err != nil {
			return false, err
		}
		s, err := p.Health(o.Buyer)
		if err != nil {
			return false, err
		}
		if err := p.PutHealth(o.Buyer, s.Wake(now)); err != nil { // a place under its caps may be free
			return false, err
		}
	}
	return e.MayHaveContact, nil
}

// History lists what became of a lead, oldest first.
func (r *Reader) History(ctx context.Context, id string) ([]lead.Change, error) {
	list, err := collect(ctx, r.db, scanChange, `SELECT h.at, h.status, h.actor, h.reason FROM history h JOIN leads l ON l.seq = h.lead_seq
		WHERE l.id = $1 ORDER BY h.seq`, id)
	return list, translateError(r.engine, err)
}

func scanChange(r scanner) (c lead.Change, err error) {
	var at int64
	err = r.Scan(&at, &c.Status, &c.Actor, &c.Reason)
	c.At = fromMicros(at)
	return c, err
}
