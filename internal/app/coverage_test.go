package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/app/apptest"
	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// canaryBuyer returns a buyer whose name, URL and area are easy to find wherever they leak.
func canaryBuyer(services ...lead.Service) buyer.Buyer {
	return buyer.Buyer{
		ID: "buyer_canary", State: buyer.Active, CreatedAt: time.Now(), UpdatedAt: time.Now(),
		Terms: buyer.Terms{
			Name: "Zebranek Cool Air", URL: "https://hook.zebranek.example.com/", Services: services, Area: buyer.Area{ZIPs: "99501"}, Priority: buyer.DefaultPriority,
		},
	}
}

func putBuyer(t *testing.T, st *store.Store, b buyer.Buyer) {
	t.Helper()
	if err := st.Update(t.Context(), func(tx *store.Tx) error { return tx.PutBuyer(b) }); err != nil {
		t.Fatal(err)
	}
}

// TestCoverageNotesFollowBuyers adds, changes, pauses, resumes and removes a buyer beside a running service. The public texts
// follow within two seconds, and disclose nothing about the buyer.
func TestCoverageNotesFollowBuyers(t *testing.T) {
	s := apptest.Start(t)
	st := s.OpenStore(t)
	wantCovered(t, s, "without a buyer")
	b := canaryBuyer(lead.HVAC)
	for _, step := range []struct {
		what    string
		do      func(*store.Tx) error
		covered []lead.Service
	}{
		{"added", func(tx *store.Tx) error { return tx.PutBuyer(b) }, []lead.Service{lead.HVAC}},
		{"with another service", func(tx *store.Tx) error {
			b.Terms.Services = []lead.Service{lead.HVAC, lead.Handyman, lead.Plumbing}
			return tx.PutBuyer(b)
		}, []lead.Service{lead.HVAC, lead.Handyman}},
		{"paused", func(tx *store.Tx) error { b.State = buyer.Paused; return tx.PutBuyer(b) }, nil},
		{"resumed", func(tx *store.Tx) error { b.State = buyer.Active; return tx.PutBuyer(b) }, []lead.Service{lead.HVAC, lead.Handyman}},
		{"removed", func(tx *store.Tx) error { return tx.RemoveBuyer(b.ID, time.Now()) }, nil},
	} {
		if err := st.Update(t.Context(), step.do); err != nil {
			t.Fatal(err)
		}
		wantCovered(t, s, step.what, step.covered...)
		wantBuyerNotDisclosed(t, s, step.what)
	}
}

// TestCoverageNotesAtStart starts a service on a database that has a buyer: the first response is already right.
func TestCoverageNotesAtStart(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	putBuyer(t, s.OpenStore(t), canaryBuyer(lead.PestControl))
	again := apptest.StartOn(t, s.Database)
	if got := coveredIn(t, again.Send(t, http.MethodGet, "/v1/services", "").Body); !cmp.Equal(got, []lead.Service{lead.PestControl}) {
		t.Errorf("the first response says that %v are covered", got)
	}
}

// wantCovered waits up to two seconds until catalog, tool and llms.txt say that exactly these services are covered.
func wantCovered(t *testing.T, s *apptest.Service, when string, want ...lead.Service) {
	t.Helper()
	var got map[string][]lead.Service
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		got = map[string][]lead.Service{
			"the catalog": coveredIn(t, s.Send(t, http.MethodGet, "/v1/services", "").Body),
			"the tool":    coveredIn(t, listServices(t, s)),
			"llms.txt":    coveredInText(string(s.Send(t, http.MethodGet, "/llms.txt", "").Body)),
		}
		if cmp.Equal(got, map[string][]lead.Service{"the catalog": want, "the tool": want, "llms.txt": want}) {
			return
		}
	}
	t.Errorf("%s: after two seconds the covered services are %v, want %v", when, got, want)
}

func listServices(t *testing.T, s *apptest.Service) []byte {
	t.Helper()
	var answer struct {
		Result struct{ StructuredContent struct{ Result string } }
	}
	r := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_supported_services"}}`)
	if err := json.Unmarshal(r.Body, &answer); err != nil {
		t.Fatalf("%v in %s", err, r.Body)
	}
	return []byte(answer.Result.StructuredContent.Result)
}

// coveredIn returns the services whose note says that a buyer covers them.
func coveredIn(t *testing.T, body []byte) []lead.Service {
	t.Helper()
	var c catalog.Catalog
	if err := json.Unmarshal(body, &c); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	var covered []lead.Service
	for _, e := range c.Collecting {
		if e.Note == catalog.NotePassed {
			covered = append(covered, e.Service)
		}
	}
	return covered
}

func coveredInText(text string) []lead.Service {
	var covered []lead.Service
	for line := range strings.Lines(text) {
		if service, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":"); strings.Contains(line, "Covered, depending on the ZIP code.") {
			covered = append(covered, lead.Service(service))
		}
	}
	return covered
}

// wantBuyerNotDisclosed searches everything public for traces of the buyer.
func wantBuyerNotDisclosed(t *testing.T, s *apptest.Service, when string) {
	t.Helper()
	var seen strings.Builder
	for _, path := range []string{"/", "/v1/services", "/llms.txt", "/openapi.json", "/docs", "/privacy", "/plumbing", "/thanks", "/health"} {
		r := s.Send(t, http.MethodGet, path, "")
		_ = r.Header.Write(&seen)
		seen.Write(r.Body)
	}
	seen.Write(listServices(t, s))
	seen.Write(s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).Body)
	for _, trace := range []string{"Zebranek", "zebranek", "buyer_canary", "99501"} {
		if strings.Contains(seen.String(), trace) {
			t.Errorf("%s: %q is public", when, trace)
		}
	}
}
