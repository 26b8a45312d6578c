package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/edge"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/store"
)

// canary must not appear in an answer. It is not a name that is safe to echo.
const canary = "7717177"

const person = `"zip_code":"33139","customer_name":"Pat Example","customer_phone":"305-555-0123","consent_to_contact":true`

// FuzzEnvelope sends bodies to the MCP server with a real intake and a real store. Every answer is JSON without an internal
// error, and every saved lead is named in an answer.
func FuzzEnvelope(f *testing.F) {
	call := func(tool, arguments string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
	}
	for _, body := range []string{
		call("request_home_service", `{"service_type":"hvac",`+person+`}`), call("request_cleaning", `{`+person+`}`),
		call("request_cleaning", `{`+person+`,"consent_to_contact":true}`), call("request_cleaning", `{`+person+`,"dry_run":true}`),
		call("request_home_service", `{"service_type":"hvac",`+person+`,"dry_run":true,"`+canary+`":1,"notes":"\u0000`+canary+`"}`),
		call("request_home_service", `{"service_type":"`+canary+`","bedrooms":`+canary+`,"a":{"b":1,"b":2}}`),
		call("get_plumbing_call_number", `{"zip_code":"33139"}`), call("get_plumbing_call_number", `{"zip_code":`+canary+`,"zip_code":1}`),
		call("get_lead_status", `{"lead_id":"lead_`+canary+`"}`), call("get_lead_status", `{"lead_id":null}`), call("list_supported_services", `null`),
		call(canary, `{}`), call("request_cleaning", `[]`), call("request_cleaning", `"`+canary+`"`),
		`{"jsonrpc":"2.0","id":"a\u0000","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":-1.5e3,"method":"ping"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"` + canary + `"}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, `{"jsonrpc":"1.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"` + canary + `","params":[1]}`, `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"request_cleaning","arguments":{` + person + `}}}`,
		`[]`, `[1]`, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"},` + call("request_cleaning", `{`+person+`}`) + `]`,
		`[{"jsonrpc":"2.0","id":1,"method":"initialize"}]`, ``, `{`, `null`, "\xff", "\ufeff{}", `{"jsonrpc":"2.0","id":"\ud800","method":"ping"}`,
	} {
		for version := range byte(4) {
			f.Add([]byte(body), version, "")
		}
		f.Add([]byte(body), byte(3), "key")
	}
	door := newTestServer(f)
	f.Fuzz(func(t *testing.T, body []byte, version byte, key string) {
		door.post(t, body, append(catalog.Protocols, "")[version%4], key)
	})
}

// testServer is the server inside edge.Frame.
type testServer struct {
	http.Handler
	saved *recordingStore
	log   bytes.Buffer
}

// recordingStore is a real store that records the leads saved during one request.
type recordingStore struct {
	*store.Store
	ids []string
}

func (s *recordingStore) SaveLead(ctx context.Context, l *lead.Lead, idem *lead.Idempotency, since time.Time) (*lead.Idempotency, error) {
	earlier, err := s.Store.SaveLead(ctx, l, idem, since)
	if err == nil && earlier == nil {
		s.ids = append(s.ids, l.ID)
	}
	return earlier, err
}

func newTestServer(f *testing.F) *testServer {
	f.Helper()
	brand := catalog.Brand{Name: "Foyer", Contact: "hello@example.com", BaseURL: "https://foyer.example.com", Number: "+18005550142"}
	s, err := store.Open(f.Context(), "sqlite:"+filepath.Join(f.TempDir(), "foyer.db"), slog.New(slog.DiscardHandler))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { s.Close() })
	d, count := &testServer{saved: &recordingStore{Store: s}}, 0
	newID := func(prefix string) string { count++; return fmt.Sprint(prefix, count) }
	svc := &intake.Service{
		Brand: brand, Store: d.saved, Limiter: limit.Off{}, Stated: brand.ConsentStated().Ref(), Now: time.Now,
		NewID:  func(prefix string, _ time.Time) string { return newID(prefix) },
		Covers: func(lead.Service, string, string) bool { return false },
	}
	log := edge.NewLog(slog.New(slog.NewJSONHandler(&d.log, &slog.HandlerOptions{Level: slog.LevelWarn})))
	frame := &edge.Frame{
		Log: log, NewID: newID,
		ClientOf: func(*http.Request) netip.Addr { return netip.MustParseAddr("192.0.2.1") },
	}
	nothing := func(http.ResponseWriter, *http.Request) error { return catalog.UnknownLead }
	d.Handler = frame.Serve(edge.Resource{Path: "/", Any: nothing}, New(brand, svc, nil, log).Routes())
	return d
}

// answered matches the receipts in an answer. A tool's result is JSON in a JSON string.
var answered = regexp.MustCompile(`"structuredContent":\{"result":"\{\\"lead_id\\":\\"(lead_[0-9]+)\\"`)

func (d *testServer) post(t *testing.T, body []byte, version, key string) {
	d.saved.ids = nil
	d.log.Reset()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/mcp", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if version != "" {
		r.Header.Set("MCP-Protocol-Version", version)
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, r)
	answer := w.Body.Bytes()
	if w.Code >= 500 || d.log.Len() > 0 || bytes.Contains(answer, []byte("-32603")) {
		t.Fatalf("answered %d %s\nlogged %s", w.Code, answer, d.log.String())
	}
	wantAnswer(t, w.Code, answer, bytes.Contains(body, []byte(canary)))
	var named []string
	for _, receipt := range answered.FindAllSubmatch(answer, -1) {
		named = append(named, string(receipt[1]))
	}
	for _, id := range d.saved.ids {
		if !strings.Contains(" "+strings.Join(named, " ")+" ", " "+id+" ") {
			t.Fatalf("%s was kept, and the answer is %d %s", id, w.Code, answer)
		}
	}
	if key == "" && len(named) != len(d.saved.ids) {
		t.Fatalf("%d were kept, %d are named in %s", len(d.saved.ids), len(named), answer)
	}
}

// wantAnswer checks that the answer is a JSON-RPC response, a batch of them, or the Error object, and that it repeats
// nothing of the input but the id.
func wantAnswer(t *testing.T, status int, answer []byte, canaried bool) {
	t.Helper()
	if len(answer) == 0 {
		if status != http.StatusAccepted {
			t.Fatalf("answered %d and nothing", status)
		}
		return
	}
	responses := []map[string]json.RawMessage{nil}
	into := any(&responses[0])
	if answer[0] == '[' {
		into = &responses
	}
	if err := json.Unmarshal(answer, into); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	for _, response := range responses {
		if result, failure, code := response["result"], response["error"], response["message"]; (result == nil) == (failure == nil) && code == nil {
			t.Fatalf("neither a result nor an error: %s", answer)
		}
		delete(response, "id")
		if rest, _ := json.Marshal(response); canaried && bytes.Contains(rest, []byte(canary)) {
			t.Fatalf("%s repeats what was sent", rest)
		}
	}
}
