package pages_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/app/apptest"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// storedWords are the words that are stored for a service, a choice or a code, and that people read as something else. What is stored as
// other or weekly is a word as it is.
func storedWords() map[string]bool {
	words := map[string]bool{}
	add := func(word, label string) {
		if label != word && (strings.Contains(word, "_") || word == "hvac") {
			words[word] = true
		}
	}
	for _, f := range lead.Fields {
		for _, choice := range f.Choices {
			add(choice, catalog.ChoiceLabel(f.Name, choice))
		}
	}
	for _, s := range lead.Services {
		add(string(s), catalog.Label(s))
	}
	for _, c := range buyer.Codes {
		add(string(c), "")
	}
	for _, c := range lead.ReturnCodes {
		add(string(c), "")
	}
	add(string(lead.CallToConnect), "")
	return words
}

var (
	// notProse is what is shown as it was sent, and what can be typed: messages, and what helps to write terms.
	notProse = regexp.MustCompile(`(?s)<pre>.*?</pre>|<span class="help".*?</span>|<script.*?</script>`)
	token    = regexp.MustCompile(`[A-Za-z0-9_=./:]+`)
)

// TestStoredWordsAreNotShown has leads with every choice that has a label, one that is declined, returned and held, and a buyer of every service; and
// wants no page to show a stored word where people have another one for it.
func TestStoredWordsAreNotShown(t *testing.T) {
	storetest.Long(t)
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers", "--rate-limit", "off", "--phone-limit", "off")
	p := signIn(t, s, "pat", store.RoleOwner)
	page := p.answers("/buyers/add", []string{"whsec_"}, "name", "Picky", "url", newEndpoint(t, `{"decision":"reject","code":"out_of_area"}`), "services", "all", "states", "FL", "priority", "1", "price_cents", "30.00")
	picky := find(t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	p.does("/buyers/"+picky+"/start", "held", "none")
	page = p.answers("/buyers/add", []string{"whsec_"}, "name", "Cool Air", "url", newEndpoint(t, `{"decision":"accept"}`), "services", "hvac, deep_cleaning, move_in_out_cleaning", "states", "FL", "price_cents", "45.00")
	cool := find(t, page, `/console/buyers/(buyer_[a-z0-9]+)/test`)
	p.does("/buyers/"+cool+"/start", "held", "none")
	sold := s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": "hvac", "zip_code": "33139", "customer_phone": "305-555-0123", "home": map[string]any{"home_type": "single_family"}, "frequency": "one_time"}}).LeadID
	held := s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": "pest_control", "zip_code": "33139", "customer_phone": "305-555-0124", "frequency": "biweekly"}}).LeadID
	s.ViaJSON(t, apptest.Request{With: map[string]any{"service_type": "plumbing", "zip_code": "33139", "customer_phone": "305-555-0125"}})
	p.await("/leads/"+sold, "Sold to Cool Air")
	p.await("/leads/"+held, "Held: no buyer has taken it")
	offer := find(t, p.shows("/leads/"+sold), `name="offer_id" value="(offer_[a-z0-9]+)"`)
	p.does("/leads/"+sold+"/return", "offer_id", offer, "code", "bad_contact", "reason", "wrong number", "confirm", "true")
	waiting := p.shows("/returns", "bad contact")
	p.does("/returns/"+offer+"/approve", "note", "agreed", "confirm", "true")
	p.await("/reports?by=service", "Heating and cooling 1 1")
	p.await("/reports?report=buyers", "Out of area 2")
	p.await("/reports?report=returns", "Bad contact")
	p.await("/buyers/"+picky, "Out of area")
	pages := map[string]string{"the returns that wait": waiting, "the test": string(p.post("/buyers/"+picky+"/test", "service", "hvac", "zip", "33139").Body)}
	for path, text := range map[string]string{
		"": "call to connect", "/leads": "Heating and cooling", "/leads?status=call_to_connect": "Plumbing", "/leads/" + sold: "Once", "/leads/" + sold + "/evidence": "bad contact", "/leads/" + held: "Every two weeks",
		"/buyers": "Deep cleaning, Move-in or move-out cleaning", "/buyers/" + cool: "", "/buyers/" + cool + "/terms": "", "/buyers/" + picky + "/messages": "", "/sources": "", "/returns?state=all": "Bad contact",
		"/reports?by=service": "", "/reports?report=buyers": "", "/reports?report=returns": "", "/reports?report=sources": "", "/reports?report=speed": "", "/reports?report=campaigns": "", "/coverage": "", "/coverage?state=FL": "",
		"/route?service=pest_control&zip=33139": "it does not take pest control", "/route?lead=" + held: "", "/statements": "", "/statements/" + cool + "/" + buyer.MonthOf(time.Now().UTC()).String(): "",
		"/privacy": "", "/settings": "", "/settings/audit": "heating and cooling", "/settings/alerts": "", "/health": "",
	} {
		pages[path] = p.shows(path, text)
	}
	viewer := signIn(t, s, "vic", store.RoleViewer)
	pages["the terms for a viewer"] = viewer.shows("/buyers/"+cool+"/terms", "Deep cleaning", "heating and cooling")
	words := storedWords()
	if len(words) < 10 {
		t.Fatalf("only %d words: %v", len(words), words)
	}
	for where, body := range pages {
		for _, word := range token.FindAllString(plain([]byte(notProse.ReplaceAllString(body, ""))), -1) {
			if words[strings.Trim(word, ".:")] {
				t.Errorf("%s shows %s", where, word)
			}
		}
	}
	if r := p.get("/reports/csv?by=service"); r.Status != http.StatusOK || !strings.Contains(string(r.Body), "hvac") {
		t.Errorf("the file is for programs: %d %s", r.Status, r.Body)
	}
}
