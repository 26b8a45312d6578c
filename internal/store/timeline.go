package store

import (
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
)

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
	offer, err := scanOffer(r)
	if err != nil {
		return Offered{}, err
	}
	var terms struct {
		Name string `json:"name"`
	}
	err = json.Unmarshal([]byte(r.Text(12)), &terms)
	return Offered{
		Offer: offer, ReturnedAt: timeOrZero(r.Int(9)), Reason: r.Text(10), PassedOver: decodePassedOver(r.Text(11)),
		BuyerName: terms.Name, Removed: buyer.State(r.Text(13)) == buyer.Removed,
	}, err
}

// decodePassedOver is the inverse of encodePassedOver. It ignores unreadable text: that only explains, and must not keep a lead
// from being shown.
func decodePassedOver(text string) (list []buyer.PassedOver) {
	if text == "" || json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	return list
}

// Attempts lists every attempt to send a message about a lead, oldest first.
func (tx *Tx) Attempts(id string) ([]buyer.Attempt, error) {
	return all(tx, scanAttempt, `SELECT a.offer_id, a.lead_seq, a.kind, a.at, a.took, a.status, a.failure, a.answer, a.decision, a.url
		FROM attempts a JOIN leads l ON l.seq = a.lead_seq WHERE l.id = $1 ORDER BY a.at, a.seq`, id)
}

func scanAttempt(r db.Row) (buyer.Attempt, error) {
	return buyer.Attempt{
		Offer: r.Text(0), Lead: r.Int(1), Kind: r.Text(2), At: fromMicros(r.Int(3)), Took: time.Duration(r.Int(4)) * time.Microsecond,
		Status: int(r.Int(5)), Failure: r.Text(6), Answer: r.Text(7), Decision: r.Text(8), URL: r.Text(9),
	}, nil
}
