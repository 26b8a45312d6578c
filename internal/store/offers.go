package store

import (
	"context"
	"time"

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
	rows, err := tx.execCount(`UPDATE offers SET returned_at = $1, returned_reason = $2 WHERE id = $3 AND returned_at = 0`, rows.Micros(at), reason, o.ID)
	if err != nil || rows == 0 {
		return err
	}
	tx.counts.Add(o, offercounts.Change{Returned: 1})
	return nil
}

// Offered is an offer as the operator sees it.
type Offered struct {
	buyer.Offer
	BuyerName  string    // "" if the buyer's row no longer exists
	Removed    bool      // whether the buyer was removed; its name is still known
	ReturnedAt time.Time // zero if the lead was not returned
	Reason     string    // of the return
	PassedOver []buyer.PassedOver
}

// Offered lists the offers of a lead, oldest first, with their buyers and their outcome.
func (tx *Tx) Offered(id string) ([]Offered, error) {
	return all(tx, scanOffered, `SELECT o.id, o.lead_seq, o.buyer_id, o.at, o.one_step, o.state, o.code, o.buyer_ref, o.buyer_lead_id, o.price_cents, o.returned_at, o.returned_reason, o.passed_over, COALESCE(b.terms, '{}'), COALESCE(b.state, '')
		FROM offers o JOIN leads l ON l.seq = o.lead_seq LEFT JOIN buyers b ON b.id = o.buyer_id WHERE l.id = $1 ORDER BY o.at, o.id`, id)
}

func scanOffered(r db.Row) (Offered, error) {
	offer, err := rows.Offer(r)
	if err != nil {
		return Offered{}, err
	}
	return Offered{
		Offer: offer, ReturnedAt: rows.TimeOrZero(r.Int(10)), Reason: r.Text(11), PassedOver: rows.DecodePassedOver(r.Text(12)),
		BuyerName: rows.BuyerName(r.Text(13)), Removed: buyer.State(r.Text(14)) == buyer.Removed,
	}, nil
}

// Attempts lists every attempt to send a message about a lead, oldest first.
func (tx *Tx) Attempts(id string) ([]buyer.Attempt, error) {
	return all(tx, rows.Attempt, `SELECT `+attemptColumns+`
		FROM attempts a JOIN leads l ON l.seq = a.lead_seq WHERE l.id = $1 ORDER BY a.at, a.seq`, id)
}

const attemptColumns = `a.offer_id, a.lead_seq, a.kind, a.at, a.took, a.status, a.failure, a.answer, a.decision, a.url`

// recentAttempts is how many of the newest attempts to all buyers NewestAttempts looks through.
const recentAttempts = 2_000

// NewestAttempts lists the newest attempts to send messages to a buyer, the newest first. The table has no index by buyer, which the
// forwarder would have to write: it looks through the newest attempts of all, and if these have too few, at the newest leads that the buyer
// was asked about. key is that of the search index.
func (tx *Tx) NewestAttempts(id string, key []byte, limit int) ([]buyer.Attempt, error) {
	newest, err := tx.number(`SELECT COALESCE(MAX(seq), 0) FROM attempts`)
	if err != nil {
		return nil, err
	}
	const query = `SELECT ` + attemptColumns + ` FROM attempts a JOIN offers o ON o.id = a.offer_id WHERE o.buyer_id = $1 AND `
	list, err := all(tx, rows.Attempt, query+`a.seq > $2 ORDER BY a.seq DESC LIMIT $3`, id, newest-recentAttempts, int64(limit))
	if err != nil || len(list) >= limit {
		return list, err
	}
	began := time.Now()
	asked, err := tx.FindLeads(LeadFilter{Offered: []string{id}}, key, LeadPage{Limit: limit, Ended: func() bool { return time.Since(began) > 20*time.Millisecond }})
	if err != nil || len(asked.Leads) == 0 {
		return list, err
	}
	ids := make([]string, len(asked.Leads))
	for i, l := range asked.Leads {
		ids[i] = l.ID
	}
	// a.seq + 0 keeps an engine from reading all attempts in their order.
	older, err := all(tx, rows.Attempt, query+`a.seq + 0 <= $2 AND a.lead_seq IN (SELECT seq FROM leads WHERE id IN (`+db.Quoted(ids...)+`)) ORDER BY a.seq + 0 DESC LIMIT $3`,
		id, newest-recentAttempts, int64(limit-len(list)))
	return append(list, older...), err
}
