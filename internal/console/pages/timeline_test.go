package pages_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// addBuyer adds a buyer with an endpoint that gives one answer, and starts it. Its terms come in pairs.
func (p *person) addBuyer(name, answer string, terms ...string) (id string) {
	p.t.Helper()
	page := p.answers("/buyers/add", []string{"whsec_"}, append([]string{"name", name, "url", newEndpoint(p.t, answer), "services", "all"}, terms...)...)
	id = find(p.t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	p.does("/buyers/"+id+"/start", "held", "none")
	return id
}

// sendLead sends a request as a program does, with other members.
func (p *person) sendLead(with map[string]any, headers ...string) (id string) {
	p.t.Helper()
	members := map[string]any{"service_type": "hvac", "customer_name": "Pat Example", "customer_phone": "305-555-0123", "zip_code": "33139"}
	for name, value := range with {
		members[name] = value
	}
	r := p.s.Send(p.t, http.MethodPost, "/v1/intake", apptest.Request{With: members}.JSON(), append(headers, "Content-Type", "application/json")...)
	if id = apptest.ParseOutcome(p.t, r.Body).LeadID; id == "" {
		p.t.Fatalf("the lead is refused: %d %s", r.Status, r.Body)
	}
	return id
}

// TestTimelineToMoney follows a lead from its request to the money: who was passed over, what was sent and answered, what was charged, what its
// source costs, and what was given back.
func TestTimelineToMoney(t *testing.T) {
	storetest.Long(t)
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOperator)
	p.does("/sources/add", "name", "Partner One", "cost_cents", "12.50")
	key := find(t, p.shows("/sources"), `/console/sources/(src_[a-z0-9]+)`)
	p.addBuyer("Form Only", `{"decision":"accept"}`)
	web := find(t, p.shows("/buyers"), `/console/buyers/(buyer_[a-z0-9]+)`)
	fields := inputs(p.shows("/buyers/"+web+"/terms"), "/buyers/"+web+"/edit")
	fields["own_form_only"], fields["priority"] = "true", "1"
	p.does("/buyers/"+web+"/edit", pairs(fields)...)
	p.addBuyer("Picky", `{"decision":"reject","code":"other","note":"we know Pat Example"}`, "priority", "2")
	p.addBuyer("Cool Air", `{"decision":"accept","ref":"job-77"}`, "priority", "3", "price_cents", "45.00")
	other := map[string]any{"service_type": "plumbing", "customer_phone": "305-555-0199"}
	for p.sendLead(other, "Foyer-Source", key); strings.Contains(plain(p.get("/leads?source="+key).Body), "No lead matches"); { // the service knows a source after a second
		time.Sleep(100 * time.Millisecond)
		p.sendLead(other, "Foyer-Source", key)
	}
	id := p.sendLead(nil, "Foyer-Source", key)
	p.await("/leads/"+id, "Sold to Cool Air for $45.00")
	p.await("/leads/"+id, "Its source costs $12.50")
	hidden := p.shows("/leads/"+id, "Form Only), demands: it wants only leads from our own form", "Picky declined", "Cool Air was charged $45.00", `"customer_name": "(hidden)"`)
	for _, private := range []string{"Pat Example", "job-77", "5550123"} {
		if strings.Contains(hidden, private) {
			t.Errorf("%s is on the page before it is revealed", private)
		}
	}
	revealed := p.answers("/leads/"+id+"/reveal", []string{
		"What was sent, and the answer", `"type": "lead.offered"`, `"type": "lead.delivered"`, `"customer_name": "Pat Example"`, `"customer_phone": "+13055550123"`, `"note":"we know Pat Example"`, `"ref":"job-77"`,
	}, "why", "a test")
	if order := []string{"The request arrived", "Its source costs", "Offered to Picky", "Picky declined", "Offered to Cool Air", "Cool Air accepted", "Cool Air has the contact", "Cool Air was charged"}; !inTurn(plain([]byte(revealed)), order) {
		t.Errorf("not in the order %q:\n%s", order, plain([]byte(revealed)))
	}
	offer := find(t, hidden, `name="offer_id" value="(offer_[a-z0-9]+)"`)
	p.does("/leads/"+id+"/return", "offer_id", offer, "code", "other", "reason", "nobody answers", "confirm", "true")
	if strings.Contains(p.shows("/leads/"+id), "back") && strings.Contains(plain(p.get("/leads/"+id).Body), "got $45.00 back") {
		t.Error("a return that waits is money already")
	}
	p.does("/returns/"+offer+"/approve", "note", "agreed", "confirm", "true")
	p.shows("/leads/"+id, "The return is approved", "Cool Air got $45.00 back")
}

// printable drops what a form refuses.
func printable(r rune) rune {
	if !unicode.IsPrint(r) {
		return -1
	}
	return r
}

func jsonText(t *testing.T, text string) string {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(quoted)
}

// inTurn reports whether a text has others in their order.
func inTurn(text string, parts []string) bool {
	for _, part := range parts {
		_, rest, found := strings.Cut(text, part)
		if !found {
			return false
		}
		text = rest
	}
	return true
}

// TestHostileContent looks at what persons and buyers wrote on every page that shows it: it is never markup, turns no text around, and does not
// make a page unusable.
func TestHostileContent(t *testing.T) {
	storetest.Parallel(t)
	for name, text := range map[string]string{
		"markup":         `<script>alert(1)</script><img src=x onerror=alert(2)>"'></pre></textarea></title>{{.}}`,
		"bidi":           "ab\u202egnp.exe\u2066\u200f\u0007\u001b[31m",
		"ten thousand":   strings.Repeat("W", 10_000),
		"long, in words": strings.Repeat("<b>w</b> ", 300),
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Parallel(t)
			s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
			p := signIn(t, s, "pat", store.RoleOperator)
			quoted := func(most int) string { return string([]rune(text)[:min(most, len([]rune(text)))]) }
			personal := func(most int) string { // the intake takes no control characters
				return strings.TrimSpace(strings.Map(func(r rune) rune {
					if unicode.IsControl(r) {
						return -1
					}
					return r
				}, quoted(most)))
			}
			p.addBuyer("Picky", `{"decision":"reject","code":"other","note":`+jsonText(t, text)+`}`, "priority", "1")
			id := p.addBuyer("Cool Air", `{"decision":"accept","ref":`+jsonText(t, quoted(100))+`,"more":`+jsonText(t, text)+`}`, "priority", "2")
			lead := p.sendLead(map[string]any{"customer_name": personal(100), "notes": personal(1_000), "customer_email": "pat@example.com"})
			p.await("/leads/"+lead, "Sold to Cool Air")
			offer := find(t, p.shows("/leads/"+lead), `name="offer_id" value="(offer_[a-z0-9]+)"`)
			p.does("/leads/"+lead+"/return", "offer_id", offer, "code", "other", "reason", strings.Map(printable, personal(100)), "confirm", "true")
			looked := map[string]string{
				"the lead": p.answers("/leads/"+lead+"/reveal", []string{"With the person", "What was sent, and the answer"}, "why", "a test"), "its evidence": p.answers("/leads/"+lead+"/evidence/reveal", nil, "why", "a test"),
				"the returns": p.shows("/returns", "Give Cool Air"), "the buyer": p.shows("/buyers/"+id, "Newest messages"), "the lead again": p.shows("/leads/" + lead), "today": p.shows(""),
			}
			for where, page := range looked {
				for _, markup := range []string{"<script>alert", "<img src=x", "<b>w"} {
					if strings.Contains(page, markup) {
						t.Errorf("%s has the markup %s", where, markup)
					}
				}
				if i := strings.IndexFunc(page, func(r rune) bool {
					return unicode.Is(unicode.Bidi_Control, r) || unicode.IsControl(r) && r != '\n' && r != '\t'
				}); i >= 0 {
					t.Errorf("%s has the character %q", where, page[i:i+3])
				}
				if len(page) > 400_000 {
					t.Errorf("%s has %d bytes", where, len(page))
				}
			}
			if r := p.get("/leads/" + lead); r.Status != http.StatusOK {
				t.Errorf("the lead: %d", r.Status)
			}
		})
	}
}
