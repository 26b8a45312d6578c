package report_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/report"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestNoteOfAReturnIsHiddenWithThePerson wants what the operator wrote about a return to be shown with the person, and only then: it may name
// them. The message that told the buyer is shown, too.
func TestNoteOfAReturnIsHiddenWithThePerson(t *testing.T) {
	const note = "Quixotl answered when we called"
	s := storetest.Open(t, storetest.Database(t))
	l := storetest.FullLead("lead_1")
	l.Evidence.Consent = lead.ConsentRef{}
	storetest.Save(t, s, l)
	var d report.LeadDetail
	var messages []report.Message
	if err := s.Update(t.Context(), func(tx *store.Tx) error {
		o := buyer.Offer{ID: "offer_1", Lead: 1, Buyer: "buyer_1", At: storetest.Noon, State: buyer.OfferDelivered}
		r := buyer.Return{Offer: o.ID, Buyer: o.Buyer, At: storetest.Noon, Code: lead.ReturnOther, State: buyer.ReturnDenied, DecidedAt: storetest.Noon, DecidedBy: "cli:ada", Note: note}
		told := buyer.Attempt{Lead: 1, Offer: o.ID, Kind: forward.ReturnDecided, At: storetest.Noon, Status: 204, Decision: "notified"}
		err := errors.Join(tx.PutBuyer(storetest.Buyer(o.Buyer)), tx.AddOffer(o), tx.Return(o, "no", storetest.Noon), tx.Returns().Put(r), tx.AddAttempt(told))
		if err != nil {
			return err
		}
		if d, err = report.ReadLead(tx, l.ID); err != nil {
			return err
		}
		messages, err = report.ReadMessages(tx, o.Buyer, storetest.SearchKey, 10)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	hidden := d.WithoutPerson() // before the person is shown: it must leave no trace in d
	for name, c := range map[string]struct {
		text  string
		times int
	}{
		"the lead":                    {shown(t, d), 4}, // in a line of text, in JSON, in the event, and in the message to the buyer
		"the lead without the person": {shown(t, hidden), 0},
		"the messages to the buyer":   {messages[0].Text + messages[0].Sent, 0},
	} {
		if n := strings.Count(c.text, note); n != c.times || !strings.Contains(c.text, forward.ReturnDecided) {
			t.Errorf("%s: the note is there %d times, want %d:\n%s", name, n, c.times, c.text)
		}
	}
}

// shown is a lead in all the ways in which it is shown.
func shown(t *testing.T, d report.LeadDetail) string {
	t.Helper()
	var text strings.Builder
	object, err := json.Marshal(d.Object())
	if err := errors.Join(err, d.Print(&text)); err != nil {
		t.Fatal(err)
	}
	text.Write(object)
	for _, e := range d.Events() {
		text.WriteString(e.Text + e.Sent)
	}
	return text.String()
}
