package report

import (
	"errors"
	"fmt"
	"io"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/wire"
)

// LeadDetail is everything about a lead.
type LeadDetail struct {
	Lead     lead.Lead
	Erased   bool             // nothing in it tells who the person is
	consent  lead.ConsentText // the words that the person agreed to
	cost     buyer.Cents      // what its source is paid for it
	timeline Timeline
}

// ReadLead reads everything about a lead. The id is its own, the one that a buyer has for it, or that of an offer.
func ReadLead(tx *store.Tx, id string) (d LeadDetail, err error) {
	if d.Lead, err = tx.Lead(id); err != nil {
		return d, err
	}
	d.Erased = d.Lead.Erased() // before the person is left out for a reader
	if hash := d.Lead.Evidence.Consent.Hash; hash != "" {
		if d.consent, err = tx.Consent(hash); err != nil {
			return d, err
		}
	}
	if d.cost, err = tx.LeadCounts().Cost(d.Lead.ID); err != nil {
		return d, err
	}
	d.timeline, err = ReadTimeline(tx, d.Lead, d.cost, d.consent.Text)
	return d, err
}

// WithoutPerson returns the lead as it would be if its person were erased.
func (d LeadDetail) WithoutPerson() LeadDetail {
	d.Lead = d.Lead.WithoutPerson()
	d.timeline = d.timeline.withoutPerson()
	return d
}

// Object is the lead as JSON.
func (d LeadDetail) Object() wire.Object {
	return append(append(d.Fields(), wire.Member{"legal_holds", legalHolds(d.timeline.holds)}), d.timeline.Object()...)
}

// HoldsInForce are the legal holds that the lead is under.
func (d LeadDetail) HoldsInForce() []lead.LegalHold { return lead.HoldsInForce(d.timeline.holds) }

// Print prints the lead as text. Legal holds come first: whoever acts on the lead must not miss them.
func (d LeadDetail) Print(w io.Writer) error {
	for _, h := range d.HoldsInForce() {
		if _, err := fmt.Fprintln(w, "Under a legal hold: "+LegalHoldLine(h)); err != nil {
			return err
		}
	}
	return errors.Join(PrintFields(w, d.Fields()), PrintTimeline(w, d.timeline))
}

// Events are what happened to the lead, oldest first.
func (d LeadDetail) Events() []Event { return d.timeline.events() }

// Sale is how a lead was sold, and what became of that.
type Sale struct {
	store.Offered
	At     time.Time
	Return buyer.Return // its Offer is "" if the lead did not come back
}

// Sale returns how the lead was sold, if it was.
func (d LeadDetail) Sale() (s Sale, sold bool) {
	for _, o := range d.timeline.offers {
		if o.State == buyer.OfferDelivered || o.State == buyer.OfferReturned {
			s.Offered, s.Return, sold = o, d.timeline.returns[o.ID], true
		}
	}
	before := lead.Received
	for _, c := range d.timeline.changes {
		if c.Status == lead.Forwarded && before != lead.Forwarded { // a later note, such as that the person was erased, repeats the status
			s.At = c.At
		}
		before = c.Status
	}
	return s, sold
}

// Fields list what was requested and how it came in.
func (d LeadDetail) Fields() wire.Object { return LeadFields(d.Lead, d.consent.Text, d.cost) }

// SampleLead is a lead with one of everything, to describe what a LeadDetail holds.
func SampleLead() LeadDetail {
	passed := []buyer.PassedOver{{}}
	return LeadDetail{timeline: Timeline{
		holds:    []lead.LegalHold{{}},
		changes:  []store.HistoryEntry{{PassedOver: passed}},
		offers:   []store.Offered{{Offer: buyer.Offer{ID: "offer_1"}, PassedOver: passed}},
		returns:  map[string]buyer.Return{"offer_1": {Offer: "offer_1", DecidedAt: time.Unix(1, 0)}},
		attempts: []buyer.Attempt{{}},
	}}
}
