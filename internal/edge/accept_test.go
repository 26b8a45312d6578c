package edge_test

import (
	"net/http/httptest"
	"testing"

	"foyer/internal/edge"
)

func TestAccept(t *testing.T) {
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for _, tc := range []struct {
		name       string
		accept     []string
		html, json bool
	}{
		{"nothing", nil, false, false},
		{"anything", []string{"*/*"}, false, false},
		{"any text", []string{"text/*"}, false, false},
		{"a browser", []string{browser}, true, false},
		{"a program", []string{"application/json"}, false, true},
		{"a program that takes anything else too", []string{"application/json, text/plain, */*"}, false, true},
		{"both named: a browser", []string{"application/json, text/html"}, true, false},
		{"in two headers", []string{"application/json", "text/html;q=0.1"}, true, false},
		{"in capitals and with spaces", []string{" Text/HTML ; q=0.5"}, true, false},
		{"HTML refused", []string{"text/html;q=0, application/json"}, false, true},
		{"HTML refused behind another parameter", []string{"text/html;charset=utf-8; q=0.000, application/json"}, false, true},
		{"JSON refused", []string{"application/json; q=0"}, false, false},
		{"something that only begins alike", []string{"text/htmlx, application/json-seq"}, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.Header["Accept"] = tc.accept
			if html, json := edge.AsksForHTML(r), edge.AsksForJSON(r); html != tc.html || json != tc.json {
				t.Errorf("HTML %v, JSON %v; want %v, %v", html, json, tc.html, tc.json)
			}
		})
	}
}

func TestMediaType(t *testing.T) {
	for header, want := range map[string]string{
		"":                                  "",
		"application/json":                  "application/json",
		"application/json; charset=utf-8":   "application/json",
		"APPLICATION/JSON":                  "application/json",
		"application/x-www-form-urlencoded": "application/x-www-form-urlencoded",
		"application/x-www-form-urlencoded;charset=UTF-8": "application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x":                 "multipart/form-data",
		"text/plain":                                      "text/plain",
		"application/json, text/html":                     "unreadable",
		";":                                               "unreadable",
	} {
		r := httptest.NewRequest("POST", "/", nil)
		r.Header.Set("Content-Type", header)
		if got := edge.MediaType(r); got != want {
			t.Errorf("%q: got %q, want %q", header, got, want)
		}
	}
}

func TestPrefers(t *testing.T) {
	for accept, json := range map[string]bool{
		"": false, "*/*": false, "text/html": false, "application/json": true, "application/json, text/html": false,
		"text/html;q=0.5, application/json": true, "application/json;q=0.5, text/html": false, "application/json;q=0": false,
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept", accept)
		if edge.Prefers(r, "application/json", "text/html") != json {
			t.Errorf("%q: want %v", accept, json)
		}
	}
}
