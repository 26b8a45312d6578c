package crawl

import (
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"foyer/test/binary"
)

func TestMain(m *testing.M) {
	binary.MainUnlessShort(func() int {
		code := m.Run()
		PrintPending(os.Stdout)
		return code
	})
}

// walk crawls the site, including the page of a request that was just sent.
func walk(t *testing.T) *Site {
	t.Helper()
	p := binary.Serve(t, t.TempDir(), "--rate-limit", "off")
	var more []string
	if !Lacks(StatusPage) {
		more = append(more, "/status/"+p.Submit())
	}
	s, err := Walk(t.Context(), p.Origin(), more...)
	if err != nil {
		t.Fatal(err)
	}
	return s
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
