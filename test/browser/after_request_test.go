package browser

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"foyer/internal/lead"
	"foyer/test/crawl"
)

// request submits a request without the form, and returns its lead_id.
func (s *service) request() string {
	s.t.Helper()
	res, err := http.PostForm(s.origin+intake, url.Values{
		"service_type": {string(lead.HVAC)}, "zip_code": {aZIP}, "customer_name": {aName}, "customer_phone": {aPhone}, "consent_to_contact": {"yes"},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	res.Body.Close()
	return s.Leads()[0].ID
}

// TestStatusIsOneStepAway goes from the thank-you page to the status of the request, which reveals nothing about the
// person.
func TestStatusIsOneStepAway(t *testing.T) {
	crawl.Await(t, crawl.StatusPage)
	s := serve(t)
	b := s.open(t, phone)
	b.visit("/", 200)
	b.fillIn(aPhone)
	b.send()
	b.wantThanks()
	id := s.Leads()[0].ID
	address := ask[string](b, `document.querySelector('a[href*="/status/"]')?.href || ''`)
	if !strings.HasSuffix(address, "/status/"+id) {
		t.Fatalf("the thanks lead to %q, want the status of %s", address, id)
	}
	b.tabTo("the status", func(n node) bool { return n.Role.String() == "link" && strings.Contains(n.property("url"), "/status/") })
	b.press(kb.Enter)
	b.until("the status", func() bool { return b.at("/status/" + id) })
	page := ask[string](b, `document.documentElement.outerHTML`)
	for _, private := range []string{aName, aPhone, "5550123", aNote} {
		if strings.Contains(page, private) {
			t.Errorf("the status tells %q", private)
		}
	}
}

// TestErasureCanBeAsked requests erasure, by keyboard and without scripts.
func TestErasureCanBeAsked(t *testing.T) {
	crawl.Await(t, crawl.ErasureForm)
	s := serve(t)
	id := s.request()
	b := s.open(t, phone, scripts["without scripts"])
	b.visit("/privacy", 200)
	before := ask[string](b, `document.body.innerText`)
	named := func(word string) func(node) bool {
		return func(n node) bool {
			return n.Role.String() == "textbox" && strings.Contains(strings.ToLower(n.Name.String()), word)
		}
	}
	b.tabTo("the phone number", named("phone"))
	b.press(aPhone)
	b.tabTo("the reference", named("reference"))
	b.press(id)
	b.press(kb.Enter)
	b.until("an answer", func() bool {
		text, err := try[string](b, `document.readyState === 'complete' ? document.body.innerText : ''`)
		return err == nil && text != "" && text != before
	})
	wishes := s.privacyRequests()
	if len(wishes) != 1 || wishes[0].Phone != "+13055550123" || wishes[0].LeadID != id {
		t.Errorf("kept for the operator is %+v; the page says:\n%s", wishes, ask[string](b, `document.body.innerText`))
	}
	if strings.Contains(ask[string](b, `location.href`), "555") {
		t.Error("the address tells the phone number")
	}
}
