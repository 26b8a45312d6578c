package store

import (
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
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
