package app_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/app/apptest"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// postPrivacyRequest posts the form of the privacy page as a browser does.
func postPrivacyRequest(t *testing.T, s *apptest.Service, values url.Values) apptest.Reply {
	t.Helper()
	return s.Send(t, "POST", "/privacy", values.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Accept", "text/html",
		"Origin", s.URL, "Sec-Fetch-Site", "same-origin", "Referer", s.URL+"/privacy?x=y")
}

// TestPrivacyRequest follows a person: a lead, the form of the privacy page, its response, the status of the lead.
func TestPrivacyRequest(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(s.Send(t, "POST", "/v1/intake", apptest.Request{}.JSON()).Body, &receipt); err != nil {
		t.Fatal(err)
	}
	id := receipt.LeadID
	form := string(s.Send(t, "GET", "/privacy", "", "Accept", "text/html").Body)
	for _, want := range []string{`method="post"`, `name="wish" value="withdraw" checked`, `name="customer_phone"`, `name="lead_id"`} {
		if !strings.Contains(form, want) {
			t.Errorf("the form has no %s", want)
		}
	}
	r := postPrivacyRequest(t, s, url.Values{"wish": {"withdraw"}, "customer_phone": {"305-555-0123"}, "lead_id": {id}})
	page := string(r.Body)
	if r.Status != 200 || r.Header.Get("Cache-Control") != "no-store" || r.Header.Get("Location") != "" {
		t.Errorf("got %d %v", r.Status, r.Header)
	}
	if !strings.Contains(page, "We got it") || !strings.Contains(page, id) || strings.Contains(page, "555-0123") || !strings.Contains(page, `content="noindex"`) {
		t.Errorf("the answer: %s", page)
	}
	stored, err := s.Reader(t).PrivacyRequests(t.Context(), true)
	if err != nil || len(stored) != 1 || stored[0].Phone != "+13055550123" || stored[0].LeadID != id || stored[0].Kind != lead.Withdraw {
		t.Errorf("stored are %+v (%v)", stored, err)
	}
	if e := stored[0].Evidence; e.Client != "127.0.0.1" || e.UserAgent == "" || e.RequestID == "" || e.Origin != s.URL || e.Page != s.URL+"/privacy" || e.FetchSite != "same-origin" {
		t.Errorf("its evidence is %+v", e)
	}
	if l := apptest.NewestLead(t, s.Reader(t)); l.Status != lead.Rejected {
		t.Errorf("the request is %s", l.Status)
	}
	if status := string(s.Send(t, "GET", "/v1/leads/"+id, "").Body); !strings.Contains(status, `"rejected"`) || !strings.Contains(status, "privacy request") {
		t.Errorf("a lookup returns %s", status)
	}
	history, err := s.Reader(t).History(t.Context(), id)
	if err != nil || len(history) != 1 || history[0].Reason != "consent withdrawn" || history[0].Actor != lead.ByService {
		t.Errorf("its history is %+v (%v)", history, err)
	}
}

// TestPrivacyRequestDoesNotRevealPhone guesses the phone number of a lead whose reference is known. Every response about the lead
// is the same to the byte, whether the guess was right or wrong.
func TestPrivacyRequestDoesNotRevealPhone(t *testing.T) {
	storetest.Parallel(t)
	responses := func(phone string) (seen []string) {
		s := apptest.Start(t)
		s.Send(t, "POST", "/v1/intake", apptest.Request{}.JSON())
		l := apptest.NewestLead(t, s.Reader(t))
		id := l.ID
		time.Sleep(time.Until(l.CreatedAt.Truncate(time.Second).Add(time.Second))) // the status page shows a change from the next second on
		record := func(r apptest.Reply) {
			seen = append(seen, fmt.Sprint(r.Status, " ", volatile.ReplaceAllString(strings.ReplaceAll(string(r.Body), id, "LEAD"), "X")))
		}
		record(postPrivacyRequest(t, s, url.Values{"wish": {"withdraw"}, "customer_phone": {phone}, "lead_id": {id}}))
		record(s.Send(t, "GET", "/v1/leads/"+id, ""))
		record(s.Send(t, "GET", "/status/"+id, "", "Accept", "text/html"))
		record(s.Send(t, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_lead_status","arguments":{"lead_id":"`+id+`"}}}`))
		for _, other := range []string{"305-555-0101", "305-555-0102", "305-555-0103", phone} {
			record(postPrivacyRequest(t, s, url.Values{"wish": {"withdraw"}, "customer_phone": {other}, "lead_id": {id}}))
		}
		return seen
	}
	right := responses("305-555-0123")
	wrong := responses("305-555-0124")
	for i := range right {
		if diff := cmp.Diff(right[i], wrong[i]); diff != "" {
			t.Errorf("response %d tells them apart (-right +wrong):\n%s", i, diff)
		}
	}
	for i, status := range []string{"200", "200", "200", "200", "200", "200", "429", "429"} {
		if !strings.HasPrefix(right[i], status) {
			t.Errorf("response %d is not %s: %s", i, status, right[i])
		}
	}
	if last := right[len(right)-1]; !strings.Contains(last, "hello@example.com") || !strings.Contains(last, "3 privacy requests") {
		t.Errorf("the refusal: %s", last)
	}
}

// volatile matches what differs from run to run: ports, times, ids, and the numbers that were typed.
var volatile = regexp.MustCompile(`(localhost|127\.0\.0\.1):\d+|305-555-012\d|ends in \d\d|\d{4}-\d\d-\d\dT[0-9:.]+Z|[A-Z][a-z]+ \d+, \d{4}, \d+:\d\d [AP]M UTC|req_[a-z0-9]+`)

// TestInvalidPrivacyRequest expects the form with what was typed and each problem beside its field, or JSON for a program.
func TestInvalidPrivacyRequest(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	r := postPrivacyRequest(t, s, url.Values{"wish": {"erase"}, "customer_phone": {"12"}, "lead_id": {"lead_<b>"}})
	page := string(r.Body)
	for _, want := range []string{
		`id="customer_phone-problem"`, `id="lead_id-problem"`, `value="12"`, `value="lead_&lt;b&gt;"`, `value="erase" checked`, `aria-invalid="true"`,
		`href="#customer_phone"`, `role="alert"`, `aria-describedby="customer_phone-problem customer_phone-help"`, "Problem: ",
	} {
		if r.Status != 422 || !strings.Contains(page, want) {
			t.Errorf("%d: no %s", r.Status, want)
		}
	}
	for _, c := range []struct {
		contentType, body string
		status            int
		says              string
	}{
		{"application/x-www-form-urlencoded", "", 422, `"fields":{"wish":`},
		{"application/json", "{}", 415, "application/x-www-form-urlencoded"},
		{"application/x-www-form-urlencoded", strings.Repeat("x", 65<<10), 413, "too large"},
	} {
		if r := s.Send(t, "POST", "/privacy", c.body, "Content-Type", c.contentType); r.Status != c.status || !strings.Contains(string(r.Body), c.says) {
			t.Errorf("%.20q: %d %s", c.body, r.Status, r.Body)
		}
	}
	if stored, err := s.Reader(t).PrivacyRequests(t.Context(), true); err != nil || len(stored) != 0 {
		t.Errorf("stored are %+v (%v)", stored, err)
	}
}

// TestConsentStaysReadable changes the consent text. A person who agreed to the old text still finds it under its hash.
func TestConsentStaysReadable(t *testing.T) {
	storetest.Parallel(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "consent.txt"), []byte("I agree that this operator may call or text me about this request."), 0o600); err != nil {
		t.Fatal(err)
	}
	s := apptest.Start(t, "--overrides", dir)
	current := consentLink(t, s)
	page := string(s.Send(t, "GET", current, "", "Accept", "text/html").Body)
	for _, want := range []string{"<p>I agree that this operator may call or text me about this request.</p>", "They are in use today", "First used on ", strings.TrimPrefix(current, "/consent/")} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s: %s", want, page)
		}
	}
	again := apptest.StartOn(t, s.Database)
	if now := consentLink(t, again); now == current {
		t.Error("the text did not change")
	}
	page = string(again.Send(t, "GET", current, "", "Accept", "text/html").Body)
	for _, want := range []string{"I agree that this operator may call or text me about this request.", "no longer in use"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of the old text has no %s: %s", want, page)
		}
	}
	for _, unknown := range []string{"/consent/0000", "/consent/" + strings.Repeat("0", 64)} {
		if r := again.Send(t, "GET", unknown, ""); r.Status != 404 {
			t.Errorf("%s: %d", unknown, r.Status)
		}
	}
}

// consentLink returns the path of the consent text that the privacy page links to.
func consentLink(t *testing.T, s *apptest.Service) string {
	t.Helper()
	page := string(s.Send(t, "GET", "/privacy", "").Body)
	_, rest, found := strings.Cut(page, "/consent/")
	hash, _, _ := strings.Cut(rest, `"`)
	if !found || len(hash) != 64 {
		t.Fatalf("the privacy page names no consent: %q", hash)
	}
	return "/consent/" + hash
}
