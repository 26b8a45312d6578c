package store

import (
	"context"
	"math"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
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

// AddOffer stores a new offer and which buyers were passed over for it, and counts it toward the buyer's caps.
func (tx *Tx) AddOffer(o buyer.Offer, passedOver ...buyer.PassedOver) error {
	if err := tx.mayChangeBuyer(o.Buyer); err != nil {
		return err
	}
	text, err := rows.EncodePassedOver(passedOver)
	if err != nil {
		return err
	}
	err = tx.exec(`INSERT INTO offers (id, lead_seq, buyer_id, at, one_step, state, buyer_lead_id, passed_over) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		o.ID, o.Lead, o.Buyer, rows.Micros(o.At), rows.Bit(o.OneStep), string(o.State), o.LeadID, text)
	if err != nil {
		return err
	}
	tx.count(o, offerCounts{used: 1, offered: 1})
	return nil
}

// PutOffer stores the new state of an offer. If the offer no longer counts toward the buyer's caps, PutOffer subtracts it.
func (tx *Tx) PutOffer(o buyer.Offer, before buyer.OfferState) error {
	by := offerCounts{
		used:      rows.Bit(o.State.Counts()) - rows.Bit(before.Counts()),
		accepted:  rows.Bit(o.State.WasAccepted()) - rows.Bit(before.WasAccepted()),
		delivered: rows.Bit(o.State == buyer.OfferDelivered) - rows.Bit(before == buyer.OfferDelivered),
	}
	if by.used != 0 {
		if err := tx.mayChangeBuyer(o.Buyer); err != nil {
			return err
		}
	}
	if by != (offerCounts{}) {
		tx.count(o, by)
	}
	return tx.exec(`UPDATE offers SET state = $1, code = $2, buyer_ref = $3 WHERE id = $4`, string(o.State), string(o.Code), o.Ref, o.ID)
}

// offerCounts are changes to the counts of an hour.
type offerCounts struct{ used, offered, accepted, delivered int64 }

// count adds to the counts of the hour in which an offer was made. The transaction writes them at its end.
func (tx *Tx) count(o buyer.Offer, by offerCounts) {
	key := countKey{o.Buyer, hourOf(o.At)}
	sum := tx.counts[key]
	tx.counts[key] = offerCounts{sum.used + by.used, sum.offered + by.offered, sum.accepted + by.accepted, sum.delivered + by.delivered}
}

func hourOf(t time.Time) int64 { return t.Unix() / 3600 }

// hoursOf returns the hours of a period, from the first up to the last. In a time zone with half-hour offsets, its ends are rounded
// (docs/decisions/0015).
func hoursOf(period buyer.Period) (from, to int64) {
	if period.Begin.IsZero() {
		return 0, math.MaxInt64
	}
	return hourOf(period.Begin), hourOf(period.End)
}

// usedKey is a question to Used.
type usedKey struct {
	buyer    string
	from, to int64 // hours
}

// Used returns how many offers to a buyer count toward its caps in a period. The database is asked once for each request.
func (tx *Tx) Used(id string, period buyer.Period) (int, error) {
	from, to := hoursOf(period)
	key := usedKey{id, from, to}
	used, known := tx.used[key]
	if !known {
		var err error
		used, err = tx.number(`SELECT CAST(COALESCE(SUM(used), 0) AS BIGINT) FROM offer_counts WHERE buyer_id = $1 AND hour >= $2 AND hour < $3`, id, from, to)
		if err != nil {
			return 0, err
		}
		tx.used[key] = used
	}
	for k, by := range tx.counts {
		if k.buyer == id && k.hour >= from && k.hour < to {
			used += by.used
		}
	}
	return int(used), nil
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
	return tx.exec(`INSERT INTO offer_counts (buyer_id, hour, used, returned) VALUES ($1, $2, 0, 1)
		ON CONFLICT (buyer_id, hour) DO UPDATE SET returned = offer_counts.returned + 1`, o.Buyer, hourOf(o.At))
}

// Counts returns what became of the offers to a buyer in a period.
func (tx *Tx) Counts(id string, period buyer.Period) (buyer.Counts, error) {
	from, to := hoursOf(period)
	c, _, err := one(tx, rows.Counts, `SELECT CAST(COALESCE(SUM(used), 0) AS BIGINT), CAST(COALESCE(SUM(offered), 0) AS BIGINT), CAST(COALESCE(SUM(accepted), 0) AS BIGINT),
		CAST(COALESCE(SUM(delivered), 0) AS BIGINT), CAST(COALESCE(SUM(returned), 0) AS BIGINT) FROM offer_counts WHERE buyer_id = $1 AND hour >= $2 AND hour < $3`,
		id, from, to)
	return c, err
}

// FoldCounts adds up the counts of each day that is long past: otherwise a buyer would have 8,760 rows a year, and a cap on all its leads
// would read them all.
func (j *Job) FoldCounts(ctx context.Context) error {
	const someDays = `SELECT DISTINCT buyer_id, hour / 24 * 24 FROM offer_counts WHERE hour % 24 <> 0 AND hour < ` + rows.CountsByDay + ` LIMIT $1`
	for steps := j.steps(); ; {
		days, err := j.store.rows(ctx, someDays, commit.MaxStepRows)
		if err != nil || len(days) == 0 {
			return err
		}
		if err := steps.Run(ctx, len(days), func(tx *Tx, i int) error { return tx.foldCounts(days[i]...) }, nil); err != nil {
			return err
		}
	}
}

// foldCounts adds the later hours of a day to its first.
func (tx *Tx) foldCounts(buyerAndDay ...any) error {
	err := tx.exec(`INSERT INTO offer_counts (buyer_id, hour, used, offered, accepted, delivered, returned)
		SELECT buyer_id, CAST($2 AS BIGINT), CAST(SUM(used) AS BIGINT), CAST(SUM(offered) AS BIGINT), CAST(SUM(accepted) AS BIGINT), CAST(SUM(delivered) AS BIGINT), CAST(SUM(returned) AS BIGINT)
			FROM offer_counts WHERE buyer_id = $1 AND hour > $2 AND hour < $2 + 24 GROUP BY buyer_id
		ON CONFLICT (buyer_id, hour) DO UPDATE SET used = offer_counts.used + excluded.used, offered = offer_counts.offered + excluded.offered,
			accepted = offer_counts.accepted + excluded.accepted, delivered = offer_counts.delivered + excluded.delivered, returned = offer_counts.returned + excluded.returned`, buyerAndDay...)
	if err != nil {
		return err
	}
	return tx.exec(`DELETE FROM offer_counts WHERE buyer_id = $1 AND hour > $2 AND hour < $2 + 24`, buyerAndDay...)
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
	return all(tx, scanOffered, `SELECT o.id, o.lead_seq, o.buyer_id, o.at, o.one_step, o.state, o.code, o.buyer_ref, o.buyer_lead_id, o.returned_at, o.returned_reason, o.passed_over, COALESCE(b.terms, '{}'), COALESCE(b.state, '')
		FROM offers o JOIN leads l ON l.seq = o.lead_seq LEFT JOIN buyers b ON b.id = o.buyer_id WHERE l.id = $1 ORDER BY o.at, o.id`, id)
}

func scanOffered(r db.Row) (Offered, error) {
	offer, err := rows.Offer(r)
	if err != nil {
		return Offered{}, err
	}
	var terms struct {
		Name string `json:"name"`
	}
	err = json.Unmarshal([]byte(r.Text(12)), &terms)
	return Offered{
		Offer: offer, ReturnedAt: rows.TimeOrZero(r.Int(9)), Reason: r.Text(10), PassedOver: rows.DecodePassedOver(r.Text(11)),
		BuyerName: terms.Name, Removed: buyer.State(r.Text(13)) == buyer.Removed,
	}, err
}

// Attempts lists every attempt to send a message about a lead, oldest first.
func (tx *Tx) Attempts(id string) ([]buyer.Attempt, error) {
	return all(tx, rows.Attempt, `SELECT a.offer_id, a.lead_seq, a.kind, a.at, a.took, a.status, a.failure, a.answer, a.decision, a.url
		FROM attempts a JOIN leads l ON l.seq = a.lead_seq WHERE l.id = $1 ORDER BY a.at, a.seq`, id)
}
