package main_test

import (
	"net/url"
	"strings"
	"testing"

	"foyer/internal/store/storetest"
)

// TestPrivacyRequestsStayInDatabase sends privacy requests, good and refused ones, with canaries in every field and in the
// address. No answer, log line or list for operators repeats them; only the request itself shows the number, until it is
// settled.
func TestPrivacyRequestsStayInDatabase(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	p := serve(t, folder, "--rate-limit", "off")
	id := p.Submit()
	seen := &strings.Builder{}
	name, phone, note := canaries["customer_name"], canaries["customer_phone"], canaries["notes"]
	for _, x := range []struct {
		kind, phone, id string
		status          int
	}{
		{"withdraw", phone, id, 200},
		{"erase", phone, "", 200},
		{name, phone, id, 422},
		{"erase", phone + note, id, 422},
		{"erase", phone, name, 422},
		{"erase", phone, "lead_zebranek", 422},
	} {
		status, body, header := p.sendPrivacyRequest(x.kind, x.phone, x.id)
		if status != x.status {
			t.Errorf("%+v: %d, want %d", x, status, x.status)
		}
		_ = header.Write(seen)
		seen.WriteString(body)
	}
	for _, path := range []string{"/privacy?" + url.QueryEscape(note), "/consent/" + url.PathEscape(name), "/services/" + url.PathEscape(name), "/?service_type=" + url.QueryEscape(note)} {
		_, body := p.Get(path)
		seen.Write(body)
	}
	places := map[string]string{"the process": p.publicProcessInfo(), "a file beside the database": filesBeside(t, folder), "an answer": seen.String()}
	request := p.openRequests(t)["erase"]
	list, _, _ := run(t, "privacy", "list", "--database", p.Database)
	rows, _, _ := run(t, "privacy", "list", "--json", "--all", "--database", p.Database)
	places["the operator's list"] = list + rows
	show, _, _ := run(t, "privacy", "show", request, "--database", p.Database)
	p.settleRequest(t, request)
	settled, _, _ := run(t, "privacy", "show", request, "--database", p.Database)
	places["a settled request"] = settled
	p.Stop()
	places["the log"] = p.Logs()
	for _, trace := range traces {
		for place, text := range places {
			if strings.Contains(text, trace) {
				t.Errorf("%s holds %q", place, trace)
			}
		}
	}
	if !strings.Contains(show, "+19075550186") || !strings.Contains(p.Logs(), `"route":"/privacy"`) {
		t.Error("the test saw no request, or no log line of one")
	}
}
