package store

import (
	"context"
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
func (r *Reader) Offered(ctx context.Context, id string) ([]Offered, error) {
	list, err := db.Collect(ctx, r.from, scanOffered, `SELECT o.id, o.lead_seq, o.buyer_id, o.at, o.one_step, o.state, o.code, o.buyer_ref, o.buyer_lead_id, o.returned_at, o.returned_reason, o.passed_over, COALESCE(b.terms, '{}'), COALESCE(b.state, '')
		FROM offers o JOIN leads l ON l.seq = o.lead_seq LEFT JOIN buyers b ON b.id = o.buyer_id WHERE l.id = $1 ORDER BY o.at, o.id`, id)
	return list, TranslateError(r.engine, err)
}

func scanOffered(r db.Scanner) (Offered, error) {
	var o Offered
	var at, oneStep, returned int64
	var terms []byte
	var passedOver string
	var state buyer.State
	if err := r.Scan(&o.ID, &o.Lead, &o.Buyer, &at, &oneStep, &o.State, &o.Code, &o.Ref, &o.LeadID, &returned, &o.Reason, &passedOver, &terms, &state); err != nil {
		return o, err
	}
	var known struct {
		Name string `json:"name"`
	}
	err := json.Unmarshal(terms, &known)
	o.At, o.OneStep, o.ReturnedAt, o.BuyerName, o.PassedOver = fromMicros(at), oneStep != 0, timeOrZero(returned), known.Name, decodePassedOver(passedOver)
	o.Removed = state == buyer.Removed
	return o, err
}

// PassedOver lists the buyers that were passed over at each row of a lead's history, in the order of History: none for most rows.
func (r *Reader) PassedOver(ctx context.Context, id string) ([][]buyer.PassedOver, error) {
	list, err := db.Collect(ctx, r.from, func(r db.Scanner) ([]buyer.PassedOver, error) {
		text, err := db.ScanOne[string](r)
		return decodePassedOver(text), err
	}, `SELECT h.passed_over FROM history h JOIN leads l ON l.seq = h.lead_seq WHERE l.id = $1 ORDER BY h.seq`, id)
	return list, TranslateError(r.engine, err)
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
func (r *Reader) Attempts(ctx context.Context, id string) ([]buyer.Attempt, error) {
	list, err := db.Collect(ctx, r.from, scanAttempt, `SELECT a.offer_id, a.lead_seq, a.kind, a.at, a.took, a.status, a.failure, a.answer, a.decision, a.url
		FROM attempts a JOIN leads l ON l.seq = a.lead_seq WHERE l.id = $1 ORDER BY a.at, a.seq`, id)
	return list, TranslateError(r.engine, err)
}

func scanAttempt(r db.Scanner) (buyer.Attempt, error) {
	var a buyer.Attempt
	var at, took int64
	err := r.Scan(&a.Offer, &a.Lead, &a.Kind, &at, &took, &a.Status, &a.Failure, &a.Answer, &a.Decision, &a.URL)
	a.At, a.Took = fromMicros(at), time.Duration(took)*time.Microsecond
	return a, err
}
