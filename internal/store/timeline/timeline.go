// Package timeline reads what became of a lead, as operators see it: the changes of its status, its offers, and every message about it. It
// writes nothing.
package timeline

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
	"foyer/internal/store/search"
)

// Timeline reads what one transaction sees.
type Timeline struct{ Conn db.Conn }

// Entry is a row of a lead's history, with the buyers that were passed over: none for most rows.
type Entry struct {
	lead.Change
	PassedOver []buyer.PassedOver
}

// History lists the status changes of a lead, oldest first.
func (t Timeline) History(id string) ([]Entry, error) {
	return db.All(t.Conn, scanHistory, `SELECT h.at, h.status, h.actor, h.reason, h.passed_over FROM history h JOIN leads l ON l.seq = h.lead_seq
		WHERE l.id = $1 ORDER BY h.seq`, id)
}

func scanHistory(r db.Row) (Entry, error) {
	return Entry{
		lead.Change{At: rows.Time(r.Int(0)), Status: lead.Status(r.Text(1)), Actor: r.Text(2), Reason: r.Text(3)}, rows.DecodePassedOver(r.Text(4)),
	}, nil
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

// Offers lists the offers of a lead, oldest first, with their buyers and their outcome.
func (t Timeline) Offers(id string) ([]Offered, error) {
	return db.All(t.Conn, scanOffered, `SELECT o.id, o.lead_seq, o.buyer_id, o.at, o.one_step, o.state, o.code, o.buyer_ref, o.buyer_lead_id, o.price_cents, o.returned_at, o.returned_reason, o.passed_over, COALESCE(b.terms, '{}'), COALESCE(b.state, '')
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
func (t Timeline) Attempts(id string) ([]buyer.Attempt, error) {
	return db.All(t.Conn, rows.Attempt, `SELECT `+attemptColumns+`
		FROM attempts a JOIN leads l ON l.seq = a.lead_seq WHERE l.id = $1 ORDER BY a.at, a.seq`, id)
}

const attemptColumns = `a.offer_id, a.lead_seq, a.kind, a.at, a.took, a.status, a.failure, a.answer, a.decision, a.url`

// recentAttempts is how many of the newest attempts to all buyers NewestAttempts looks through.
const recentAttempts = 2_000

// NewestAttempts lists the newest attempts to send messages to a buyer, the newest first. The table has no index by buyer, which the
// forwarder would have to write: it looks through the newest attempts of all, and if these have too few, at the newest leads that the buyer
// was asked about. key is that of the search index.
func (t Timeline) NewestAttempts(id string, key []byte, limit int) ([]buyer.Attempt, error) {
	newest, _, err := db.One(t.Conn, db.FirstInt, `SELECT COALESCE(MAX(seq), 0) FROM attempts`)
	if err != nil {
		return nil, err
	}
	const query = `SELECT ` + attemptColumns + ` FROM attempts a JOIN offers o ON o.id = a.offer_id WHERE o.buyer_id = $1 AND `
	list, err := db.All(t.Conn, rows.Attempt, query+`a.seq > $2 ORDER BY a.seq DESC LIMIT $3`, id, newest-recentAttempts, int64(limit))
	if err != nil || len(list) >= limit {
		return list, err
	}
	began := time.Now()
	asked, err := search.Find(t.Conn, search.Filter{Offered: []string{id}}, key, search.Page{Limit: limit, Ended: func() bool { return time.Since(began) > 20*time.Millisecond }})
	if err != nil || len(asked.Leads) == 0 {
		return list, err
	}
	ids := make([]string, len(asked.Leads))
	for i, l := range asked.Leads {
		ids[i] = l.ID
	}
	// a.seq + 0 keeps an engine from reading all attempts in their order.
	older, err := db.All(t.Conn, rows.Attempt, query+`a.seq + 0 <= $2 AND a.lead_seq IN (SELECT seq FROM leads WHERE id IN (`+db.Quoted(ids...)+`)) ORDER BY a.seq + 0 DESC LIMIT $3`,
		id, newest-recentAttempts, int64(limit-len(list)))
	return append(list, older...), err
}
