package store

import (
	"context"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/offercounts"
	"foyer/internal/store/rows"
)

// Offers lists the offers of a lead, oldest first.
func (tx *Tx) Offers(seq int64) ([]buyer.Offer, error) {
	return all(tx, rows.Offer, `SELECT `+rows.OfferColumns+` FROM offers WHERE lead_seq = $1 ORDER BY at, id`, seq)
}

// Offer finds an offer by its id, if there is one.
func (tx *Tx) Offer(id string) (o buyer.Offer, found bool, err error) {
	return one(tx, rows.Offer, `SELECT `+rows.OfferColumns+` FROM offers WHERE id = $1`, id)
}

// AddOffer stores a new offer and which buyers were passed over for it, counts it toward the buyer's caps and reserves its price.
func (tx *Tx) AddOffer(o buyer.Offer, passedOver ...buyer.PassedOver) error {
	if err := tx.locks.CheckBuyer(o.Buyer); err != nil {
		return err
	}
	text, err := rows.EncodePassedOver(passedOver)
	if err != nil {
		return err
	}
	err = tx.exec(`INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, buyer_lead_id, passed_over, price_cents) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		o.ID, o.Lead, o.Buyer, rows.Micros(o.At), rows.Bit(o.OneStep), string(o.State), o.LeadID, text, int64(o.Price))
	if err != nil {
		return err
	}
	tx.counts.Add(o, offercounts.Change{Used: 1, UsedCents: int64(o.Price), Offered: 1})
	return nil
}

// PutOffer stores the new state of an offer. If the offer no longer counts toward the buyer's caps, PutOffer subtracts it, and its
// price.
func (tx *Tx) PutOffer(o buyer.Offer, before buyer.OfferState) error {
	changed := func(holds func(buyer.OfferState) bool) int64 {
		return rows.Bit(holds(o.State)) - rows.Bit(holds(before))
	}
	used, delivered := changed(buyer.OfferState.Counts), changed(buyer.OfferState.WasDelivered)
	returned := changed(func(s buyer.OfferState) bool { return s == buyer.OfferReturned })
	by := offercounts.Change{
		Used: used, UsedCents: used * int64(o.Price), Accepted: changed(buyer.OfferState.WasAccepted),
		Delivered: delivered, ChargedCents: delivered * int64(o.Price), CreditedCents: returned * int64(o.Price),
	}
	if by.Used != 0 {
		if err := tx.locks.CheckBuyer(o.Buyer); err != nil {
			return err
		}
	}
	tx.counts.Add(o, by)
	return tx.exec(`UPDATE offers SET state = $1, code = $2, buyer_ref = $3 WHERE id = $4`, string(o.State), string(o.Code), o.Ref, o.ID)
}

// Used returns what counts toward the caps and the balance of a buyer in a period.
func (tx *Tx) Used(id string, period buyer.Period) (buyer.Usage, error) {
	return tx.counts.Used(tx.conn, id, period)
}

// Counts returns what became of the offers to a buyer in a period.
func (tx *Tx) Counts(id string, period buyer.Period) (buyer.Counts, error) {
	counts, err := tx.CountsOf([]string{id}, period)
	return counts[id], err
}

// CountsOf returns what became of the offers to each of some buyers in a period.
func (tx *Tx) CountsOf(ids []string, period buyer.Period) (map[string]buyer.Counts, error) {
	return offercounts.Sums(tx.conn, ids, period)
}

// FoldCounts adds up the counts of each day that is long past.
func (j *Job) FoldCounts(ctx context.Context) error {
	for steps := j.steps(); ; {
		days, err := j.store.rows(ctx, offercounts.DaysToFold, commit.MaxStepRows)
		if err != nil || len(days) == 0 {
			return err
		}
		if err := steps.Run(ctx, len(days), func(tx *Tx, i int) error { return offercounts.Fold(tx.conn, days[i]) }, nil); err != nil {
			return err
		}
	}
}

// AddAttempt stores one attempt to send a message.
func (tx *Tx) AddAttempt(a buyer.Attempt) error {
	return tx.exec(`INSERT INTO attempts (lead_seq, offer_id, kind, at, took, status, failure, answer, decision, url)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		a.Lead, a.Offer, a.Kind, rows.Micros(a.At), a.Took.Microseconds(), int64(a.Status), a.Failure, a.Answer, a.Decision, a.URL)
}

// Return records that a buyer returned a lead, and counts the return in the hour of the offer. A second return changes nothing.
func (tx *Tx) Return(o buyer.Offer, reason string, at time.Time) error {
	n, err := tx.execCount(`UPDATE offers SET returned_at = $1, returned_reason = $2 WHERE id = $3 AND returned_at = 0`, rows.Micros(at), reason, o.ID)
	if err != nil || n == 0 {
		return err
	}
	tx.counts.Add(o, offercounts.Change{Returned: 1})
	return nil
}

// OfferSecrets returns the secrets of the buyer that received an offer. There are none if there is no such offer or if the buyer
// was removed. It reads from the pool, so that an unauthenticated caller cannot delay the writer.
func (s *Store) OfferSecrets(ctx context.Context, offer string) (secrets []string, err error) {
	text, err := read(ctx, s, func(tx *Tx) (string, error) {
		text, _, err := one(tx, db.FirstText, `SELECT b.secrets FROM offers o JOIN buyers b ON b.id = o.buyer_id WHERE o.id = $1 AND b.state <> 'removed'`, offer)
		return text, err
	})
	if err != nil || text == "" {
		return nil, err
	}
	return secrets, json.Unmarshal([]byte(text), &secrets)
}

// ReturnsToNotify lists returns whose buyers are to be told by now, but for some buyers.
func (s *Store) ReturnsToNotify(ctx context.Context, now time.Time, limit int, but ...string) ([]buyer.Return, error) {
	return read(ctx, s, func(tx *Tx) ([]buyer.Return, error) { return tx.Returns().ToNotify(now, limit, but...) })
}
