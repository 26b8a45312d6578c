package buyer_test

import (
	"strings"
	"testing"

	"foyer/internal/buyer"
)

// Explain says exactly what is wrong with an answer, and nothing if it is fine.
func TestExplain(t *testing.T) {
	for _, c := range []struct {
		status int
		body   string
		plain  bool
		want   string
	}{
		{status: 200, body: `{"decision":"accept"}`},
		{status: 200, body: `thank you`, plain: true},
		{status: 422, body: `{"decision":"reject","code":"cap"}`},
		{status: 200, body: `{"decision":"reject","code":"closed"}`},
		{status: 200, body: ``, want: "the body is empty"},
		{status: 204, body: ``, want: "the body is empty"},
		{status: 200, body: `thank you`, want: "not JSON: it goes wrong at byte 2"},
		{status: 200, body: `{"decision":"accept",}`, want: "not JSON: it goes wrong at byte 22"},
		{status: 200, body: `<html></html>`, want: "HTML"},
		{status: 200, body: `["accept"]`, want: "not an object: it is array"},
		{status: 200, body: `"accept"`, want: "not an object: it is string"},
		{status: 200, body: `null`, want: "null"},
		{status: 200, body: `{}`, want: "the object is empty"},
		{status: 200, body: `{"status":"ok","id":7}`, want: `there is no member "decision"; the object has "id", "status"`},
		{status: 200, body: `{"decision":"accepted"}`, want: `the decision is "accepted": write accept or reject`},
		{status: 200, body: `{"Decision":"ACCEPT"}`, want: `the decision is "ACCEPT"`},
		{status: 200, body: `{"decision":true}`, want: "the decision is true, which is not a text"},
		{status: 200, body: "{\"decision\":\"\\u202eaccept\"}", want: `"\u202eaccept"`},
		{status: 422, body: `no`, want: "status 422 without a decision counts as a refusal"},
		{status: 409, body: `{"decision":"accept"}`, want: "status 409 without a decision"},
		{status: 200, body: `{"decision":"reject"}`, want: "there is no code"},
		{status: 200, body: `{"decision":"reject","code":"too_far"}`, want: `the code "too_far" is not one of duplicate, out_of_area`},
		{status: 200, body: `{"decision":"reject","code":4}`, want: "the code 4 is not one of"},
		{status: 401, want: "compare the secret"},
		{status: 403, want: "compare the secret"},
		{status: 404, want: "check its path"},
		{status: 405, want: "does not take POST"},
		{status: 410, want: "gone for good"},
		{status: 302, want: "redirects are not followed"},
		{status: 418, want: "status 418 has no meaning here"},
		{status: 429, want: "asks us to send less"},
		{status: 502, want: "an error on the buyer's side"},
		{status: 0, want: "there was no answer"},
	} {
		got := buyer.Explain(buyer.Answer{Status: c.status, Body: []byte(c.body)}, c.plain)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%d %s: %q, want something with %q", c.status, c.body, got, c.want)
		}
	}
}

// Every answer without a decision is explained, and one that accepts is not.
func TestExplainEveryFailure(t *testing.T) {
	for status := range 600 {
		for _, body := range bodies {
			a := buyer.Answer{Status: status, Body: []byte(body.text)}
			if got, v := buyer.Explain(a, false), buyer.Read(a, false); v.Meaning == buyer.Accepts && got != "" || v.Meaning != buyer.Accepts && v.Meaning != buyer.Declines && got == "" {
				t.Errorf("%d %s is %s: %q", status, body.text, v.Meaning, got)
			}
			if got, v := buyer.ExplainDelivery(a), buyer.ReadDelivery(a); (v.Meaning == buyer.Accepts) != (got == "") {
				t.Errorf("delivery, %d %s is %s: %q", status, body.text, v.Meaning, got)
			}
		}
	}
}
