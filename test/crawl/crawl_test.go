package crawl

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"foyer/test/binary"
)

// program is the path of the binary, built once for all tests here.
var program string

func TestMain(m *testing.M) {
	binary.MainUnlessShort(func() int {
		code := m.Run()
		TellPending(os.Stdout)
		return code
	}, func(path string) { program = path })
}

// serve starts the program and returns the origin of its links.
func serve(t *testing.T) (origin string) {
	t.Helper()
	p := binary.Serve(t, program, t.TempDir(), "--rate-limit", "off")
	_, port, err := net.SplitHostPort(strings.TrimPrefix(p.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	return "http://localhost:" + port
}

// walk crawls the site, including the page of a request that was just sent.
func walk(t *testing.T) *Site {
	t.Helper()
	origin := serve(t)
	var more []string
	if !Lacks(StatusPage) {
		more = append(more, "/status/"+send(t, origin))
	}
	s, err := Walk(t.Context(), origin, more...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// send submits a request and returns its lead_id.
func send(t *testing.T, origin string) string {
	t.Helper()
	const request = `{"service_type":"hvac","zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true}`
	res, err := http.Post(origin+"/v1/intake", "application/json", strings.NewReader(request))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.NewDecoder(res.Body).Decode(&receipt); err != nil || receipt.LeadID == "" {
		t.Fatalf("%d: %v", res.StatusCode, err)
	}
	return receipt.LeadID
}

// TestSite reads everything that is linked. It checks each page by itself, and the site for what its pages share.
func TestSite(t *testing.T) {
	s := walk(t)
	for _, fault := range s.Faults {
		t.Error(fault)
	}
	for _, p := range s.Pages {
		for _, fault := range s.faultsOf(p) {
			t.Errorf("%s: %s (linked from %s)", p.Address, fault, s.from[p.Address])
		}
	}
	for _, fault := range s.duplicates() {
		t.Error(fault)
	}
	t.Logf("%d documents, %d of them pages", len(s.Pages), len(s.HTML()))
}

// TestPagesAreThere wants the pages that people and assistants were told about, each linked from another.
func TestPagesAreThere(t *testing.T) {
	s := walk(t)
	for address, needs := range map[string]Feature{
		"/": "", "/plumbing": "", "/privacy": "", "/docs": "", "/llms.txt": "", "/openapi.json": "",
		"/how-it-works": HowItWorks, "/docs/buyers": BuyersPage,
	} {
		if p := s.Pages[address]; !Lacks(needs) && (p == nil || p.Status != http.StatusOK) {
			t.Errorf("%s is linked from nowhere, or is not there", address)
		}
	}
}

// TestServicePages wants more than the form: each group of services has its own page.
func TestServicePages(t *testing.T) {
	Await(t, ServicePages)
	s := walk(t)
	for _, group := range []string{"cleaning", "pest", "heating", "handyman"} {
		told := func(e *Element) bool { return e.Name == "h1" && strings.Contains(strings.ToLower(e.Text), group) }
		if !slices.ContainsFunc(s.HTML(), func(p *Page) bool { return p.Listed() && p.Address != "/" && len(p.all(told)) == 1 }) {
			t.Errorf("no page has %q in its heading", group)
		}
	}
}

// TestAbsentPage wants a helpful page for an address that does not exist.
func TestAbsentPage(t *testing.T) {
	p := walk(t).Pages[Nowhere]
	if p.Status != http.StatusNotFound || !p.IsHTML() || p.Listed() {
		t.Errorf("%d %s", p.Status, p.Header.Get("Content-Type"))
	}
	for _, want := range []string{`href="tel:`, `/privacy"`} {
		if !strings.Contains(string(p.Body), want) {
			t.Errorf("no %s", want)
		}
	}
}
