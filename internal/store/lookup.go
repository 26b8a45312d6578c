package store

import (
	"strings"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

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

// LeadOf returns the number of a lead, found by any id that an operator may have: its own, a buyer's id for it, or that of an
// offer. Public pages and tools accept only the lead's own id: they call LeadSummary.
func (tx *Tx) LeadOf(id string) (seq int64, err error) {
	if strings.HasPrefix(id, "offer_") {
		seq, found, err := one(tx, db.FirstInt, byOfferID, id)
		if err == nil && !found {
			err = &lead.Error{Kind: lead.NotFound, Message: "There is no offer with this id."}
		}
		return seq, err
	}
	seq, found, err := one(tx, db.FirstInt, byLeadID, id)
	if err == nil && !found && lead.MayBeID(id) && len(id) > sharedPrefix {
		begin := id[:sharedPrefix]
		seq, found, err = one(tx, db.FirstInt, byBuyerLeadID, id, begin, begin+"{") // the character after z
	}
	if err == nil && !found {
		err = noLead()
	}
	return seq, err
}

// Lead finds a lead by any id that an operator may have.
func (tx *Tx) Lead(id string) (lead.Lead, error) {
	seq, err := tx.LeadOf(id)
	if err != nil {
		return lead.Lead{}, err
	}
	return tx.LeadBySeq(seq)
}
