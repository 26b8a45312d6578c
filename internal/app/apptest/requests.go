package apptest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// FormType is the media type of a form.
const FormType = "application/x-www-form-urlencoded"

// GoodForm is a minimal request as a browser sends it.
const GoodForm = "service_type=hvac&zip_code=33139&customer_name=Pat+Example&customer_phone=305-555-0123&consent_to_contact=on"

// Request is a change to a good request. Its zero value is the good request.
type Request struct {
	With    map[string]any `json:"with"`
	Without []string       `json:"without"`
	Twice   map[string]any `json:"twice"` // members given a second time
}

var goodRequest = map[string]any{
	"service_type": "house_cleaning", "zip_code": "33139", "customer_name": "Pat Example",
	"customer_phone": "305-555-0123", "consent_to_contact": true,
}

// Outcome is a response in terms that JSON, form and MCP share.
type Outcome struct {
	Verdict string // a status, or an error's code
	Fields  []string
	LeadID  string
}

// members returns the members of the request in a stable order, with the members given twice at the end.
func (r Request) members() [][2]any {
	request := maps.Clone(goodRequest)
	maps.Copy(request, r.With)
	for _, name := range r.Without {
		delete(request, name)
	}
	var members [][2]any
	for _, part := range []map[string]any{request, r.Twice} {
		for _, name := range slices.Sorted(maps.Keys(part)) {
			members = append(members, [2]any{name, part[name]})
		}
	}
	return members
}

// JSON returns the request as JSON.
func (r Request) JSON() string {
	var parts []string
	for _, m := range r.members() {
		value, _ := json.Marshal(m[1])
		parts = append(parts, fmt.Sprintf("%q:%s", m[0], value))
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// ViaJSON sends a request as JSON.
func (s *Service) ViaJSON(t *testing.T, r Request) Outcome {
	res := s.Send(t, http.MethodPost, "/v1/intake", r.JSON(), "Content-Type", "application/json")
	return ParseOutcome(t, res.Body)
}

// ViaForm sends a request as a form. It asks for JSON, so that the response can be compared; what browsers get is tested elsewhere.
func (s *Service) ViaForm(t *testing.T, r Request) Outcome {
	var pairs []string
	for _, m := range r.members() {
		if m[1] == nil {
			continue
		}
		text, isText := m[1].(string)
		if !isText {
			number, _ := json.Marshal(m[1])
			text = string(number)
		}
		pairs = append(pairs, url.QueryEscape(m[0].(string))+"="+url.QueryEscape(text))
	}
	res := s.Send(t, http.MethodPost, "/v1/intake", strings.Join(pairs, "&"),
		"Content-Type", FormType, "Accept", "application/json")
	return ParseOutcome(t, res.Body)
}

// ViaMCP sends a request as a call of a tool.
func (s *Service) ViaMCP(t *testing.T, r Request) Outcome {
	res := s.RPC(t, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_home_service","arguments":`+r.JSON()+`}}`)
	var answer struct {
		Result struct {
			StructuredContent struct{ Result string }
			IsError           bool
		}
	}
	if err := json.Unmarshal(res.Body, &answer); err != nil {
		t.Fatalf("%v in %s", err, res.Body)
	}
	got := ParseOutcome(t, []byte(answer.Result.StructuredContent.Result))
	if answer.Result.IsError != (got.LeadID == "") {
		t.Errorf("isError is %v for %s", answer.Result.IsError, res.Body)
	}
	return got
}

// ParseOutcome reads a JSON response.
func ParseOutcome(t *testing.T, body []byte) Outcome {
	t.Helper()
	var b struct {
		LeadID string `json:"lead_id"`
		Status string
		Error  string
		Fields map[string]string
	}
	if err := json.Unmarshal(body, &b); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	return Outcome{Verdict: b.Status + b.Error, Fields: slices.Sorted(maps.Keys(b.Fields)), LeadID: b.LeadID}
}

// NewestLead returns the lead that was stored last.
func NewestLead(t *testing.T, reader storetest.Reader) lead.Lead {
	t.Helper()
	list, err := reader.Newest(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return append(list, lead.Lead{})[0]
}
