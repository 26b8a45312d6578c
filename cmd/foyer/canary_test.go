package main_test

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/binary"
)

// canaries are values of every personal field that can come from nowhere else. A new field gets the text below; one that takes no text needs
// a value here, or its requests are refused and the test says so.
var canaries = func() map[string]string {
	values := map[string]string{
		"customer_name":  "Quixotl Zebranek",
		"customer_phone": "(907) 555-0186",
		"customer_email": "quixotl@zebranek.example.com",
		"address_line":   "7713 Wobblestone Crescent",
		"notes":          "the marmalade cat answers to Vizslaphone",
	}
	for i := range lead.Fields {
		if f := &lead.Fields[i]; f.Personal && values[f.Name] == "" {
			values[f.Name] = "Vizslaphone"
		}
	}
	return values
}()

// traces are the parts of the canaries that must be found only in the database.
var traces = []string{"Quixotl", "Zebranek", "555-0186", "5550186", "zebranek", "Wobblestone", "Vizslaphone", "marmalade"}

// TestPersonalDataStaysInDatabase sends canary values through every interface, in good, refused and broken requests, and
// looks for them in all answers, headers, error pages and log lines, in what the system shows about the process, in the
// operator's list, and in every file beside the database.
func TestPersonalDataStaysInDatabase(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	p := serve(t, folder, "--rate-limit", "off")
	seen := &strings.Builder{}
	send := func(path, contentType, accept, body string) {
		req, _ := http.NewRequest(http.MethodPost, p.URL+path, strings.NewReader(body))
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Accept", accept)
		req.Header.Set("User-Agent", canaries["customer_name"])
		req.Header.Set("Referer", p.URL+"/?q="+url.QueryEscape(canaries["notes"]))
		req.Header.Set("Foyer-Source", canaries["customer_phone"])
		req.Header.Set("Idempotency-Key", canaries["customer_phone"]+path+accept)
		res, err := binary.Client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		res.Header.Write(seen)
		seen.Write(text)
	}
	for _, change := range []string{"", `"zip_code":"1"`, `"service_type":"plumbing"`, `"customer_email":"Zebranek"`, `"dry_run":true`, `"bedrooms":"marmalade"`, `"customer_name":"Quixotl\u0000"`, `"Zebranek 5550186":1`} {
		document := canaryJSON(change)
		send("/v1/intake", "application/json", "application/json", document)
		send("/v1/intake", "text/"+"plain", "application/json", document)
		send("/v1/intake", "application/json", "*/*", document+document)
		send("/v1/intake?dryRun="+url.QueryEscape(canaries["notes"]), "application/json", "*/*", document)
		send("/mcp", "application/json", "application/json", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":`+document+`}}`)
		send("/mcp", "application/json", "application/json", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_cleaning","arguments":`+document+`}}`)
		send("/mcp", "application/json", "application/json", document)
	}
	send("/v1/intake", "application/x-www-form-urlencoded", "application/json", canaryForm("zip_code=1"))
	send("/v1/intake", "application/x-www-form-urlencoded", "*/*", canaryForm("zip_code=33139")+linkOfCanary())
	id := p.Submit()
	for _, path := range []string{"/v1/leads/" + id, "/v1/leads/" + url.PathEscape(canaries["customer_name"]), "/" + url.PathEscape(canaries["notes"]), "/health"} {
		_, body := p.Get(path)
		seen.Write(body)
	}
	places := map[string]string{
		"an error page": p.errorPages(), "the process": p.publicProcessInfo(), "a file beside the database, while it runs": filesBeside(t, folder),
	}
	p.Stop()
	list, _, code := run(t, "leads", "list", "--database", p.Database)
	if code != 0 || !strings.Contains(list, "handyman") {
		t.Errorf("the operator's list: exit code %d\n%s", code, list)
	}
	returnCanary(t, p.Database, id)
	storetest.CountLeads(t, storetest.Open(t, p.Database), "UTC")
	for _, args := range []string{
		"leads list --all --json", "leads list --all --csv", "leads list --phone 907-555-0186", "leads list --email quixotl@zebranek.example.com --json", "leads list --name Quixotl --received 1d",
		"leads list --phone 907-555-01867", "leads list --name Zebranek", "report leads", "report sources", "report sources --by campaign", "report coverage --by zip --state FL --csv", "report buyers --json", "report speed", "report returns", "report returns --csv", "statements show buyer_1 --csv", "audit", "db status",
	} {
		out, stderr, _ := run(t, append(strings.Fields(args), "--database", p.Database)...)
		places["foyer "+strings.Fields(args)[0]+", what it prints"] += out + stderr
	}
	if text := places["foyer report, what it prints"]; !strings.Contains(text, "letter / (not shown) / (not shown)") {
		t.Errorf("the campaign is not counted:\n%s", text)
	}
	for place, text := range map[string]string{"report": `"offered":1,"accepted":1`, "statements": ",charge,offer_1,"} {
		if !strings.Contains(places["foyer "+place+", what it prints"], text) {
			t.Errorf("foyer %s does not tell of the sale: the test proves nothing:\n%s", place, places["foyer "+place+", what it prints"])
		}
	}
	if n := strings.Count(places["foyer leads, what it prints"], "handyman"); n < 5 {
		t.Errorf("%d times the search found the lead: the test proves nothing", n)
	}
	places["the operator's list"], places["a file beside the database"] = list, filesBeside(t, folder)
	places["the log"], places["an answer"] = p.Logs(), seen.String()
	for _, trace := range traces {
		for place, text := range places {
			if strings.Contains(text, trace) {
				t.Errorf("%s holds %q", place, trace)
			}
		}
	}
	if !strings.Contains(p.Logs(), `"status":202`) || !strings.Contains(seen.String(), "invalid_request") {
		t.Error("the test saw no accepted or no refused request")
	}
}

// returnCanary records that a lead was sold for a price, that the buyer answered with the contact, and that it returned the lead and named
// the person, as did the operator who denied that.
func returnCanary(t *testing.T, database, id string) {
	t.Helper()
	l := storetest.Lead(id)
	now, contact := time.Now(), canaries["customer_name"]+" "+canaries["customer_phone"]
	if err := storetest.Open(t, database).Update(t.Context(), func(tx *store.Tx) error {
		seq, err := tx.LeadOf(id)
		o := buyer.Offer{ID: "offer_1", Lead: seq, Buyer: "buyer_1", At: now, State: buyer.OfferOpen, Price: 45_00}
		err = errors.Join(err, tx.PutBuyer(storetest.Buyer("buyer_1")), tx.AddOffer(o),
			tx.AddAttempt(buyer.Attempt{Lead: seq, Offer: o.ID, Kind: "lead.offered", At: now, Took: time.Second, Status: 200, Answer: contact, Decision: "accept"}))
		o.State, o.Ref = buyer.OfferDelivered, contact
		charge, _ := o.Charge(l, now)
		return errors.Join(err, tx.PutOffer(o, buyer.OfferOpen), tx.Ledger().Add(charge), tx.Return(o, contact, now),
			tx.Returns().Put(buyer.Return{Offer: o.ID, Buyer: o.Buyer, At: now, Code: lead.ReturnBadContact, State: buyer.ReturnDenied, DecidedAt: now, DecidedBy: "cli:ada", Note: contact}))
	}); err != nil {
		t.Fatal(err)
	}
}

// linkOfCanary is what a newsletter puts into its links.
func linkOfCanary() string {
	return "&" + url.Values{
		"source": {canaries["customer_name"]}, "gclid": {"Vizslaphone-1"}, "fbclid": {"Vizslaphone-2"}, "utm_source": {"letter"}, "utm_medium": {canaries["customer_phone"]}, "utm_campaign": {canaries["customer_email"]},
		"utm_term": {canaries["customer_name"]}, "utm_content": {canaries["notes"]},
	}.Encode()
}

func canaryJSON(change string) string {
	members := []string{`"service_type":"handyman"`, `"zip_code":"33139"`, `"consent_to_contact":true`}
	name, _, _ := strings.Cut(change, ":")
	for field, value := range canaries {
		members = append(members, `"`+field+`":"`+value+`"`)
	}
	kept := members[:0]
	for _, m := range members {
		if change == "" || !strings.HasPrefix(m, name+":") {
			kept = append(kept, m)
		}
	}
	if change != "" {
		kept = append(kept, change)
	}
	return "{" + strings.Join(kept, ",") + "}"
}

func canaryForm(zip string) string {
	form := url.Values{"service_type": {"handyman"}, "consent_to_contact": {"on"}}
	for field, value := range canaries {
		form.Set(field, value)
	}
	return zip + "&" + form.Encode()
}
