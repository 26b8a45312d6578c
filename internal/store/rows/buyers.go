package rows

import (
	"errors"
	"time"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// BuyerColumns are the columns of a buyer.
const BuyerColumns = `id, terms, secrets, state, why, created_at, updated_at, funds_cents`

// Buyer reads BuyerColumns.
func Buyer(r db.Row) (buyer.Buyer, error) {
	b := buyer.Buyer{
		ID: r.Text(0), State: buyer.State(r.Text(3)), Why: r.Text(4), CreatedAt: Time(r.Int(5)), UpdatedAt: Time(r.Int(6)), Funds: buyer.Cents(r.Int(7)),
	}
	return b, errors.Join(json.Unmarshal([]byte(r.Text(1)), &b.Terms), json.Unmarshal([]byte(r.Text(2)), &b.Secrets))
}

// BuyerName returns the name in the terms of a buyer, or "" if they cannot be read.
func BuyerName(terms string) string {
	var t struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal([]byte(terms), &t)
	return t.Name
}

// HealthColumns are the columns of a buyer's health.
const HealthColumns = `asked_at, failures, opened, open_until, wake_at, scan_until, quiet_until`

// Health reads HealthColumns.
func Health(r db.Row) (buyer.Health, error) {
	return buyer.Health{
		Asked: TimeOrZero(r.Int(0)), Failures: int(r.Int(1)), Opened: int(r.Int(2)), OpenUntil: TimeOrZero(r.Int(3)), WakeAt: TimeOrZero(r.Int(4)),
		ScanUntil: TimeOrZero(r.Int(5)), QuietUntil: TimeOrZero(r.Int(6)),
	}, nil
}

// DeliveryColumns are the columns of a delivery.
const DeliveryColumns = `lead_seq, buyer_queue, step, due_at, token, owner, since, offer_id, attempts, may_have_contact, sent_at, url`

// DeliveryWidth is the number of DeliveryColumns: others may follow them.
const DeliveryWidth = 12

// Delivery reads DeliveryColumns.
func Delivery(r db.Row) buyer.Delivery {
	return buyer.Delivery{
		Lead: r.Int(0), BuyerQueue: r.Text(1), Step: buyer.Step(r.Text(2)), DueAt: Time(r.Int(3)), Token: r.Int(4), Owner: r.Text(5),
		Since: Time(r.Int(6)), Offer: r.Text(7), Attempts: int(r.Int(8)), MayHaveContact: r.Int(9) != 0,
		SentAt: TimeOrZero(r.Int(10)), URL: r.Text(11),
	}
}

// Held reads the number of a held lead, its service, its ZIP code, and when it was created.
func Held(r db.Row) (buyer.Held, error) {
	return buyer.Held{Lead: r.Int(0), Service: lead.Service(r.Text(1)), ZIP: r.Text(2), At: Time(r.Int(3))}, nil
}

// OfferColumns are the columns of an offer.
const OfferColumns = `id, lead_seq, buyer_id, at, one_step, state, code, buyer_ref, buyer_lead_id, price_cents`

// Offer reads OfferColumns.
func Offer(r db.Row) (buyer.Offer, error) {
	return buyer.Offer{
		ID: r.Text(0), Lead: r.Int(1), Buyer: r.Text(2), At: Time(r.Int(3)), OneStep: r.Int(4) != 0,
		State: buyer.OfferState(r.Text(5)), Code: buyer.Code(r.Text(6)), Ref: r.Text(7), LeadID: r.Text(8), Price: buyer.Cents(r.Int(9)),
	}, nil
}

// Attempt reads an attempt to send a message: its offer, lead, kind, start, duration, status, failure, answer, decision and URL.
func Attempt(r db.Row) (buyer.Attempt, error) {
	return buyer.Attempt{
		Offer: r.Text(0), Lead: r.Int(1), Kind: r.Text(2), At: Time(r.Int(3)), Took: time.Duration(r.Int(4)) * time.Microsecond,
		Status: int(r.Int(5)), Failure: r.Text(6), Answer: r.Text(7), Decision: r.Text(8), URL: r.Text(9),
	}, nil
}

// EncodePassedOver encodes the buyers that were passed over, as "" if there are none.
func EncodePassedOver(passed []buyer.PassedOver) (string, error) {
	if len(passed) == 0 {
		return "", nil
	}
	text, err := json.Marshal(passed)
	return string(text), err
}

// DecodePassedOver is the inverse of EncodePassedOver. It ignores unreadable text: that only explains, and must not keep a lead
// from being shown.
func DecodePassedOver(text string) (list []buyer.PassedOver) {
	if text == "" || json.Unmarshal([]byte(text), &list) != nil {
		return nil
	}
	return list
}
