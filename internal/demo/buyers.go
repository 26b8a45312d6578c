package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/webhook"
)

// newBuyer is a buyer of the month, and how it behaves.
type newBuyer struct {
	terms   entered.Terms
	paid    buyer.Cents // in advance
	network network
}

const cleaning = "house_cleaning,deep_cleaning,move_in_out_cleaning,recurring_cleaning"

// cleaningAt is one price for all kinds of cleaning.
func cleaningAt(price string) string {
	return strings.ReplaceAll(cleaning, ",", "="+price+",") + "=" + price
}

// The buyers from the first day on: one that takes most of what it covers, one that pays in advance and closes at night, one with a cap for
// each month, and one that fails now and then.
var (
	southeast = newBuyer{
		terms: entered.Terms{
			Name: new("Southeast Home Network"), URL: new("https://southeast.example.com/leads"), Services: new(cleaning + ",pest_control,hvac,handyman"), States: new("FL,GA,NC,TN"),
			Price: new(cleaningAt("18.00") + ",pest_control=24.00,hvac=45.00,handyman=20.00"), CapDay: new(60), Priority: new(10), ApproveReturns: new("duplicate"),
		},
		network: network{accepts: 0.87, declines: []string{"out_of_area", "cap", "duplicate", "other"}, takes: 900 * time.Millisecond, flaky: 0.004, stuck: 0.03, returns: 0.05},
	}
	loneStar = newBuyer{
		terms: entered.Terms{
			Name: new("Lone Star Services"), URL: new("https://lonestar.example.com/offers"), Services: new("pest_control,hvac,handyman"), States: new("TX"),
			Price: new("pest_control=26.00,hvac=52.00,handyman=22.00"), CreditLimit: new("0"), Hours: new("mon-sat 07:00-20:00"), TimeZone: new("America/Chicago"), Priority: new(20),
		},
		paid:    60_000,
		network: network{accepts: 0.8, declines: []string{"out_of_area", "closed", "other"}, takes: 1500 * time.Millisecond, flaky: 0.01, returns: 0.07},
	}
	desert = newBuyer{
		terms: entered.Terms{
			Name: new("Desert Cooling Group"), URL: new("https://desert.example.com/hooks/leads"), Services: new("hvac"), States: new("AZ,NV"),
			Price: new("hvac=62.00"), CapMonth: new(9), TimeZone: new("America/Phoenix"), Priority: new(30),
		},
		network: network{accepts: 0.93, declines: []string{"cap", "out_of_area"}, takes: 3 * time.Second, returns: 0.03},
	}
	nationwide = newBuyer{
		terms: entered.Terms{
			Name: new("Nationwide Cleaners"), URL: new("https://nationwide.example.com/api/lead"), Services: new(cleaning), States: new("CA,IL,TX,FL,GA"),
			Price: new(cleaningAt("14.00")), MoneyCapDay: new("140.00"), TimeZone: new("America/New_York"), Priority: new(50), DenyReturns: new("other"),
		},
		network: network{
			accepts: 0.7, declines: []string{"out_of_area", "service_not_offered", "duplicate", "other"}, takes: 2 * time.Second, flaky: 0.02, returns: 0.08,
			outages: []outage{{11, 15, 7 * time.Hour, http.StatusServiceUnavailable}, {20, 20, 12 * time.Hour, http.StatusUnauthorized}},
		},
	}
)

// The buyers that come later: one that gets the contact in one step, and one that nobody has started yet.
var (
	neighborhood = newBuyer{
		terms: entered.Terms{
			Name: new("Neighborhood Handyman"), URL: new("https://handyman.example.com/in"), Services: new("handyman,other"), States: new("GA,FL,CO,TX"),
			Price: new("all=16.00"), OneStep: new(true), Priority: new(5), ReturnDays: new(5),
		},
		network: network{accepts: 0.62, declines: []string{"closed", "other", "out_of_area"}, takes: 700 * time.Millisecond, returns: 0.1},
	}
	greatLakes = newBuyer{
		terms: entered.Terms{
			Name: new("Great Lakes Air"), URL: new("https://greatlakes.example.com/leads"), Services: new("hvac"), States: new("IL"), Price: new("hvac=48.00"),
		},
		network: network{accepts: 1, takes: time.Second},
	}
)

// open is the first day: the operator enters buyers and sources.
func (m *month) open(ctx context.Context) error {
	for _, b := range []newBuyer{southeast, loneStar, desert, nationwide} {
		if err := m.addBuyer(ctx, b, entered.Held{All: true}); err != nil {
			return err
		}
	}
	for _, s := range []struct {
		name string
		in   entered.SourceTerms
	}{
		{searchAds, entered.SourceTerms{Cost: new("7.50")}},
		{partner, entered.SourceTerms{Cost: new("5.00"), CapDay: new(15), Origins: new("https://partner.example.com")}},
		{newsletter, entered.SourceTerms{}},
		{comparison, entered.SourceTerms{Cost: new("3.00")}},
	} {
		added, err := m.operator.Sources().Add(ctx, m.By, s.name, s.in)
		if err != nil {
			return err
		}
		m.sources[s.name] = &added
	}
	return m.forward.Refresh(ctx)
}

// addBuyer adds a buyer, tests it, and starts it.
func (m *month) addBuyer(ctx context.Context, b newBuyer, held entered.Held) error {
	added, err := m.enterBuyer(ctx, b)
	if err != nil {
		return err
	}
	test, err := m.operator.Try(ctx, added.ID, operator.Test{Deliver: true})
	if err != nil {
		return err
	}
	if !test.Usable() {
		return fmt.Errorf("the test of %s went wrong: %v", added.Terms.Name, test.First.Verdict)
	}
	_, err = m.operator.Start(ctx, m.By, added.ID, held)
	return err
}

// enterBuyer adds a buyer in test.
func (m *month) enterBuyer(ctx context.Context, b newBuyer) (buyer.Buyer, error) {
	b.network.oneStep = b.terms.OneStep != nil
	m.networks[*b.terms.URL] = b.network
	added, _, err := m.operator.Add(ctx, m.By, operator.New{Terms: b.terms})
	if err == nil && b.paid > 0 {
		_, err = m.operator.Accounts().TopUp(ctx, m.By, added.ID, b.paid, "Bank transfer")
	}
	return added, err
}

// answer answers a message in place of a buyer. Time passes meanwhile.
func (m *month) answer(_ context.Context, msg webhook.Message) webhook.Outcome {
	var event struct {
		Type string
		Data struct {
			Test    bool
			OfferID string `json:"offer_id"`
		}
	}
	if err := json.Unmarshal(msg.Body, &event); err != nil {
		return webhook.Outcome{Failure: webhook.BadMessage, Detail: err.Error()}
	}
	n, since, contact := m.networks[msg.URL], m.now.Sub(m.begin), event.Type == forward.LeadDelivered
	var outcome webhook.Outcome
	if event.Type == forward.LeadOffered || contact && n.oneStep {
		outcome = n.offer(m.answers, since)
	} else {
		outcome = n.delivery(m.answers, since, contact && m.isStuck(n, event.Data.OfferID))
	}
	if event.Data.Test && outcome.Status != http.StatusOK { // nobody starts a buyer whose test failed
		outcome = n.answer(m.answers, `{"decision":"accept"}`)
	}
	m.now = m.now.Add(outcome.Took)
	if took := buyer.Read(buyer.Answer{Status: outcome.Status, Body: outcome.Answer}, true); contact && took.Meaning == buyer.Accepts && !event.Data.Test {
		m.planReturn(n, event.Data.OfferID)
	}
	return outcome
}

// isStuck reports whether a buyer cannot take the contact of an offer. That is decided at the first attempt.
func (m *month) isStuck(n network, offer string) bool {
	if _, known := m.stuck[offer]; !known {
		m.stuck[offer] = chance(m.answers, n.stuck)
	}
	return m.stuck[offer]
}

// planReturn lets a contact come back, if it does.
func (m *month) planReturn(n network, offer string) {
	r, back := n.comesBack(m.answers)
	if !back || !m.now.Add(r.after).Before(m.until) {
		return
	}
	m.plan(m.now.Add(r.after), func(ctx context.Context) error {
		_, err := m.returns.Take(ctx, lead.Return{Offer: offer, Code: r.code, Reason: r.reason, Message: m.newID("msg_"), Body: []byte(offer)})
		if kind := lead.KindOf(err); kind == lead.Refused || kind == lead.Unauthorized { // it comes too late, or was settled otherwise
			return nil
		}
		return err
	})
}
