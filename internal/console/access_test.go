package console_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/audit"
	"foyer/internal/catalog"
	"foyer/internal/console"
	"foyer/internal/operator/access"
	"foyer/internal/store"
)

// document returns the methods of each path of the API.
func document(t *testing.T) map[string][]string {
	t.Helper()
	var doc struct{ Paths map[string]map[string]any }
	if err := json.Unmarshal(console.OpenAPI(catalog.Brand{Name: "Foyer", BaseURL: apptest.PublicURL}), &doc); err != nil {
		t.Fatal(err)
	}
	paths := make(map[string][]string)
	for path, methods := range doc.Paths {
		for method := range methods {
			paths[path] = append(paths[path], strings.ToUpper(method))
		}
		slices.Sort(paths[path])
	}
	return paths
}

var inBraces = regexp.MustCompile(`\{[a-z_]+\}`)

// TestAccess tries every operation without a token and with tokens of every kind, on an empty service: the table of what each may do is
// a golden file.
func TestAccess(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, "--rate-limit-exempt", "127.0.0.1")
	tokens := []*client{{t, s, ""}, newClient(t, s, false, false), newClient(t, s, false, true), newClient(t, s, true, false), newClient(t, s, true, true)}
	var table strings.Builder
	fmt.Fprintf(&table, "%-70s %8s %8s %8s %8s %8s\n", "", "none", "read", "+person", "write", "+person")
	paths := document(t)
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		for _, method := range paths[path] {
			fmt.Fprintf(&table, "%-70s", method+" "+path)
			for _, c := range tokens {
				verdict := "yes"
				if r := c.send(method, strings.TrimPrefix(inBraces.ReplaceAllString(path, "none"), console.Prefix), ""); r.Status == 401 || r.Status == 403 {
					verdict = fmt.Sprint(r.Status)
				}
				fmt.Fprintf(&table, " %8s", verdict)
			}
			table.WriteString("\n")
		}
	}
	apptest.Golden(t, "access.txt", []byte(table.String()))
}

// TestOpenAPI shows in a golden file what programs depend on: a line for each operation, each field of a request and each member of an
// answer.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	text := console.OpenAPI(catalog.Brand{Name: "Foyer", BaseURL: apptest.PublicURL})
	var lines []string
	var members func(path string, schema map[string]any)
	members = func(path string, schema map[string]any) {
		for _, choice := range anyOf(schema) {
			if properties, nested := choice["properties"].(map[string]any); nested {
				for name, p := range properties {
					members(path+"."+name, p.(map[string]any))
				}
			} else if items, isList := choice["items"].(map[string]any); isList {
				members(path+"[]", items)
			} else {
				lines = append(lines, fmt.Sprint(path, " ", choice["type"], choice["$ref"], choice["format"], choice["enum"]))
			}
		}
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Parameters  []struct {
				Name   string
				Schema map[string]any
			}
			RequestBody struct {
				Content map[string]struct{ Schema map[string]any }
			}
			Responses map[string]struct {
				Content map[string]struct{ Schema map[string]any }
			}
		}
		Components struct{ Schemas map[string]map[string]any }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method, o := range methods {
			at := strings.ToUpper(method) + " " + path
			lines = append(lines, at+" = "+o.OperationID)
			for _, p := range o.Parameters {
				members(at+" ?"+p.Name, p.Schema)
			}
			for _, body := range o.RequestBody.Content {
				members(at+" body", body.Schema)
			}
			for status, r := range o.Responses {
				for _, content := range r.Content {
					members(at+" "+status, content.Schema)
				}
			}
		}
	}
	for name, schema := range doc.Components.Schemas {
		members(name, schema)
	}
	slices.Sort(lines)
	apptest.Golden(t, "interface.txt", []byte(strings.ReplaceAll(strings.Join(lines, "\n"), "<nil>", "")+"\n"))

	s := apptest.Start(t)
	r := newClient(t, s, false, false).send("GET", "/openapi.json", "")
	if r.Status != 200 || !strings.Contains(string(r.Body), `"operationId": "listLeads"`) || !strings.HasPrefix(r.Header.Get("Cache-Control"), "private") {
		t.Errorf("%d %v", r.Status, r.Header)
	}
}

// anyOf returns the choices of a schema, without null.
func anyOf(schema map[string]any) (choices []map[string]any) {
	list, several := schema["anyOf"].([]any)
	if !several {
		return []map[string]any{schema}
	}
	for _, x := range list {
		if choice := x.(map[string]any); choice["type"] != "null" {
			choices = append(choices, choice)
		}
	}
	return choices
}

// TestEveryMemberIsDescribed wants a text for each member of each answer and each field of a request.
func TestEveryMemberIsDescribed(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal(console.OpenAPI(catalog.Brand{Name: "Foyer", BaseURL: apptest.PublicURL}), &doc); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, v any)
	walk = func(path string, v any) {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				walk(path, x)
			}
		case map[string]any:
			for name, x := range v {
				walk(path+"."+name, x)
			}
			properties, _ := v["properties"].(map[string]any)
			for name, p := range properties {
				if m := p.(map[string]any); m["description"] == nil && m["properties"] == nil {
					t.Errorf("%s.%s has no description", path, name)
				}
			}
		}
	}
	walk("", doc)
}

// TestWithoutTokenNothingIsTold wants the same answer for every path and method, whether or not there is something.
func TestWithoutTokenNothingIsTold(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, "--rate-limit-exempt", "127.0.0.1")
	token := s.Token(t, access.NewToken{Name: "revoked"})
	if _, err := operatorOf(t, s).Access().RevokeToken(t.Context(), "cli:test", "revoked"); err != nil {
		t.Fatal(err)
	}
	expired := s.Token(t, access.NewToken{Name: "expired"})
	exec(t, s, `UPDATE tokens SET expires_at = 1 WHERE name = 'expired'`)
	const want = `{"error":"unauthorized","message":"Send a valid token with the header Authorization: Bearer TOKEN."}`
	for _, authorization := range []string{"", "Bearer ", "Bearer foy_wrong", "Basic Zm95OmZveQ==", "Bearer " + token, "Bearer " + expired, "Token " + token, "Bearer " + token + " x"} {
		for _, path := range []string{"", "/", "/leads", "/leads/lead_1", "/nothing", "/openapi.json", "/buyers/x/pause", "/leads/search"} {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"} {
				r := s.Send(t, method, console.Prefix+path, `{"x":`, "Authorization", authorization, "Origin", "https://evil.example.com")
				if r.Status != http.StatusUnauthorized || method != "HEAD" && string(r.Body) != want || !strings.HasPrefix(r.Header.Get("WWW-Authenticate"), "Bearer") ||
					r.Header.Get("Allow") != "" || r.Header.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s %s, %q: %d %s %v", method, path, authorization, r.Status, r.Body, r.Header)
				}
			}
		}
	}
}

// TestGuessingIsLimited refuses an address from which wrong tokens come, right ones included, and no other.
func TestGuessingIsLimited(t *testing.T) {
	t.Parallel()
	for _, limit := range []string{"60/minute burst 120", "off"} {
		s := apptest.Start(t, "--rate-limit", limit, "--trusted-proxies", "127.0.0.1", "--base-url", "https://foyer.example.com")
		token := s.Token(t, access.NewToken{Name: "right"})
		from := func(client, token string) apptest.Reply {
			return s.Send(t, "GET", console.Prefix+"/buyers", "", "Authorization", "Bearer "+token, "X-Forwarded-For", client)
		}
		refused := 0
		for range 40 {
			if r := from("192.0.2.1", "foy_aaaaaaaaaaaaaaaaaaaaaaaaaa"); r.Status == http.StatusTooManyRequests && r.Header.Get("Retry-After") != "" {
				refused++
			}
		}
		if refused < 15 {
			t.Errorf("%s: only %d of 40 guesses were refused", limit, refused)
		}
		if r := from("192.0.2.1", token); r.Status != http.StatusTooManyRequests {
			t.Errorf("%s: after that, a right token is answered with %d: it could be a guess", limit, r.Status)
		}
		for _, client := range []string{"192.0.2.2", "192.0.2.1"} { // once it was right, others at its address do not lock its program out
			if r := from(client, token); r.Status != 200 {
				t.Errorf("%s: %s: %d", limit, client, r.Status)
			}
		}
	}
}

// TestTokenInClear reads a token over https or on the machine alone.
func TestTokenInClear(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		base, proxies, client string
		want                  int
	}{
		"this machine":                   {"http://foyer.example.com", "127.0.0.1", "127.0.0.1", 200},
		"another machine":                {"http://foyer.example.com", "127.0.0.1", "192.0.2.1", 403},
		"behind a proxy":                 {"https://foyer.example.com", "127.0.0.1", "192.0.2.1", 200},
		"behind a proxy that is unknown": {"https://foyer.example.com", "", "192.0.2.1", 403},
		"behind an unknown one, by http": {"http://foyer.example.com", "", "127.0.0.1", 403},
	} {
		t.Run(name, func(t *testing.T) {
			s := apptest.Start(t, "--base-url", tc.base, "--trusted-proxies", tc.proxies)
			token := s.Token(t, access.NewToken{Name: "x"})
			headers := []string{"Authorization", "Bearer " + token, "X-Forwarded-For", tc.client}
			if r := s.Send(t, "GET", console.Prefix+"/buyers", "", headers...); r.Status != tc.want {
				t.Errorf("%d %s", r.Status, r.Body)
			}
		})
	}
}

// TestContactsNeedPersonalData refuses to change where contacts go with a token that may not see them.
func TestContactsNeedPersonalData(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t, "--allow-private-buyers")
	full, write := newClient(t, s, true, true), newClient(t, s, true, false)
	id := full.want(201, "POST", "/buyers", `{"name":"Cool Air","url":"https://buyer.example.com/leads","services":"hvac"}`).text("id")
	for _, body := range []string{`{"url":"https://other.example.com/"}`, `{"one_step":true}`, `{"accept_plain":true,"priority":5}`, `{"url":null}`} {
		if e := write.want(http.StatusForbidden, "POST", "/buyers/"+id, body); e.text("message") != catalog.NoPersonalData.Message {
			t.Errorf("%s: %v", body, e)
		}
	}
	write.want(http.StatusForbidden, "POST", "/buyers/"+id+"/rotate-secret", `{}`)
	write.want(http.StatusForbidden, "POST", "/buyers", `{"name":"Mine","url":"https://mine.example.com/","services":"all","live":true}`)
	if b := write.post("/buyers/"+id, `{"priority":5}`); b["priority"] != 5.0 || b.text("url") != "https://buyer.example.com/leads" {
		t.Errorf("other terms: %v", b)
	}
}

// TestEveryReadOfPersonalDataIsRecorded finds each of them in the audit trail, with the token and without the person.
func TestEveryReadOfPersonalDataIsRecorded(t *testing.T) {
	t.Parallel()
	s := apptest.Start(t)
	c := newClient(t, s, false, true)
	id := s.ViaJSON(t, apptest.Request{}).LeadID
	c.get("/leads/" + id)
	c.get("/leads?contact=true&service=house_cleaning")
	c.get("/leads?contact=true&id=" + id)
	c.post("/leads/search", `{"phone":"305-555-0123"}`)
	c.post("/leads/search", `{"email":"pat@example.com","name":"Pat","received":"1d"}`)
	exec(t, s, giveBack)
	c.get("/returns")
	s.Send(t, "POST", "/privacy", "wish=erase&customer_phone=305-555-0123", "Content-Type", apptest.FormType)
	request := c.get("/privacy-requests").list("data")[0].text("privacy_request_id")
	c.get("/privacy-requests/" + request)
	c.get("/suppressions")
	c.get("/leads")
	var got []string
	entries, err := s.Reader(t).Audit(t.Context(), store.AuditFilter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(string(e.Actor), "token:tok_") {
			if e.Detail["address"] != "127.0.0.1" {
				t.Errorf("%s came from %v", e.Action, e.Detail["address"])
			}
			delete(e.Detail, "address")
			detail, _ := e.Detail.JSON()
			got = append(got, fmt.Sprint(e.Action, " ", strings.NewReplacer(id, "LEAD", request, "REQUEST").Replace(e.Subject), detail))
		}
	}
	want := []string{
		string(audit.SuppressionRead) + ` {}`, string(audit.PrivacyRead) + ` REQUEST{}`, string(audit.ReturnRead) + ` {"returns":1}`,
		string(audit.LeadSearch) + ` {"filters":["email","name","received"]}`, string(audit.LeadSearch) + ` {"filters":["phone"]}`,
		string(audit.LeadRead) + ` LEAD{}`, string(audit.LeadExport) + ` {"filters":["id"]}`, string(audit.LeadExport) + ` {"filters":["service"]}`, string(audit.LeadRead) + ` LEAD{}`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("the audit trail has\n%s, want\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
