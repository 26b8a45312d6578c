package app_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/catalog"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// openStore opens the database beside the running service, as an operator's command does.
func (s *service) openStore(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.OpenExisting(t.Context(), s.database, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// canaryBuyer is a buyer whose name, address and area can be found wherever they are told.
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
	if err := st.Update(t.Context(), func(p *store.Tx) error { return p.PutBuyer(b) }); err != nil {
		t.Fatal(err)
	}
}

// TestCoverageNotesFollowBuyers adds, changes, pauses, resumes and removes a buyer beside a running service. What the public is
// told follows within two seconds, and tells nothing about the buyer.
func TestCoverageNotesFollowBuyers(t *testing.T) {
	s := start(t)
	st := s.openStore(t)
	s.wantCovered(t, "without a buyer")
	b := canaryBuyer(lead.HVAC)
	for _, step := range []struct {
		what string
		do   func(*store.Tx) error
		sold []lead.Service
	}{
		{"added", func(p *store.Tx) error { return p.PutBuyer(b) }, []lead.Service{lead.HVAC}},
		{"with another service", func(p *store.Tx) error {
			b.Terms.Services = []lead.Service{lead.HVAC, lead.Handyman, lead.Plumbing}
			return p.PutBuyer(b)
		}, []lead.Service{lead.HVAC, lead.Handyman}},
		{"paused", func(p *store.Tx) error { b.State = buyer.Paused; return p.PutBuyer(b) }, nil},
		{"resumed", func(p *store.Tx) error { b.State = buyer.Active; return p.PutBuyer(b) }, []lead.Service{lead.HVAC, lead.Handyman}},
		{"removed", func(p *store.Tx) error { return p.RemoveBuyer(b.ID, time.Now()) }, nil},
	} {
		if err := st.Update(t.Context(), step.do); err != nil {
			t.Fatal(err)
		}
		s.wantCovered(t, step.what, step.sold...)
		s.wantBuyerNotDisclosed(t, step.what)
	}
}

// TestNotesAreTrueFromTheStart starts a service on a database that has a buyer.
func TestNotesAreTrueFromTheStart(t *testing.T) {
	s := start(t)
	putBuyer(t, s.openStore(t), canaryBuyer(lead.PestControl))
	again := startOn(t, s.database)
	if got := coveredIn(t, again.send(t, http.MethodGet, "/v1/services", "").body); !cmp.Equal(got, []lead.Service{lead.PestControl}) {
		t.Errorf("the first answer says that %v are covered", got)
	}
}

// wantCovered waits two seconds at most until catalog, tool and llms.txt say that these services are covered, and no other.
func (s *service) wantCovered(t *testing.T, when string, want ...lead.Service) {
	t.Helper()
	var got map[string][]lead.Service
	for deadline := time.Now().Add(2 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		got = map[string][]lead.Service{
			"the catalog": coveredIn(t, s.send(t, http.MethodGet, "/v1/services", "").body),
			"the tool":    coveredIn(t, s.listServices(t)),
			"llms.txt":    coveredInText(string(s.send(t, http.MethodGet, "/llms.txt", "").body)),
		}
		if cmp.Equal(got, map[string][]lead.Service{"the catalog": want, "the tool": want, "llms.txt": want}) {
			return
		}
	}
	t.Errorf("%s: after two seconds these say that somebody covers %v, want %v", when, got, want)
}

func (s *service) listServices(t *testing.T) []byte {
	t.Helper()
	var answer struct {
		Result struct{ StructuredContent struct{ Result string } }
	}
	r := s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_supported_services"}}`)
	if err := json.Unmarshal(r.body, &answer); err != nil {
		t.Fatalf("%v in %s", err, r.body)
	}
	return []byte(answer.Result.StructuredContent.Result)
}

// coveredIn are the services whose note says that somebody covers them.
func coveredIn(t *testing.T, body []byte) []lead.Service {
	t.Helper()
	var c catalog.Catalog
	if err := json.Unmarshal(body, &c); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	var sold []lead.Service
	for _, e := range c.Collecting {
		if e.Note == catalog.NotePassed {
			sold = append(sold, e.Service)
		}
	}
	return sold
}

func coveredInText(text string) []lead.Service {
	var sold []lead.Service
	for line := range strings.Lines(text) {
		if service, _, _ := strings.Cut(strings.TrimPrefix(line, "- "), ":"); strings.Contains(line, "Covered, depending on the ZIP code.") {
			sold = append(sold, lead.Service(service))
		}
	}
	return sold
}

// wantBuyerNotDisclosed looks for the buyer in everything that the public can read.
func (s *service) wantBuyerNotDisclosed(t *testing.T, when string) {
	t.Helper()
	var seen strings.Builder
	for _, path := range []string{"/", "/v1/services", "/llms.txt", "/openapi.json", "/docs", "/privacy", "/plumbing", "/thanks", "/health"} {
		r := s.send(t, http.MethodGet, path, "")
		_ = r.header.Write(&seen)
		seen.Write(r.body)
	}
	seen.Write(s.listServices(t))
	seen.Write(s.rpc(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body)
	for _, trace := range []string{"Zebranek", "zebranek", "buyer_canary", "99501"} {
		if strings.Contains(seen.String(), trace) {
			t.Errorf("%s: the public is told %q", when, trace)
		}
	}
}
