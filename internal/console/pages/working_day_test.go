package pages_test

import (
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestWorkingDay does a day's work by forms alone, on a running service with a real buyer: from a new buyer to a closed statement.
func TestWorkingDay(t *testing.T) {
	storetest.Long(t)
	storetest.Parallel(t)
	for name, database := range storetest.Engines {
		t.Run(name, func(t *testing.T) {
			s := apptest.StartOn(t, database(t), "--allow-private-buyers", "--rate-limit", "off", "--phone-limit", "off")
			p := signIn(t, s, "pat", store.RoleOperator)
			p.shows("", "The first five steps", "made up The number for plumbing")
			id := p.addsBuyer()
			sold := p.sellsLead(id)
			p.takesItBack(sold, id)
			p.entersMoney(id)
			p.keepsSources()
			p.looksAtReports()
			p.hearsFromALawyer(sold)
			p.helpsPersons(sold)
			p.letsBuyerGo(id)
			s.WantAddresses(t, "user:")
		})
	}
}

func (p *person) addsBuyer() (id string) {
	p.t.Helper()
	endpoint := newEndpoint(p.t, `{"decision":"accept","ref":"<b>ref</b>"}`)
	p.refuses(http.StatusUnprocessableEntity, "/buyers/add", "Give a whole address", "name", "Cool Air", "url", "https://", "services", "all")
	p.refuses(http.StatusUnprocessableEntity, "/buyers/add", "is not a service", "name", "Cool Air", "url", endpoint, "services", "roofing")
	page := p.answers("/buyers/add", []string{"Cool Air", "whsec_", "in test", "Shown only now"}, "name", "Cool Air", "url", endpoint, "services", "hvac, handyman", "states", "FL, GA", "price_cents", "hvac=45.00, handyman=20.00")
	id = find(p.t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	p.shows("", "Cool Air: test it and start it")
	p.answers("/buyers/"+id+"/test", []string{"its answer was understood", "accept", "Then the made-up contact was delivered"}, "service", "hvac", "zip", "33139", "deliver", "true")
	if regexp.MustCompile(`whsec_[A-Za-z0-9+/=]{20}`).MatchString(p.shows("/buyers/" + id)) {
		p.t.Error("the secret is shown again")
	}
	p.refuses(http.StatusUnprocessableEntity, "/buyers/"+id+"/start", "none, all", "held", "some")
	p.shows("/buyers/"+id, "Leads that are held now go to it only as far as you say. It covers none of them.", "If held leads are to go to Cool Air: offer them now.")
	p.refuses(http.StatusUnprocessableEntity, "/buyers/"+id+"/start", "Check the box", "held", "all")
	p.does("/buyers/"+id+"/start", "held", "all", "confirm", "true")
	p.shows("/buyers/"+id+"?done=startBuyer", "active", "it is asked from now on", "No caps, and no limit")
	p.edits(id)
	p.does("/buyers/"+id+"/pause", "why", "a test")
	p.shows("/buyers", "paused", "a test")
	p.does("/buyers/" + id + "/resume")
	p.shows("/route?service=hvac&zip=33139", "Cool Air", "1")
	p.shows("/route?service=hvac&zip=90210", "Cool Air", "no")
	p.shows("/route?service=hvac&zip=3", "not a ZIP code")
	return id
}

// edits changes a term, and leaves all others.
func (p *person) edits(id string) {
	p.t.Helper()
	before := p.shows("/buyers/" + id + "/terms")
	fields := inputs(before, "/buyers/"+id+"/edit")
	fields["priority"] = "10"
	fields["caps.day"] = "100"
	p.does("/buyers/"+id+"/edit", pairs(fields)...)
	p.shows("/buyers/"+id, "0 of 100", "Leads today")
	after := inputs(p.shows("/buyers/"+id+"/terms"), "/buyers/"+id+"/edit")
	for name, value := range fields {
		if name != "once" && name != "seen" && after[name] != value {
			p.t.Errorf("%s: %q became %q", name, value, after[name])
		}
	}
	fields["priority"] = "20"
	p.refuses(http.StatusConflict, "/buyers/"+id+"/edit", "Somebody else changed this", pairs(fields)...)
	p.refuses(http.StatusUnprocessableEntity, "/buyers/"+id+"/edit", "Nothing was changed", pairs(after)...)
	after["hours"] = "sometimes"
	p.refuses(http.StatusUnprocessableEntity, "/buyers/"+id+"/edit", "sometimes", pairs(after)...)
	after["hours"], after["caps.day"], after["priority"] = "", "", ""
	p.does("/buyers/"+id+"/edit", pairs(after)...)
	p.shows("/buyers/"+id, "No caps, and no limit")
}

// inputs are the fields of a form as it is shown.
func inputs(page, action string) map[string]string {
	_, page, _ = strings.Cut(page, `/console`+action+`"`)
	page, _, _ = strings.Cut(page, "</form>")
	fields := map[string]string{}
	for tag := range strings.SplitSeq(page, "<") {
		attribute := func(name string) string {
			_, rest, found := strings.Cut(tag, " "+name+`="`)
			value, _, _ := strings.Cut(rest, `"`)
			if !found {
				return ""
			}
			return html.UnescapeString(value)
		}
		switch {
		case strings.HasPrefix(tag, "input") && strings.Contains(tag, "checkbox"):
			if name := attribute("name"); strings.Contains(tag, " checked") && fields[name] != "" {
				fields[name] += ", " + attribute("value")
			} else if strings.Contains(tag, " checked") {
				fields[name] = attribute("value")
			}
		case strings.HasPrefix(tag, "input"):
			fields[attribute("name")] = attribute("value")
		case strings.HasPrefix(tag, "textarea"):
			_, text, _ := strings.Cut(tag, ">")
			fields[attribute("name")] = html.UnescapeString(text)
		}
	}
	return fields
}

func pairs(fields map[string]string) (list []string) {
	for name, value := range fields {
		list = append(list, name, value)
	}
	return list
}

// await polls until a page says something.
func (p *person) await(path, text string) {
	p.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !strings.Contains(plain(p.get(path).Body), text); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%s never said %q:\n%s", path, text, plain(p.get(path).Body))
		}
	}
}

func (p *person) sellsLead(id string) (sold string) {
	p.t.Helper()
	sold = p.s.ViaForm(p.t, apptest.Request{With: map[string]any{"service_type": "hvac", "customer_phone": "305-555-0123", "zip_code": "33139"}}).LeadID
	p.await("/leads/"+sold, "Sold to Cool Air for $45.00, ")
	p.shows("/leads/"+sold, "Heating and cooling in 33139", "The request arrived via web form", "Offered to Cool Air for $45.00", "Cool Air accepted", "Cool Air has the contact", "answered 200, accept", "Sold accepted and acknowledged", "Without the person")
	p.shows("/leads/"+sold+"/evidence", "Evidence of consent", "Answer yes", "via web form", "The sender states", "yes, computed again now", "stated-", "it had no token that we issued", "Kept name, phone number", "No privacy request names this lead", "forwarded", "is not signed")
	p.shows("/leads", "Heating and cooling", "Cool Air", "$45.00")
	p.shows("/leads?status=forwarded&state=FL", "Cool Air")
	p.shows("/leads?status=error", "No lead matches")
	p.shows("/leads?status=nonsense", "nonsense")
	p.shows("/leads?id="+sold, "Cool Air")
	p.shows("/leads?zip=331*", "Cool Air")
	for find, to := range map[string]string{"": "/leads", "33139": "/leads?zip=33139", sold: "/leads/" + sold, "cool air": "/buyers/" + id} {
		if r := p.post("/find", "find", find); r.Header.Get("Location") != "/console"+to {
			p.t.Errorf("finding %q leads to %q, want %s", find, r.Header.Get("Location"), to)
		}
	}
	p.answers("/find", []string{"Find a person", "Cool Air"}, "find", "(305) 555-0123")
	p.answers("/find", []string{"Find a person", "Cool Air"}, "find", "Pat")
	p.answers("/leads/search", []string{"Cool Air"}, "phone", "(305) 555-0123")
	p.answers("/leads/search", []string{"No lead of this person"}, "phone", "305-555-0199")
	p.refuses(http.StatusUnprocessableEntity, "/leads/search", "Write a phone number", "phone", "")
	page := p.shows("/buyers/"+id, "$45.00", "Newest messages", "Cool Air has the contact Heating and cooling in 33139", "answered 200, accept", "What was sent", `"type": "lead.offered"`, `"customer_name": "(hidden)"`)
	if first, second := strings.Index(page, "Cool Air has the contact"), strings.Index(page, "Cool Air accepted"); first < 0 || second < first || strings.Contains(page, "b&gt;ref") {
		p.t.Error("the newest message is not first, or what the buyer wrote is shown")
	}
	return sold
}

func (p *person) takesItBack(id, buyerID string) {
	p.t.Helper()
	page := p.shows("/leads/"+id, "Enter a return")
	offer := find(p.t, page, `name="offer_id" value="(offer_[a-z0-9]+)"`)
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+id+"/return", "This is needed", "offer_id", offer, "code", "other", "confirm", "true")
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+id+"/return", "Check the box", "offer_id", offer, "code", "other", "reason", "nobody answers")
	p.does("/leads/"+id+"/return", "offer_id", offer, "code", "other", "reason", "nobody answers", "confirm", "true")
	p.shows("", "1 to decide")
	p.shows("/returns", "Wait for a decision 1", "Their price $45.00", "nobody answers", "Cool Air", "waiting", "Give Cool Air $45.00 back for "+id[:19])
	p.refuses(http.StatusUnprocessableEntity, "/returns/"+offer+"/deny", "This is needed", "note", "", "confirm", "true")
	p.does("/returns/"+offer+"/approve", "note", "agreed", "confirm", "true")
	p.shows("/returns", "No return waits")
	p.shows("/returns?state=approved", "approved")
	p.shows("/leads/"+id, "returned", "approved")
	p.await("/leads/"+id, "Cool Air was told what became of the return")
}

func (p *person) entersMoney(id string) {
	p.t.Helper()
	p.refuses(http.StatusUnprocessableEntity, "/buyers/"+id+"/top-up", "an amount in dollars", "amount_cents", "a lot")
	p.does("/buyers/"+id+"/top-up", "amount_cents", "500.00", "note", "transfer 1", "once", "form_1")
	p.does("/buyers/"+id+"/top-up", "amount_cents", "500.00", "note", "transfer 1", "once", "form_1")                                                            // a second click
	p.refuses(http.StatusConflict, "/buyers/"+id+"/top-up", "sent before with something else", "amount_cents", "700.00", "note", "transfer 2", "once", "form_1") // on a page that the browser kept
	p.shows("/buyers/"+id, "-$500.00")
	p.does("/buyers/"+id+"/correct", "amount_cents", "-12.50", "note", "a goodwill")
	p.shows("/statements", "Cool Air", "-$512.50")
	month := buyer.MonthOf(time.Now().UTC()).String()
	p.shows("/statements/"+id+"/"+month, "open", "Owed after -$", "-$500.00", "-$12.50", "$45.00", "-$45.00")
	if r := p.get("/statements/" + id + "/" + month + "/csv"); r.Status != http.StatusOK || !strings.Contains(string(r.Body), "transfer 1") || !strings.Contains(r.Header.Get("Content-Disposition"), ".csv") {
		p.t.Errorf("the file: %d %s", r.Status, r.Body)
	}
	p.refuses(http.StatusUnprocessableEntity, "/statements/close", "Check the box", "month", "2020-01")
	p.answers("/statements/close", []string{"No statement was closed"}, "month", "2020-01", "confirm", "true")
	p.answers("/statements/verify", []string{"Verified 0 closed statements"})
	p.answers("/buyers/"+id+"/rotate-secret", []string{"whsec_", "Shown only now"}, "confirm", "true")
	p.shows("/buyers/"+id, "Drop the old secret of Cool Air.")
	p.does("/buyers/"+id+"/end-rotation", "confirm", "true")
}

func (p *person) keepsSources() {
	p.t.Helper()
	p.refuses(http.StatusUnprocessableEntity, "/sources/add", "This is needed", "name", "")
	p.does("/sources/add", "name", "Partner <i>One</i>", "cost_cents", "12.50")
	page := p.shows("/sources", "Partner <i>One</i>", "$12.50")
	key := find(p.t, page, `/console/sources/(src_[a-z0-9]+)`)
	fields := inputs(p.shows("/sources/"+key), "/sources/"+key+"/edit")
	fields["cap_day"] = "5"
	p.does("/sources/"+key+"/edit", pairs(fields)...)
	p.shows("/sources/"+key, "5 a day")
	p.does("/sources/"+key+"/block", "hold", "true")
	p.shows("/sources/"+key, "blocked")
	p.does("/sources/" + key + "/unblock")
}

func (p *person) looksAtReports() {
	p.t.Helper()
	p.await("/reports", "Leads by day")
	p.await("", "Sold of demand")
	p.await("/coverage?show=revenue", "Florida: 1 lead, 100 % sold, 0 % nobody covers, $0.00") // it came back
	p.shows("", "Leads an hour", "Hours in UTC", "Offers accepted 100 %", "Time to a buyer")
	p.shows("/buyers", "Active 1", "Owed in all -$512.50", "Cool Air")
	buyerID := find(p.t, p.shows("/buyers"), `/console/buyers/(buyer_[a-z0-9]+)`)
	p.shows("/buyers/"+buyerID, "Days in UTC, when offers were made", "Delivered: Total 1.", "Charged, less credits")
	for _, name := range []string{"leads", "buyers", "sources", "campaigns", "returns", "speed"} {
		p.shows("/reports?report="+name, "Counted ", "UTC")
	}
	p.shows("/reports?from=someday", "is no day")
	p.shows("/coverage", "Nobody covers", "FL")
	p.shows("/coverage?state=FL", "ZIP codes in FL", "33139")
	p.shows("/coverage?show=revenue", "States by revenue")
	p.shows("/coverage?show=covered", "States by covered", "100 %")
	p.shows("/coverage?state=XX", "not a state")
	if r := p.get("/reports/csv?report=leads&by=service"); r.Status != http.StatusOK || !strings.Contains(string(r.Body), "hvac") || !strings.Contains(string(r.Body), ",when leads were received") {
		p.t.Errorf("the file: %d %s", r.Status, r.Body)
	}
	p.shows("/health", "Due to be sent", "0.2.0", "Cool Air", "Send many again")
	p.refuses(http.StatusUnprocessableEntity, "/health/replay", "write a time such as", "from", "someday", "dry_run", "true")
	p.answers("/health/replay", []string{"0 leads would be sent again, 0 would not"}, "from", "7d", "dry_run", "true")
}

// hearsFromALawyer puts a lead under legal holds, from its page and from the list, and removes them.
func (p *person) hearsFromALawyer(sold string) {
	p.t.Helper()
	p.shows("/privacy", "No lead is under a legal hold", "Put a lead under a legal hold")
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+sold+"/legal-hold", "this is needed")
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+sold+"/legal-hold", "Leave out phone numbers", "why", "letter of 305-555-0123")
	p.does("/leads/"+sold+"/legal-hold", "why", "matter 17")
	page := p.shows("/leads/"+sold, "Under a legal hold since", "by user:pat: matter 17", "The person cannot be erased", "Put under a legal hold", "Another legal hold", "Remove the legal hold: matter 17")
	if strings.Contains(page, "Erase the person") {
		p.t.Error("to erase is offered, though it is refused")
	}
	p.refuses(http.StatusConflict, "/leads/"+sold+"/erase", "is under a legal hold", "confirm", "true")
	hold := find(p.t, page, `/legal-holds/(legal_hold_[a-z0-9]+)/remove`)

	p.s.Send(p.t, "POST", "/privacy", form("wish", "erase", "customer_phone", "305-555-0123"), "Content-Type", apptest.FormType)
	request := find(p.t, p.shows("/privacy", "matter 17", "legal hold", "Open 1"), `/console/privacy/(wish_[a-z0-9]+)`)
	if page := p.shows("/privacy/"+request, "It stays open", "is under a legal hold since", "matter 17", "that their data is kept, and why"); strings.Contains(page, "Mark it as settled") {
		p.t.Error("to settle is offered, though it is refused")
	}
	p.refuses(http.StatusConflict, "/privacy/"+request+"/settle", "stays open", "note", "erased", "confirm", "true")

	p.refuses(http.StatusUnprocessableEntity, "/privacy/legal-holds/add", "There is no lead with this id", "lead_id", "lead_none", "why", "matter 18")
	p.does("/privacy/legal-holds/add", "lead_id", sold, "why", "matter 18")
	p.refuses(http.StatusConflict, "/privacy/legal-holds/remove", "2 legal holds", "legal_hold_id", sold, "why", "settled", "confirm", "true")
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+sold+"/legal-holds/"+hold+"/remove", "Check the box", "why", "settled")
	if to := p.does("/leads/"+sold+"/legal-holds/"+hold+"/remove", "why", "settled", "confirm", "true"); !strings.HasPrefix(to, "/console/leads/"+sold+"?done=") {
		p.t.Errorf("led to %s", to)
	}
	p.refuses(http.StatusUnprocessableEntity, "/privacy/legal-holds/remove", "no legal hold with this id", "legal_hold_id", "legal_hold_none", "why", "settled", "confirm", "true")
	p.does("/privacy/legal-holds/remove", "legal_hold_id", sold, "why", "settled, too", "confirm", "true")
	p.shows("/privacy", "No lead is under a legal hold")
	p.shows("/leads/"+sold, "Erase the person", "A legal hold was removed", "settled, too")
	p.shows("/settings/audit", "legal_hold.add", "legal_hold.remove")
	p.does("/privacy/"+request+"/settle", "note", "erased", "confirm", "true")
}

func (p *person) helpsPersons(sold string) {
	p.t.Helper()
	held := p.s.ViaJSON(p.t, apptest.Request{With: map[string]any{"service_type": "hvac", "customer_phone": "305-555-0144", "zip_code": "90210"}}).LeadID
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+held+"/close", "Check the box", "why", "spam")
	p.does("/leads/"+held+"/close", "why", "spam", "confirm", "true")
	p.refuses(http.StatusConflict, "/leads/"+held+"/release", "", "confirm", "true")
	p.shows("/leads/"+held, "Show the person", "Erase the person")
	p.does("/leads/"+held+"/erase", "confirm", "true")
	if page := p.shows("/leads/"+held, "erased", "Nothing in it tells who the person is"); strings.Contains(page, "Show the person") || strings.Contains(page, "Erase the person") {
		p.t.Error("nobody is left to be shown or erased")
	}
	p.shows("/leads/"+held+"/evidence", "The sender states", "stated-", "nothing: the person was erased", "Who the person was")
	p.does("/privacy/suppress", "phone", "305-555-0150", "reason", "asked not to be contacted")
	p.refuses(http.StatusUnprocessableEntity, "/privacy/suppress", "not a US phone number", "phone", "12")
	p.shows("/privacy/suppressions", "+13055550150", "asked not to be contacted")
	p.answers("/privacy/suppressions/find", []string{"+13055550150 is suppressed since"}, "phone", "(305) 555-0150")
	p.answers("/privacy/suppressions/find", []string{"+13055550151 is not suppressed"}, "phone", "305-555-0151")
	p.refuses(http.StatusUnprocessableEntity, "/privacy/suppressions/find", "not a US phone number", "phone", "12")
	p.refuses(http.StatusUnprocessableEntity, "/privacy/suppressions/import", "number 2 of 2 is not a US phone number", "phones", "305-555-0151\r\n305", "confirm", "true")
	p.answers("/privacy/suppressions/import", []string{"Read 3 numbers. New: 2. Held leads that were closed: 0"}, "phones", "305-555-0150\r\n305-555-0151, 305-555-0152\r\n", "confirm", "true")
	p.shows("/privacy/suppressions", "+13055550151", "+13055550152")
	p.does("/privacy/unsuppress", "phone", "305-555-0150", "confirm", "true")
	if r := p.s.Send(p.t, "POST", "/privacy", form("wish", "erase", "customer_phone", "305-555-0123"), "Content-Type", apptest.FormType); r.Status >= 400 {
		p.t.Fatalf("the privacy page: %d", r.Status)
	}
	p.shows("", "1 open")
	p.shows("/leads/"+sold+"/evidence", "privacy request: erase", "open")
	id := find(p.t, p.shows("/privacy", "Open 1 The next is due", "erase"), `/console/privacy/([a-z]+_[a-z0-9]+)`)
	if page := p.shows("/privacy/"+id, "Leads that it concerns"); strings.Contains(page, "5550123") {
		p.t.Error("the number is shown before it is asked for")
	}
	p.refuses(http.StatusUnprocessableEntity, "/privacy/"+id+"/reveal", "why you need")
	if r := p.post("/privacy/"+id+"/settle", "revealed", id); r.Status != http.StatusUnprocessableEntity || strings.Contains(string(r.Body), "5550123") {
		p.t.Errorf("%d, and the number is shown before it is asked for", r.Status)
	}
	p.answers("/privacy/"+id+"/reveal", []string{"+13055550123"}, "why", "to erase it")
	p.does("/privacy/"+id+"/settle", "note", "done", "confirm", "true")
	p.shows("/privacy", "No open privacy request")
	p.shows("/settings/audit", "user:pat", "privacy.settle", "lead.erase", "buyer.edit", "priority: 100 → 10", "127.0.0.1", "user.sign_in")
}

func (p *person) letsBuyerGo(id string) {
	p.t.Helper()
	p.refuses(http.StatusUnprocessableEntity, "/buyers/"+id+"/remove", "Check the box")
	if to := p.does("/buyers/"+id+"/remove", "confirm", "true"); !strings.HasPrefix(to, "/console/buyers?done=") {
		p.t.Errorf("led to %s", to)
	}
	p.shows("/buyers", "No buyer yet")
}

// hostile is what a person or a buyer could send.
const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>` + "\u202egnp.exe" + `{{.}}</textarea></title>`

// TestPersonsAreNotShown wants no page to show a person before somebody said why, and then to have it recorded.
func TestPersonsAreNotShown(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	p, viewer := signIn(t, s, "pat", store.RoleOperator), signIn(t, s, "vic", store.RoleViewer)
	page := p.answers("/buyers/add", []string{"whsec_"}, "name", "Echo "+strings.Repeat("x", 80), "url", newEndpoint(t, `{"decision":"reject","code":"other","note":"Canary Person, 305-555-0177"}`)+"/?key=canary-key", "services", "all")
	id := find(t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	p.does("/buyers/"+id+"/start", "held", "none")
	sent := s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": "hvac", "customer_name": "Canary Person", "customer_phone": "305-555-0177", "customer_email": "canary@example.com", "address_line": "1 Canary Street", "zip_code": "33139", "notes": "canary " + hostile}}).LeadID
	p.await("/leads/"+sent, "xx declined") // otherwise nothing that the buyer wrote is kept
	viewer.shows("/buyers/"+id, "Newest messages", "xx declined", `"lead.offered"`)
	for _, path := range []string{"", "/leads", "/leads/" + sent, "/leads/" + sent + "/evidence", "/buyers", "/buyers/" + id, "/returns", "/route?lead=" + sent, "/privacy", "/settings", "/health", "/coverage", "/reports"} {
		for name, who := range map[string]*person{"operator": p, "viewer": viewer} {
			body := strings.ToLower(string(who.get(path).Body))
			for _, canary := range []string{"canary person", "canary street", "canary@", "5550177", "555-0177"} {
				if strings.Contains(body, canary) {
					t.Errorf("%s shows %s to the %s", path, canary, name)
				}
			}
			if name == "viewer" && strings.Contains(body, "canary-key") {
				t.Errorf("%s shows the key in a buyer's address to the viewer", path)
			}
		}
	}
	p.refuses(http.StatusUnprocessableEntity, "/leads/"+sent+"/reveal", "why you need", "why", " ")
	for _, path := range []string{"/reveal", "/evidence/reveal", "/close"} { // what is sent does not decide that the person is shown
		if r := p.post("/leads/"+sent+path, "revealed", sent); r.Status != http.StatusUnprocessableEntity || strings.Contains(string(r.Body), "Canary Person") {
			t.Errorf("%s, refused: %d, and the person is shown: %t", path, r.Status, strings.Contains(string(r.Body), "Canary Person"))
		}
	}
	for _, why := range []string{"call 305-555-0177", "+1 (305) 555 0177 is wrong", "13055550177", "is it 555-0177?", "asked by canary@example.com"} {
		for _, path := range []string{"/reveal", "/evidence/reveal"} {
			p.refuses(http.StatusUnprocessableEntity, "/leads/"+sent+path, "out phone numbers and email addresses: this text", "why", why)
		}
	}
	shown := p.answers("/leads/"+sent+"/reveal", []string{"Canary Person", "1 Canary Street", "The audit trail tells of it"}, "why", "the buyer asked")
	p.answers("/leads/"+sent+"/evidence/reveal", []string{"Canary Person", "+13055550177", "With the person"}, "why", "a letter of a lawyer")
	if strings.Contains(shown, "<script>alert") || strings.Contains(shown, "<img src=x") || strings.Contains(shown, "\u202e") {
		t.Error("what a person wrote is markup, or turns the text around")
	}
	var entries []audit.Entry
	reader := s.Reader(t)
	if err := reader.View(t.Context(), func(tx *store.Tx) (err error) {
		entries, err = tx.Audit(store.AuditFilter{Subject: sent, Limit: 10})
		return err
	}); err != nil || len(entries) < 2 || entries[0].Action != audit.LeadRead || entries[0].Actor != "user:pat" || entries[0].Detail["why"] != "a letter of a lawyer" || entries[1].Detail["why"] != "the buyer asked" {
		t.Errorf("the audit trail: %v %v", entries, err)
	}
	s.WantAddresses(t, "user:")
	viewer.refuses(http.StatusForbidden, "/leads/"+sent+"/evidence/reveal", "Your role does not allow this", "why", "curious")
	viewer.refuses(http.StatusForbidden, "/leads/"+sent+"/reveal", "Your role does not allow this", "why", "curious")
	viewer.refuses(http.StatusForbidden, "/leads/search", "Your role", "phone", "305-555-0177")
}

// TestHostileNames wants names that are full of markup, or very long, to be shown as what they are.
func TestHostileNames(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOwner)
	name := `<b>Bold</b> & "quoted" 'name' {{.}}`
	page := p.answers("/buyers/add", []string{name}, "name", name, "url", newEndpoint(t, strings.Repeat(hostile, 200)), "services", "all")
	id := find(t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	tested := p.answers("/buyers/"+id+"/test", []string{"could not be used"}, "service", "hvac")
	for where, body := range map[string]string{"the buyer": page, "its test": tested, "the list": p.shows("/buyers"), "today": p.shows("")} {
		if strings.Contains(body, "<b>Bold") || strings.Contains(body, "<script>alert") || strings.Contains(body, "<img src=x") {
			t.Errorf("%s has markup", where)
		}
	}
	for _, path := range []string{"/leads?status=%3Cscript%3Ealert(1)%3C/script%3E", "/leads?zip=%22%3E%3Cimg%20src=x%3E", "/settings/audit?actor=%3Cscript%3E", "?done=%3Cscript%3Ealert(1)%3C/script%3E", "/route?lead=%3Cscript%3Ealert(1)", "/reports?from=%3Cscript%3Ealert(1)", "/coverage?state=%3Cscript%3E"} {
		if r := p.get(path); r.Status != http.StatusOK || strings.Contains(string(r.Body), "<script>alert") || strings.Contains(string(r.Body), "<img src=x") {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
	for _, path := range []string{"/leads/" + strings.Repeat("x", 5000), "/buyers/%00", "/buyers/..%2F..", "/statements/x/y", "/leads?cursor=-1", "/leads?cursor=99999999999999999999"} {
		if r := p.get(path); r.Status >= 500 {
			t.Errorf("%s: %d", path, r.Status)
		}
	}
}

// TestPeople wants an owner to let others in, and nobody else.
func TestPeople(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	p := signIn(t, s, "pat", store.RoleOwner)
	page := p.answers("/settings/add-person", []string{"sam", "not yet", "Shown only now", "http://"}, "name", "sam", "role", "viewer")
	link := find(t, page, `/console(/link/fl_[a-z0-9]+)`)
	nobody := &person{t: t, s: s}
	nobody.shows(link, "Choose a password", "for sam, who has the role viewer")
	nobody.refuses(http.StatusUnprocessableEntity, link, "12", "password", "short")
	r := nobody.post(link, "password", password)
	sam := &person{t, s, cookieOf(r, "foyer-session")}
	sam.shows("", "sam", "viewer")
	if r := nobody.get(link); r.Status != http.StatusConflict {
		t.Errorf("the link again: %d", r.Status)
	}
	sam.refuses(http.StatusForbidden, "/settings/set-role", "Your role", "name", "sam", "role", "owner")
	p.does("/settings/set-role", "name", "sam", "role", "operator", "confirm", "true")
	sam.shows("", "operator")
	p.refuses(http.StatusConflict, "/settings/remove-person", "only owner", "name", "pat", "confirm", "true")
	p.refuses(http.StatusConflict, "/settings/set-role", "only owner", "name", "pat", "role", "viewer")
	p.refuses(http.StatusConflict, "/settings/add-person", "sam", "name", "sam", "role", "viewer")
	p.shows("/settings", "Reset sam. The password and the passkeys are gone.", "Remove sam. The person cannot sign in any more.")
	p.answers("/settings/reset-person", []string{"Shown only now"}, "name", "sam", "confirm", "true")
	if r := sam.get(""); r.Status != http.StatusSeeOther {
		t.Error("a person who was reset is still signed in")
	}
	p.answers("/settings/link-person", []string{"Shown only now"}, "name", "sam")
	p.does("/settings/remove-person", "name", "sam", "confirm", "true")
	if body := p.shows("/settings"); strings.Contains(body, "<bdi>sam</bdi>") {
		t.Error("a removed person is listed")
	}
	page = p.answers("/settings/add-token", []string{"foy_", "CRM"}, "name", "CRM", "days", "30", "write", "true")
	token := find(t, page, `tok_[a-z0-9]+`)
	p.shows("/settings", "Revoke the token of CRM ("+token+").")
	p.does("/settings/revoke-token", "token", token, "confirm", "true")
	p.refuses(http.StatusUnprocessableEntity, "/settings/add-token", "730", "name", "x", "days", "9999")
	s.WantAddresses(t, "user:")
}
