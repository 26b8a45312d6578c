// Package returns has the SQL of the tables returns and webhook_ids: which leads buyers gave back (for a refund, as a credit), what became of that, and which messages
// said so. It decides nothing: package forward and the operator do.
package returns

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/db"
	"foyer/internal/store/rows"
)

// Returns are the returns as one transaction sees them.
type Returns struct{ Conn db.Conn }

const columns = `offer_id, buyer_id, at, code, state, decided_at, decided_by, note, notify_at, notified_at, attempts`

func scan(r db.Row) (buyer.Return, error) {
	return buyer.Return{
		Offer: r.Text(0), Buyer: r.Text(1), At: rows.Time(r.Int(2)), Code: lead.ReturnCode(r.Text(3)), State: buyer.ReturnState(r.Text(4)),
		DecidedAt: rows.TimeOrZero(r.Int(5)), DecidedBy: r.Text(6), Note: r.Text(7), NotifyAt: rows.TimeOrZero(r.Int(8)),
		NotifiedAt: rows.TimeOrZero(r.Int(9)), Attempts: int(r.Int(10)),
	}, nil
}

// Put adds or updates a return.
func (t Returns) Put(r buyer.Return) error {
	return t.Conn.Exec(`INSERT INTO returns (`+columns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (offer_id) DO UPDATE SET state = excluded.state, decided_at = excluded.decided_at, decided_by = excluded.decided_by, note = excluded.note,
			notify_at = excluded.notify_at, notified_at = excluded.notified_at, attempts = excluded.attempts`,
		[]any{
			r.Offer, r.Buyer, rows.Micros(r.At), string(r.Code), string(r.State), rows.MicrosOrZero(r.DecidedAt), r.DecidedBy, r.Note,
			rows.MicrosOrZero(r.NotifyAt), rows.MicrosOrZero(r.NotifiedAt), int64(r.Attempts),
		})
}

// Find finds the return of an offer, if there is one.
func (t Returns) Find(offer string) (buyer.Return, bool, error) {
	return db.One(t.Conn, scan, `SELECT `+columns+` FROM returns WHERE offer_id = $1`, offer)
}

// ToNotify lists returns whose buyers are to be told by now, the longest due first, but for some buyers.
func (t Returns) ToNotify(now time.Time, limit int, but ...string) (list []buyer.Return, err error) {
	args, others := []any{rows.Micros(now), int64(limit)}, ""
	for _, id := range but {
		args = append(args, id)
	}
	if len(but) > 0 {
		others = ` AND buyer_id NOT IN (` + db.Placeholders(3, len(but)) + `)`
	}
	err = t.Conn.Query(`SELECT `+columns+` FROM returns WHERE notify_at > 0 AND notify_at <= $1`+others+` ORDER BY notify_at LIMIT $2`, args, func(r db.Row) error {
		found, err := scan(r)
		list = append(list, found)
		return err
	})
	return list, err
}

// Listed is a return as the operator sees it.
type Listed struct {
	buyer.Return
	LeadID    string
	BuyerName string // "" if its terms cannot be read
	Price     buyer.Cents
	Reason    string // in the buyer's words
}

// Filter says which returns to list.
type Filter struct {
	Buyer string            // "" for all
	State buyer.ReturnState // "" for all
	After string            // the offer of the last one on the page before, or ""
	Limit int
}

// List lists returns, those that wait longest first; if all states are asked for, the newest first.
func (t Returns) List(f Filter) (list []Listed, err error) {
	where, order, beyond := `($1 = '' OR r.buyer_id = $1)`, `r.at DESC, r.offer_id DESC`, `<`
	if f.State != "" {
		where = `r.state = '` + string(f.State) + `' AND ` + where // a literal, so that the index can be used
	}
	if f.State == buyer.ReturnWaiting {
		order, beyond = `r.at, r.offer_id`, `>`
	}
	args := []any{f.Buyer, int64(f.Limit)}
	if f.After != "" {
		args = append(args, f.After)
		where += ` AND (r.at, r.offer_id) ` + beyond + ` (SELECT at, offer_id FROM returns WHERE offer_id = $3)`
	}
	err = t.Conn.Query(`SELECT r.offer_id, r.buyer_id, r.at, r.code, r.state, r.decided_at, r.decided_by, r.note, r.notify_at, r.notified_at, r.attempts,
			COALESCE(l.id, ''), COALESCE(b.terms, '{}'), COALESCE(o.price_cents, 0), COALESCE(o.returned_reason, '')
		FROM returns r LEFT JOIN offers o ON o.id = r.offer_id LEFT JOIN leads l ON l.seq = o.lead_seq LEFT JOIN buyers b ON b.id = r.buyer_id
		WHERE `+where+` ORDER BY `+order+` LIMIT $2`, args, func(r db.Row) error {
		found, err := scan(r)
		list = append(list, Listed{Return: found, LeadID: r.Text(11), BuyerName: rows.BuyerName(r.Text(12)), Price: buyer.Cents(r.Int(13)), Reason: r.Text(14)})
		return err
	})
	return list, err
}

// At is when the buyer returned the lead of an offer, or the zero time.
func (t Returns) At(offer string) (time.Time, error) {
	at, _, err := db.One(t.Conn, db.FirstInt, `SELECT returned_at FROM offers WHERE id = $1`, offer)
	return rows.TimeOrZero(at), err
}

// LastAnsweredAt is when the buyer last answered a message about an offer: if the lead was delivered, the time of the delivery.
func (t Returns) LastAnsweredAt(o buyer.Offer) (time.Time, error) {
	answered, _, err := db.One(t.Conn, db.FirstInt, `SELECT COALESCE(MAX(at + took), 0) FROM attempts WHERE lead_seq = $1 AND offer_id = $2`, o.Lead, o.ID)
	return rows.Time(max(answered, rows.Micros(o.At))), err
}

// MessageSeen reports whether a message with the id of a return, but another body, was received since a time.
func (t Returns) MessageSeen(r lead.Return, since time.Time) (another bool, err error) {
	id, body := messageKey(r)
	// In the key, a slash and the digest of the body follow the id; 0 is the character after the slash.
	err = t.Conn.Query(`SELECT id FROM webhook_ids WHERE id > $1 AND id < $2 AND at >= $3`, []any{id + "/", id + "0", rows.Micros(since)}, func(known db.Row) error {
		another = another || known.Text(0) != id+"/"+body
		return nil
	})
	return another, err
}

// RecordMessage stores the message of a return, until it is so old that its signature is refused.
func (t Returns) RecordMessage(r lead.Return, at time.Time) error {
	id, body := messageKey(r)
	return t.Conn.Exec(`INSERT INTO webhook_ids (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at`, []any{id + "/" + body, rows.Micros(at)})
}

// messageKey is what the store keeps of a message: the offer with a digest of the buyer's id for it, and a digest of its body.
// The id may be long, and may contain personal data.
func messageKey(r lead.Return) (id, body string) {
	name, sum := sha256.Sum256([]byte(r.Message)), sha256.Sum256(r.Body)
	return r.Offer + "/" + hex.EncodeToString(name[:16]), hex.EncodeToString(sum[:16])
}
