package forward

import (
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// SampleDelivery writes the contact that follows a test offer which a buyer accepted, under the name that it gave the lead.
// As in the offer, all of it is made up, and it is marked as a test.
func SampleDelivery(b buyer.Buyer, leadID, offerID, ref string, at time.Time) (kind string, l Message) {
	consent := lead.ConsentText{Version: "shown-test", Text: "This is a test. Nobody agreed to anything."}
	offer := buyer.Offer{ID: offerID, Buyer: b.ID, At: at, State: buyer.OfferAccepted, Ref: ref}
	told := contactFields(sampleLead(b.Terms, leadID, consent.Ref(), at), offer, consent.Text)
	told.Test = true
	e := event{Type: LeadDelivered, Timestamp: at.UTC(), Data: told}
	return e.Type, Message{ID: messageID(e.Type, offerID), URL: b.Terms.URL, Secrets: b.Secrets, Body: encode(e)}
}
