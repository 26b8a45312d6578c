package forward

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// CanaryContact returns a contact with every personal field of the field table, and every id of a click: values that nothing else has.
func CanaryContact(n int, phone string) lead.Contact {
	raw := lead.IntakeInput.New()
	for i := range lead.Fields {
		f := &lead.Fields[i]
		value := f.Example
		switch {
		case f.Name == "customer_phone":
			value = phone
		case f.Name == "customer_email":
			value = fmt.Sprintf("canary%d@example.com", n)
		case f.Personal:
			value = fmt.Sprintf("canary %d of %s", n, f.Name)
		}
		raw.Set(f.Name, lead.Typed(value))
	}
	req, refusal := lead.Parse(raw)
	if refusal != nil {
		panic(refusal)
	}
	req.Contact.ClickIDs = lead.ClickIDs{Google: fmt.Sprintf("canary-%d-gclid", n), Facebook: fmt.Sprintf("canary-%d-fbclid", n)}
	return req.Contact
}

// Told lists the members of a contact that a body tells, the phone number by its ten digits, whatever stands between them.
func Told(c lead.Contact, body []byte) (told []string) {
	members := contactMembers(c)
	digits := bytes.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, body)
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, in := members[name], body
		if number, phone := strings.CutPrefix(value, "+1"); phone {
			value, in = number, digits
		}
		if value != "" && bytes.Contains(in, []byte(value)) {
			told = append(told, name)
		}
	}
	return told
}

func contactMembers(c lead.Contact) (members map[string]string) {
	encoded, err := json.Marshal(c)
	if err == nil {
		err = json.Unmarshal(encoded, &members)
	}
	if err != nil {
		panic(err)
	}
	return members
}

// An offer, which the trade calls a ping, must not leak personal data (PII). This test fails if an offer tells the phone number, or any
// other member of the contact: a buyer that was only asked could call the person anyway. They are left out, not masked or redacted.
func TestOfferDoesNotTellPhoneOrContact(t *testing.T) {
	tk := task{
		delivery: buyer.Delivery{Step: buyer.StepOffer}, lead: lead.Lead{ID: "lead_1"},
		offer: buyer.Offer{ID: "offer_1", At: sampleAt}, to: &buyer.Candidate{},
	}
	contact := CanaryContact(1, "305-555-0123")
	tk.lead.Request.Contact = contact
	msg, err := (&Forwarder{}).message(t.Context(), tk)
	if err != nil || !strings.Contains(string(msg.Body), `"offer_id":"offer_1"`) {
		t.Fatalf("%v: %s", err, msg.Body)
	}
	if told := Told(contact, msg.Body); told != nil {
		t.Errorf("the offer has %v of the contact: %s", told, msg.Body)
	}

	delivered := SentBody(LeadDelivered, tk.lead, tk.offer, "", buyer.Return{})
	personal := 0
	for i := range lead.Fields {
		if lead.Fields[i].Personal {
			personal++
		}
	}
	if told := Told(contact, delivered); len(told) != personal || len(contactMembers(contact)) != personal+2 {
		t.Errorf("of %d personal fields and two ids of clicks, the delivered contact has %v: the test proves nothing", personal, told)
	}
}
