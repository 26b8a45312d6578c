package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// Offered is an offer as an operator looks at it.
type Offered struct {
	buyer.Offer
	BuyerName  string    // "" where the buyer was removed
	ReturnedAt time.Time // no time where it was not given back
	Reason     string    // why it was
}

// Offered lists what was offered of a lead, to whom, and what came back, oldest first.
func (r *Reader) Offered(ctx context.Context, id string) ([]Offered, error) {
	list, err := collect(ctx, r.db, scanOffered, `SELECT o.id, o.lead_seq, o.buyer_id, o.at, o.one_step, o.state, o.code, o.buyer_ref, o.returned_at, o.returned_reason, COALESCE(b.terms, '{}')
		FROM offers o JOIN leads l ON l.seq = o.lead_seq LEFT JOIN buyers b ON b.id = o.buyer_id WHERE l.id = $1 ORDER BY o.at, o.id`, id)
	return list, unavailable(r.engine, err)
}

func scanOffered(r scanner) (Offered, error) {
	var o Offered
	var at, oneStep, returned int64
	var terms []byte
	if err := r.Scan(&o.ID, &o.Lead, &o.Buyer, &at, &oneStep, &o.State, &o.Code, &o.Ref, &returned, &o.Reason, &terms); err != nil {
		return o, err
	}
	var known struct {
		Name string `json:"name"`
	}
	err := json.Unmarshal(terms, &known)
	o.At, o.OneStep, o.ReturnedAt, o.BuyerName = fromMicros(at), oneStep != 0, moment(returned), known.Name
	return o, err
}

// LeadOf is the id of the lead that an offer was made of.
func (r *Reader) LeadOf(ctx context.Context, offer string) (id string, err error) {
	err = r.db.QueryRowContext(ctx, `SELECT id FROM leads WHERE seq = (SELECT lead_seq FROM offers WHERE id = $1)`, offer).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", &lead.Error{Kind: lead.NotFound, Message: "There is no offer with this id."}
	}
	return id, unavailable(r.engine, err)
}

// Attempts lists every try to send a message about a lead, oldest first.
func (r *Reader) Attempts(ctx context.Context, id string) ([]buyer.Attempt, error) {
	list, err := collect(ctx, r.db, scanAttempt, `SELECT a.offer_id, a.lead_seq, a.kind, a.at, a.took, a.status, a.failure, a.answer, a.decision, a.url
		FROM attempts a JOIN leads l ON l.seq = a.lead_seq WHERE l.id = $1 ORDER BY a.at, a.seq`, id)
	return list, unavailable(r.engine, err)
}

func scanAttempt(r scanner) (buyer.Attempt, error) {
	var a buyer.Attempt
	var at, took int64
	err := r.Scan(&a.Offer, &a.Lead, &a.Kind, &at, &took, &a.Status, &a.Failure, &a.Answer, &a.Decision, &a.URL)
	a.At, a.Took = fromMicros(at), time.Duration(took)*time.Microsecond
	return a, err
}
