package console_test

import (
	"bytes"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/app"
	"foyer/internal/app/apptest"
	"foyer/internal/console"
	"foyer/internal/operator"
	"foyer/internal/store/storetest"
)

// operatorOf carries out commands beside the service.
func operatorOf(t *testing.T, s *apptest.Service) *operator.Operator {
	t.Helper()
	op, err := app.OpenOperator(t.Context(), s.Data, true, "cli:test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { op.Close() })
	return op.Operator
}

// canaries are what tells who a person is: nothing without the scope may hold it.
var canaries = []string{"Quillfeather", "3055550177", "555-0177", "quill@example.com", "Canary Lane", "Goldcrest", "Birdville", "gclid-777", "newsletter-quill", "CanaryBrowser", "192.0.2.77"}

// lockedBuffer is a log.
type lockedBuffer struct {
	sync.Mutex
	bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.Lock()
	defer b.Unlock()
	return b.Buffer.Write(p)
}

// TestNobodyIsSeenWithoutTheScope sends a person full of canaries through a sale, with a buyer that echoes the contact, a return that names the
// person and a privacy request. A token without personal data tries every address; nothing of the person may come back, or be in the log.
func TestNobodyIsSeenWithoutTheScope(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	s := apptest.StartWithLog(t, storetest.Database(t), slog.New(slog.NewJSONHandler(&log, nil)), "--allow-private-buyers", "--trusted-proxies", "127.0.0.1", "--base-url", apptest.PublicURL)
	full, blind := newClient(t, s, true, true), newClient(t, s, true, false)
	buyer := full.want(201, "POST", "/buyers", `{"name":"Echo","url":`+quote(newEndpoint(t))+`,"services":"all","price_cents":{"hvac":100,"house_cleaning":1,"deep_cleaning":1,"move_in_out_cleaning":1,"recurring_cleaning":1,"pest_control":1,"handyman":1,"other":1},"live":true}`).text("id")
	form := url.Values{
		"service_type": {"hvac"}, "zip_code": {"33139"}, "customer_name": {"Q Quillfeather"}, "customer_phone": {"305-555-0177"}, "customer_email": {"quill@example.com"},
		"address_line": {"7 Canary Lane"}, "city": {"Birdville"}, "notes": {"Ask for Goldcrest"}, "consent_to_contact": {"on"}, "utm_campaign": {"newsletter-quill"}, "gclid": {"gclid-777"},
	}
	sent := s.Send(t, "POST", "/v1/intake", form.Encode(), "Content-Type", apptest.FormType, "Accept", "application/json", "User-Agent", "CanaryBrowser", "X-Forwarded-For", "192.0.2.77")
	id := apptest.ParseOutcome(t, sent.Body).LeadID
	l := full.awaitStatus(id, "forwarded")
	shown := quote(l)
	for _, canary := range canaries {
		if !strings.Contains(shown, canary) && canary != "555-0177" {
			t.Errorf("with the scope, the lead does not show %s: the test would prove nothing", canary)
		}
	}
	if answers := quote(l["attempts"]); !strings.Contains(answers, "Quillfeather") {
		t.Errorf("the buyer repeated nothing: the test would prove nothing: %s", answers)
	}
	offer := l.list("offers")[0].text("offer_id")
	full.want(201, "POST", "/returns", `{"offer_id":"`+offer+`","code":"other","reason":"Quillfeather hung up"}`)
	full.want(200, "POST", "/returns/"+offer+"/deny", `{"note":"Quillfeather answered us"}`)
	if shown := quote(full.get("/returns?state=all").list("data")) + quote(full.get("/leads/" + id)["offers"]); strings.Count(shown, "Quillfeather answered us") != 2 {
		t.Errorf("with the scope, the note is not shown: the test would prove nothing: %s", shown)
	}
	for _, path := range []string{"/returns?state=all", "/leads/" + id} { // before a request below erases the person
		wantNoCanary(t, path, quote(blind.get(path)))
	}
	s.Send(t, "POST", "/privacy", "wish=withdraw&customer_phone=305-555-0177&lead_id="+id, "Content-Type", apptest.FormType, "User-Agent", "CanaryBrowser", "X-Forwarded-For", "192.0.2.77")
	request := full.get("/privacy-requests").list("data")[0].text("privacy_request_id")
	storetest.CountLeads(t, s.OpenStore(t), "UTC")

	names := map[string]string{"{lead_id}": id, "{buyer}": buyer, "{source}": "none", "{offer_id}": offer, "{month}": time.Now().Format("2006-01"), "{privacy_request_id}": request}
	if lines := full.send("GET", "/buyers/"+buyer+"/statements/"+names["{month}"]+"/lines", ""); !strings.Contains(string(lines.Body), offer) {
		t.Errorf("the statement has no line of the lead: the test would prove nothing:\n%s", lines.Body)
	}
	tried := 0
	for _, path := range slices.Sorted(maps.Keys(document(t))) {
		for placeholder, value := range names {
			path = strings.ReplaceAll(path, placeholder, value)
		}
		for _, method := range []string{"GET", "POST"} {
			for _, query := range []string{"", "?contact=true", "?limit=500", "?state=all", "?phone=305-555-0177", "?305-555-0177=1"} {
				if method == "POST" && query != "" || strings.HasSuffix(path, "/remove") {
					continue
				}
				r := blind.send(method, strings.TrimPrefix(path, console.Prefix)+query, "")
				tried++
				said := string(r.Body) + quote(r.Header)
				if strings.HasSuffix(path, "/reports/campaigns") { // it is made of their names, but for those that look like an address or a number
					said = strings.ReplaceAll(said, "newsletter-quill", "")
				}
				wantNoCanary(t, method+" "+path+query, said)
			}
		}
	}
	for _, body := range []string{`{"phone":"305-555-0177"}`, `{"email":"quill@example.com"}`, `{"name":"Quillfeather","received":"7d"}`, `{"contact":true}`, `{"305-555-0177":1}`, `{"phone":"Quillfeather"}`, `{"id":"quill@example.com"}`, `{"state":"Birdville"}`} {
		r := blind.send("POST", "/leads/search", body)
		if personal := strings.Contains(body, "phone\"") || strings.Contains(body, "email\"") || strings.Contains(body, "name\"") || strings.Contains(body, "contact"); personal != (r.Status == http.StatusForbidden) {
			t.Errorf("%s: %d %s", body, r.Status, r.Body)
		}
		if !strings.Contains(body, "state") && !strings.Contains(body, "id\"") { // what a filter does not know is repeated to whoever wrote it
			wantNoCanary(t, body, string(r.Body))
		}
	}
	if tried < 100 {
		t.Errorf("only %d requests", tried)
	}
	log.Lock()
	defer log.Unlock()
	wantNoCanary(t, "the log", log.String())
	if !strings.Contains(log.String(), `"route":"/v1/operator/leads/{lead_id}"`) {
		t.Error("the log names no routes: the test would prove nothing")
	}
}

func wantNoCanary(t *testing.T, where, text string) {
	t.Helper()
	for _, canary := range canaries {
		if strings.Contains(text, canary) {
			t.Errorf("%s holds %s:\n%.2000s", where, canary, text)
		}
	}
}
