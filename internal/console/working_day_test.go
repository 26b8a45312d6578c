package console_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"foyer/internal/alert"
	"foyer/internal/app/apptest"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/store/storetest"
)

// TestWorkingDay does everything that the API can do, on a running service with a real buyer. It fails if an operation is not tried,
// and each answer is held against the OpenAPI document.
func TestWorkingDay(t *testing.T) {
	for name, database := range storetest.Engines {
		t.Run(name, func(t *testing.T) {
			s := apptest.StartOn(t, database(t), "--allow-private-buyers", "--rate-limit", "off", "--phone-limit", "off")
			c := newClient(t, s, true, true)
			buyer := c.aBuyerIsAddedAndTested()
			sold := c.aLeadIsSoldAndFound(buyer)
			c.itComesBack(sold, buyer)
			c.moneyIsEnteredAndClosed(buyer)
			c.sourcesAreManaged()
			c.leadsAreCounted()
			c.personsHaveRights()
			c.aLawyerWrites()
			c.alertsAreHeard()
			c.leadsInTroubleAreHelped()
			c.theBuyerLeaves(buyer)
			s.WantAddresses(t, "token:")
			for _, id := range operationIDs(t) {
				if !s.Answered(id, http.StatusOK) && !s.Answered(id, http.StatusCreated) {
					t.Errorf("%s was not tried", id)
				}
			}
		})
	}
}

// operationIDs lists the operations of the document.
func operationIDs(t *testing.T) (ids []string) {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct{ OperationID string }
	}
	if err := json.Unmarshal(console.OpenAPI(catalog.Brand{Name: "Foyer", BaseURL: "https://foyer.example.com"}), &doc); err != nil {
		t.Fatal(err)
	}
	for _, methods := range doc.Paths {
		for _, o := range methods {
			ids = append(ids, o.OperationID)
		}
	}
	if len(ids) < 40 {
		t.Fatalf("only %d operations", len(ids))
	}
	return ids
}

func (c *client) aBuyerIsAddedAndTested() (id string) {
	c.t.Helper()
	b := c.want(http.StatusCreated, "POST", "/buyers", `{"name":"Cool Air","url":`+quote(newEndpoint(c.t))+`,"services":["hvac","handyman"],
		"price_cents":{"hvac":4500,"handyman":2000},"caps":{"day":100,"money_day_cents":1000000},"credit_limit_cents":0,"states":["FL","GA"],"approve_returns":["duplicate"]}`)
	id = b.text("id")
	if b.text("state") != "testing" || !strings.HasPrefix(b.text("secret"), "whsec_") {
		c.t.Errorf("the new buyer: %v", b)
	}
	tested := c.post("/buyers/"+id+"/test", `{"service":"hvac","zip":"33139","deliver":true}`)
	if tested["usable"] != true || tested["delivery"] == nil {
		c.t.Errorf("the test: %v", tested)
	}
	if held := c.get("/buyers/" + id + "/held?held=7"); held["covered"] != 0.0 {
		c.t.Errorf("held for it: %v", held)
	}
	if b := c.post("/buyers/"+id+"/start", `{"held":"all"}`); b.text("state") != "active" {
		c.t.Errorf("it was started: %v", b)
	}
	if paid := c.post("/buyers/"+id+"/top-up", `{"amount_cents":50000,"note":"transfer 1"}`); paid["owed_cents"] != -50000.0 {
		c.t.Errorf("it paid: %v", paid)
	}
	if b := c.post("/buyers/Cool%20Air", `{"priority":10,"hours":"always","payout":null,"credit_limit_cents":null,"approve_returns":[]}`); b["priority"] != 10.0 || b["credit_limit_cents"] != nil {
		c.t.Errorf("its terms: %v", b)
	}
	if b := c.post("/buyers/"+id, `{"priority":null,"return_days":null,"max_in_flight":null,"caps":{"hour":null}}`); b["priority"] != 100.0 || b["return_days"] != 7.0 || b["max_in_flight"] != 8.0 {
		c.t.Errorf("terms taken back: %v", b)
	}
	if e := c.post("/effect-of-terms", `{"buyer":"Cool Air","zips":["33139"],"priority":1}`); e["covers_zips"] != 1.0 || e["leads_here"] != 0.0 {
		c.t.Errorf("the effect of other terms: %v", e)
	}
	if wrong := c.want(http.StatusUnprocessableEntity, "POST", "/effect-of-terms", `{"buyer":"Cool Air","zips":["3313"]}`); !strings.Contains(fmt.Sprint(wrong), "zips") {
		c.t.Errorf("the effect of terms that cannot be: %v", wrong)
	}
	if b := c.post("/buyers/"+id+"/zips", `{"zips":["33139","33140"],"exclude":true}`); len(b["exclude_zips"].([]any)) != 2 {
		c.t.Errorf("its area: %v", b)
	}
	c.post("/buyers/"+id+"/zips", `{"zips":"90210","replace":true,"exclude":true}`)
	if b := c.post("/buyers/"+id+"/pause", `{"why":"a test"}`); b.text("why") != "a test" {
		c.t.Errorf("paused: %v", b)
	}
	c.post("/buyers/"+id+"/resume", "")
	if b := c.post("/buyers/"+id+"/rotate-secret", "{}"); b["secrets"] != 2.0 || !strings.HasPrefix(b.text("secret"), "whsec_") {
		c.t.Errorf("its secret: %v", b)
	}
	if b := c.post("/buyers/"+id+"/end-rotation", ""); b["secrets"] != 1.0 || b["secret"] != nil {
		c.t.Errorf("the rotation was ended: %v", b)
	}
	if list := c.get("/buyers").list("data"); len(list) != 1 || list[0].text("id") != id {
		c.t.Errorf("the buyers: %v", list)
	}
	if b := c.get("/buyers/cool%20air"); b.text("id") != id || b["secret"] != nil {
		c.t.Errorf("by its name: %v", b)
	}
	if token := c.get("/token"); token.text("scope") != "write" || token["personal_data"] != true {
		c.t.Errorf("the token: %v", token)
	}
	route := c.get("/route?service=hvac&zip=33139")
	if stops := route.list("buyers"); len(stops) != 1 || stops[0]["place"] != 1.0 {
		c.t.Errorf("the route: %v", route)
	}
	return id
}

// aLead sends a request as a program does.
func (c *client) aLead(phone, zip string) string {
	c.t.Helper()
	return c.s.ViaJSON(c.t, apptest.Request{With: map[string]any{"service_type": "hvac", "customer_phone": phone, "zip_code": zip, "notes": "The dog is friendly."}}).LeadID
}

func (c *client) aLeadIsSoldAndFound(buyer string) (id string) {
	c.t.Helper()
	id = c.aLead("305-555-0123", "33139")
	l := c.awaitStatus(id, "forwarded")
	if l.text("customer_phone") != "+13055550123" || l.list("offers")[0]["price_cents"] != 4500.0 || len(l.list("attempts")) != 2 {
		c.t.Errorf("the lead: %v", l)
	}
	c.get("/leads/" + id + "/route")
	for _, query := range []string{"?status=forwarded", "?buyer=Cool%20Air&service=hvac&received=today", "?id=" + id, "?zip=331*&state=FL&limit=1", "?contact=true"} {
		found := c.get("/leads" + query).list("data")
		if len(found) != 1 || found[0].text("lead_id") != id || (found[0]["customer_name"] != nil) != (query == "?contact=true") {
			c.t.Errorf("%s: %v", query, found)
		}
	}
	for _, body := range []string{`{"phone":"(305) 555-0123"}`, `{"phone":["305-555-0123"],"contact":true}`, `{"name":"pat exa","received":"7d"}`} {
		if found := c.post("/leads/search", body).list("data"); len(found) != 1 || found[0].text("lead_id") != id {
			c.t.Errorf("%s: %v", body, found)
		}
	}
	return id
}

func (c *client) itComesBack(sold, buyer string) {
	c.t.Helper()
	offer := c.get("/leads/" + sold).list("offers")[0].text("offer_id")
	c.want(http.StatusCreated, "POST", "/returns", `{"offer_id":"`+offer+`","code":"bad_contact","reason":"Pat never called"}`)
	if list := c.get("/returns?buyer=" + buyer).list("data"); len(list) != 1 || list[0].text("reason") != "Pat never called" {
		c.t.Errorf("the returns: %v", list)
	}
	if r := c.post("/returns/"+offer+"/deny", `{"note":"the number is right"}`); r.text("state") != "denied" {
		c.t.Errorf("denied: %v", r)
	}
	if r := c.post("/returns/"+offer+"/approve", `{}`); r.text("state") != "approved" {
		c.t.Errorf("approved: %v", r)
	}
	if e := c.want(http.StatusConflict, "POST", "/returns/"+offer+"/deny", `{"note":"no"}`); e.text("error") != "conflict" || !strings.Contains(e.text("message"), "was approved") {
		c.t.Errorf("denied after that: %v", e)
	}
	if list := c.get("/returns?state=all").list("data"); len(list) != 1 || list[0].text("state") != "approved" {
		c.t.Errorf("all returns: %v", list)
	}
}

func (c *client) moneyIsEnteredAndClosed(buyer string) {
	c.t.Helper()
	if in := c.post("/buyers/"+buyer+"/correct", `{"amount_cents":-250,"note":"goodwill"}`); in["owed_cents"] != -50250.0 {
		c.t.Errorf("corrected: %v", in)
	}
	if list := c.get("/accounts").list("data"); len(list) != 1 || list[0]["owed_cents"] != -50250.0 {
		c.t.Errorf("the accounts: %v", list)
	}
	now := c.get("/route?service=hvac&zip=33139").text("at")[:7] // the month of the service's clock
	s := c.get("/buyers/" + buyer + "/statements/" + now)
	if s["closed"] != false || s["charges_cents"] != 4500.0 || s["returns_cents"] != -4500.0 || s["closing_cents"] != -50250.0 {
		c.t.Errorf("the statement: %v", s)
	}
	lines := c.send("GET", "/buyers/"+buyer+"/statements/"+now+"/lines", "")
	if lines.Status != 200 || lines.Header.Get("Content-Type") != "text/csv; charset=utf-8" || strings.Count(string(lines.Body), "\n") != 7 {
		c.t.Errorf("its lines: %d %v\n%s", lines.Status, lines.Header, lines.Body)
	}
	if e := c.want(http.StatusConflict, "POST", "/statements/close", `{"month":"`+now+`"}`); !strings.Contains(e.text("message"), "is not over") {
		c.t.Errorf("closed too early: %v", e)
	}
	if closed := c.post("/statements/close", `{"month":"2020-01"}`); len(closed.list("closed")) != 0 {
		c.t.Errorf("closed: %v", closed)
	}
	c.get("/statements?buyer=" + buyer)
	if v := c.get("/statements/verify"); v["verified"] != 0.0 {
		c.t.Errorf("verified: %v", v)
	}
}

func (c *client) sourcesAreManaged() {
	c.t.Helper()
	s := c.want(http.StatusCreated, "POST", "/sources", `{"name":"Letter","cost_cents":1250,"cap_day":5,"origins":["https://partner.example.com"]}`)
	key := s.text("source")
	if s["cost_cents"] != 1250.0 || len(s["origins"].([]any)) != 1 {
		c.t.Errorf("the source: %v", s)
	}
	if s := c.post("/sources/letter", `{"name":"Mail","cost_cents":null,"origins":[],"consent_text":null}`); s.text("name") != "Mail" || s["cost_cents"] != 0.0 || len(s["origins"].([]any)) != 0 {
		c.t.Errorf("edited: %v", s)
	}
	if s := c.post("/sources/"+key+"/block", `{"hold":true}`); s.text("state") != "blocked" || s["hold"] != true {
		c.t.Errorf("blocked: %v", s)
	}
	c.post("/sources/"+key+"/unblock", "")
	if s := c.get("/sources/" + key); s.text("state") != "active" {
		c.t.Errorf("unblocked: %v", s)
	}
	if list := c.get("/sources").list("data"); len(list) != 1 {
		c.t.Errorf("the sources: %v", list)
	}
}

func (c *client) leadsAreCounted() {
	c.t.Helper()
	storetest.CountLeads(c.t, c.s.OpenStore(c.t), "UTC") // the service would, some seconds later
	if r := c.get("/reports/leads?by=service"); r.list("data")[0].text("key") != "hvac" {
		c.t.Errorf("leads: %v", r)
	}
	for _, name := range []string{"coverage", "sources", "campaigns", "buyers", "returns", "speed"} {
		if r := c.get("/reports/" + name); r.text("time_zone") != "UTC" || r["data"] == nil {
			c.t.Errorf("%s: %v", name, r)
		}
	}
	if r := c.get("/reports/coverage?by=zip&state=FL&service=hvac"); len(r.list("data")) != 1 {
		c.t.Errorf("ZIP codes: %v", r)
	}
	if r := c.get("/reports/buyers").list("data"); len(r) != 1 || r[0]["delivered"] != 1.0 || r[0]["returned"] != 1.0 || r[0]["revenue_cents"] != 0.0 {
		c.t.Errorf("the buyer is counted: %v", r)
	}
	if r := c.post("/reports/rebuild", `{"time_zone":"America/Denver"}`); r.text("time_zone") != "America/Denver" {
		c.t.Errorf("counted again: %v", r)
	}
}

// aLawyerWrites puts a lead under a legal hold, which refuses to erase it and to settle a request for that.
func (c *client) aLawyerWrites() {
	c.t.Helper()
	lead := c.aLead("404-555-0109", "99501")
	h := c.want(http.StatusCreated, "POST", "/legal-holds", `{"lead_id":"`+lead+`","why":"matter 17"}`)
	id := h.text("legal_hold_id")
	if h["in_force"] != true || h.text("lead_id") != lead || h.text("why") != "matter 17" || h["person_erased"] != false || len(h["other_legal_holds"].([]any)) != 0 {
		c.t.Errorf("the hold: %v", h)
	}
	if e := c.want(http.StatusConflict, "POST", "/legal-holds", `{"lead_id":"`+lead+`","why":"matter 17"}`); !strings.Contains(e.text("message"), "for this already") {
		c.t.Errorf("added twice: %v", e)
	}
	if e := c.want(http.StatusUnprocessableEntity, "POST", "/legal-holds", `{"lead_id":"`+lead+`","why":"of 404-555-0109"}`); strings.Contains(fmt.Sprint(e), "0109") || !strings.Contains(e.text("message"), "leave out phone numbers") {
		c.t.Errorf("a number in the reason: %v", e)
	}
	if e := c.want(http.StatusConflict, "POST", "/leads/"+lead+"/erase", ""); !strings.Contains(e.text("message"), id) {
		c.t.Errorf("erased: %v", e)
	}
	c.s.Send(c.t, "POST", "/privacy", "wish=erase&customer_phone=404-555-0109&lead_id="+lead, "Content-Type", apptest.FormType)
	requests := c.get("/privacy-requests").list("data")
	if len(requests) != 1 || fmt.Sprint(requests[0]["kept_open_by"]) != "["+id+"]" {
		c.t.Fatalf("the privacy requests: %v", requests)
	}
	request := requests[0].text("privacy_request_id")
	if r := c.get("/privacy-requests/" + request); fmt.Sprint(r["kept_open_by"]) != "["+id+"]" || r.list("leads")[0]["under_legal_hold"] != true || r.list("leads")[0].text("status") != "rejected" {
		c.t.Errorf("the privacy request: %v", r)
	}
	if e := c.want(http.StatusConflict, "POST", "/privacy-requests/"+request+"/settle", `{"note":"erased"}`); !strings.Contains(e.text("message"), "stays open") {
		c.t.Errorf("settled: %v", e)
	}
	if holds := c.get("/leads/" + lead).list("legal_holds"); len(holds) != 1 || holds[0].text("legal_hold_id") != id {
		c.t.Errorf("the holds of the lead: %v", holds)
	}
	h = c.post("/legal-holds/"+id+"/remove", `{"why":"settled"}`)
	if h["in_force"] != false || h.text("removed_why") != "settled" || fmt.Sprint(h["privacy_request_ids"]) != "["+request+"]" {
		c.t.Errorf("removed: %v", h)
	}
	if list := c.get("/legal-holds").list("data"); len(list) != 0 {
		c.t.Errorf("in force: %v", list)
	}
	if list := c.get("/legal-holds?state=all").list("data"); len(list) != 1 || list[0].text("removed_by") == "" {
		c.t.Errorf("all holds: %v", list)
	}
	c.post("/leads/"+lead+"/erase", "")
	c.post("/privacy-requests/"+request+"/settle", `{"note":"erased"}`)
}

func (c *client) personsHaveRights() {
	c.t.Helper()
	held := c.aLead("404-555-0101", "99501") // nobody covers Alaska
	if done := c.post("/suppressions", `{"phone":"404-555-0101"}`); done["held_closed"] != 1.0 {
		c.t.Errorf("suppressed: %v", done)
	}
	if l := c.get("/leads/" + held); l.text("status") != "rejected" {
		c.t.Errorf("the held lead: %v", l)
	}
	if done := c.post("/suppressions/import", `{"phones":["404-555-0102","404-555-0103"],"reason":"asked by mail"}`); done["added"] != 2.0 {
		c.t.Errorf("imported: %v", done)
	}
	first := c.get("/suppressions?limit=2")
	second := c.get("/suppressions?limit=2&cursor=" + first.text("next_cursor"))
	if len(first.list("data")) != 2 || len(second.list("data")) != 1 || second["next_cursor"] != nil {
		c.t.Errorf("the suppressed numbers: %v, then %v", first, second)
	}
	c.post("/suppressions/remove", `{"phone":"+14045550101"}`)

	lead := c.aLead("404-555-0104", "99501")
	c.s.Send(c.t, "POST", "/privacy", "wish=erase&customer_phone=404-555-0104&lead_id="+lead, "Content-Type", apptest.FormType)
	list := c.get("/privacy-requests").list("data")
	if len(list) != 1 {
		c.t.Fatalf("the privacy requests: %v", list)
	}
	id := list[0].text("privacy_request_id")
	if r := c.get("/privacy-requests/" + id); r.text("phone") != "+14045550104" || r["phone_and_lead_belong_together"] != true || len(r.list("leads")) != 1 {
		c.t.Errorf("the privacy request: %v", r)
	}
	c.post("/leads/"+lead+"/erase", "")
	if l := c.get("/leads/" + lead); l["customer_phone"] != nil {
		c.t.Errorf("the erased lead: %v", l)
	}
	c.post("/privacy-requests/"+id+"/settle", `{"note":"erased"}`)
	if list := c.get("/privacy-requests?state=all").list("data"); len(list) != 1 || list[0].text("state") == "open" {
		c.t.Errorf("settled: %v", list)
	}
}

func (c *client) alertsAreHeard() {
	c.t.Helper()
	if list := c.get("/alerts/rules").list("data"); len(list) != len(alert.Rules) || list[0].text("rule") != "buyer_down" || list[0]["on"] != true {
		c.t.Errorf("the rules: %v", list)
	}
	if r := c.post("/alerts/rules/buyer_down", `{"on":false,"threshold":10,"cooldown_minutes":120}`); r["on"] != false || r["threshold"] != 10.0 || r["cooldown_minutes"] != 120.0 || r["changed"] != true {
		c.t.Errorf("changed: %v", r)
	}
	if e := c.want(http.StatusUnprocessableEntity, "POST", "/alerts/rules/buyer_down", `{"threshold":-1,"cooldown_minutes":1}`); !strings.Contains(e.text("message"), "cooldown_minutes: 1 is not possible") {
		c.t.Errorf("nonsense: %v", e)
	}
	received := make(chan string, 1)
	endpoint := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		received <- r.Header.Get("Webhook-Signature") + string(body)
	}))
	defer endpoint.Close()
	w := c.want(http.StatusCreated, "POST", "/alerts/ways", `{"kind":"event","address":`+quote(endpoint.URL+"/s3cret")+`}`)
	if !strings.HasPrefix(w.text("secret"), "whsec_") || strings.Contains(w.text("address"), "s3cret") {
		c.t.Errorf("the way: %v", w)
	}
	if list := c.get("/alerts/ways").list("data"); len(list) != 1 || list[0]["secret"] != nil {
		c.t.Errorf("the ways: %v", list)
	}
	if done := c.post("/alerts/ways/"+w.text("way_id")+"/test", ""); done["sent"] != true {
		c.t.Errorf("the test: %v", done)
	}
	if got := <-received; !strings.Contains(got, "alert.test") || !strings.HasPrefix(got, "v1,") {
		c.t.Errorf("received: %s", got)
	}
	mailed := c.want(http.StatusCreated, "POST", "/alerts/ways", `{"kind":"mail","address":"ops@example.com"}`)
	if done := c.post("/alerts/ways/"+mailed.text("way_id")+"/test", ""); done["sent"] != false || !strings.Contains(done.text("failure"), "no mail server") {
		c.t.Errorf("without a mail server: %v", done)
	}
	for _, way := range []answer{w, mailed} {
		c.post("/alerts/ways/"+way.text("way_id")+"/remove", "")
	}
	c.get("/alerts")
	c.get("/alerts/messages")
}

func (c *client) leadsInTroubleAreHelped() {
	c.t.Helper()
	held := c.aLead("404-555-0105", "99501")
	if e := c.want(http.StatusConflict, "POST", "/leads/"+held+"/release", ""); !strings.Contains(e.text("message"), "nobody covers") {
		c.t.Errorf("released: %v", e)
	}
	if done := c.post("/leads/"+held+"/close", `{"why":"sold elsewhere"}`); done["closed"] != true {
		c.t.Errorf("closed: %v", done)
	}
	if e := c.want(http.StatusConflict, "POST", "/leads/"+held+"/close", `{"why":"sold elsewhere"}`); !strings.Contains(e.text("message"), "already rejected") {
		c.t.Errorf("closed twice: %v", e)
	}
	deliveries := make(chan int, 10) // the statuses that the buyer answers deliveries with; then it takes them
	deliveries <- http.StatusBadRequest
	c.want(http.StatusCreated, "POST", "/buyers", `{"name":"Full","url":`+quote(newDeliveryEndpoint(c.t, deliveries))+`,"services":"hvac","states":"AK","live":true}`)
	failed := c.aLead("404-555-0106", "99501")
	c.awaitStatus(failed, "error")
	if done := c.post("/leads/replay", `{"from":"2026-01-01T00:00:00Z","dry_run":true}`).list("data"); len(done) != 1 || done[0].text("lead_id") != failed {
		c.t.Errorf("to be sent again: %v", done)
	}
	deliveries <- http.StatusBadRequest
	if done := c.post("/leads/"+failed+"/replay", ""); done["replayed"] != true {
		c.t.Errorf("sent again: %v", done)
	}
	c.await("the buyer refused it again", func() bool { return len(c.get("/leads/"+failed).list("attempts")) == 3 })
	c.awaitStatus(failed, "error")
	if done := c.post("/leads/"+failed+"/release", ""); done.text("lead_id") != failed {
		c.t.Errorf("released: %v", done)
	}
	c.post("/buyers/full/remove", `{"force":true}`)
}

func (c *client) theBuyerLeaves(buyer string) {
	c.t.Helper()
	if gone := c.post("/buyers/"+buyer+"/remove", "{}"); gone["removed"] != true {
		c.t.Errorf("removed: %v", gone)
	}
	if e := c.want(http.StatusNotFound, "GET", "/buyers/"+buyer, ""); e.text("error") != "not_found" {
		c.t.Errorf("it is gone: %v", e)
	}
	c.get("/accounts")
}
