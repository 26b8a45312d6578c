package search

import (
	"strings"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// LeadWithID names a lead in the error if there is none.
const LeadWithID = "lead with this id"

const (
	byLeadID  = `SELECT seq FROM leads WHERE id = $1`
	byOfferID = `SELECT lead_seq FROM offers WHERE id = $1`
	// A buyer's id for a lead has the same prefix as the lead's own, so the query reads only the few leads of the same
	// millisecond and needs no index.
	byBuyerLeadID = `SELECT l.seq FROM leads l WHERE l.id >= $2 AND l.id < $3
		AND EXISTS (SELECT 1 FROM offers o WHERE o.lead_seq = l.seq AND o.buyer_lead_id = $1)`
)

// sharedPrefix is the length of what a lead's own id and a buyer's id for it have in common: the type and the time.
const sharedPrefix = len("lead_") + 9

// ByID returns the number of a lead, found by any id that an operator may have: its own, a buyer's id for it, or that of an offer.
func ByID(c db.Conn, id string) (int64, error) {
	if strings.HasPrefix(id, "offer_") {
		return existing(c, "offer with this id", byOfferID, id)
	}
	seq, found, err := db.One(c, db.FirstInt, byLeadID, id)
	switch {
	case found || err != nil:
		return seq, err
	case !lead.MayBeID(id) || len(id) <= sharedPrefix:
		return 0, lead.NotFoundError(LeadWithID)
	}
	begin := id[:sharedPrefix]
	return existing(c, LeadWithID, byBuyerLeadID, id, begin, begin+"{") // the character after z
}

func existing(c db.Conn, what, query string, args ...any) (int64, error) {
	seq, found, err := db.One(c, db.FirstInt, query, args...)
	if err == nil && !found {
		err = lead.NotFoundError(what)
	}
	return seq, err
}

// WithPhone lists the leads with a wanted phone number, oldest first: all, or only held ones. It reads all their contacts, because it
// must also work without the key of the index.
func WithPhone(c db.Conn, held bool, wanted func(phone string) bool) (leads []int64, err error) {
	query := `SELECT seq, contact FROM leads WHERE contact IS NOT NULL ORDER BY seq`
	if held {
		query = `SELECT seq, contact FROM leads WHERE status = 'collected' AND contact IS NOT NULL ORDER BY seq`
	}
	err = c.Query(query, nil, func(r db.Row) error {
		if wanted(decodeContact(r.Text(1)).Phone) {
			leads = append(leads, r.Int(0))
		}
		return nil
	})
	return leads, err
}
