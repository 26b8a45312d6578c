package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"foyer/internal/lead"
	"foyer/internal/store/db"
)

// An operator may look up a lead by its own id, by a buyer's id for it, or by the id of an offer. Public pages and tools accept
// only the lead's own id: they call LeadSummary.
const (
	byLeadID  = `SELECT id, seq FROM leads WHERE id = $1`
	byOfferID = `SELECT id, seq FROM leads WHERE seq = (SELECT lead_seq FROM offers WHERE id = $1)`
	// A buyer's id for a lead has the same prefix as the lead's own, so the query reads only the few leads of the same
	// millisecond and needs no index.
	byBuyerLeadID = `SELECT l.id, l.seq FROM leads l WHERE l.id >= $2 AND l.id < $3
		AND EXISTS (SELECT 1 FROM offers o WHERE o.lead_seq = l.seq AND o.buyer_lead_id = $1)`
)

// sharedPrefix is the length of what a lead's own id and a buyer's id for it have in common: the type and the time.
const sharedPrefix = len("lead_") + 9

// idQueries returns the queries that find a lead by an id, in the order in which to try them.
func idQueries(id string) (all []idQuery) {
	if strings.HasPrefix(id, "offer_") {
		return []idQuery{{byOfferID, []any{id}}}
	}
	all = append(all, idQuery{byLeadID, []any{id}})
	if lead.MayBeID(id) && len(id) > sharedPrefix {
		begin := id[:sharedPrefix]
		all = append(all, idQuery{byBuyerLeadID, []any{id, begin, begin + "{"}}) // the character after z
	}
	return all
}

type idQuery struct {
	query string
	args  []any
}

func idNotFound(id string) *lead.Error {
	if strings.HasPrefix(id, "offer_") {
		return &lead.Error{Kind: lead.NotFound, Message: "There is no offer with this id."}
	}
	return noLead()
}

// LeadOf returns the own id of a lead, found by any id that an operator may have.
func (r *Reader) LeadOf(ctx context.Context, id string) (own string, err error) {
	for _, l := range idQueries(id) {
		var seq int64
		err := r.from.QueryRowContext(ctx, l.query, l.args...).Scan(&own, &seq)
		if !errors.Is(err, sql.ErrNoRows) {
			return own, TranslateError(r.engine, err)
		}
	}
	return "", idNotFound(id)
}

// LeadOf returns the number of a lead, found by any id that an operator may have.
func (tx *Tx) LeadOf(id string) (seq int64, err error) {
	for _, l := range idQueries(id) {
		found, err := tx.queryRow(l.query, l.args, func(r db.Row) { seq = r.Int(1) })
		if err != nil || found {
			return seq, err
		}
	}
	return 0, idNotFound(id)
}
