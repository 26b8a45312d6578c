package buyer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"foyer/internal/buyer"
)

// bodies are response bodies, with the decision that each contains.
var bodies = []struct {
	name, text string
	decision   buyer.Meaning // "" for none
	code       buyer.Code
	ref        string
}{
	{name: "nothing"},
	{name: "accept", text: `{"decision":"accept"}`, decision: buyer.Accepts},
	{name: "accept with a name", text: `{"decision":"accept","buyer_ref":"A-17"}`, decision: buyer.Accepts, ref: "A-17"},
	{name: "accept, and a code", text: `{"decision":"accept","code":"cap"}`, decision: buyer.Accepts},
	{name: "reject for a cap", text: `{"decision":"reject","code":"cap"}`, decision: buyer.Declines, code: buyer.CodeCap},
	{name: "reject with a name", text: `{"decision":"reject","code":"closed","buyer_ref":"A-18"}`, decision: buyer.Declines, code: buyer.CodeClosed, ref: "A-18"},
	{name: "reject without a code", text: `{"decision":"reject"}`, decision: buyer.Declines, code: buyer.CodeOther},
	{name: "reject with a code of its own", text: `{"decision":"reject","code":"mood"}`, decision: buyer.Declines, code: buyer.CodeOther},
	{name: "another decision", text: `{"decision":"perhaps"}`},
	{name: "another spelling", text: `{"decision":"Accept"}`},
	{name: "no JSON", text: `accept`},
	{name: "half of it", text: `{"decision":"accept"`},
	{name: "two of them", text: `{"decision":"accept"}{"decision":"reject"}`},
	{name: "a list", text: `[{"decision":"accept"}]`},
	{name: "a page", text: `<html>thank you</html>`},
}

// TestReadEveryStatus combines every status with every body.
func TestReadEveryStatus(t *testing.T) {
	for status := range 600 {
		for _, body := range bodies {
			for _, plain := range []bool{false, true} {
				a := buyer.Answer{Status: status, Body: []byte(body.text)}
				want := buyer.Verdict{Meaning: buyer.Fails} // 1xx, 408, 425, 429, 5xx, and any other
				switch {
				case status >= 300 && status < 400, status == 401, status == 403, status == 404:
					want.Meaning = buyer.PauseBuyer
				case status == 410:
					want.Meaning = buyer.SwitchOff
				case status >= 200 && status < 300 && body.decision != "":
					want = buyer.Verdict{Meaning: body.decision, Code: body.code, Ref: body.ref, Said: true}
				case status >= 200 && status < 300 && plain:
					want.Meaning = buyer.Accepts
				case (status == 400 || status == 409 || status == 422) && body.decision == buyer.Declines:
					want = buyer.Verdict{Meaning: buyer.Declines, Code: body.code, Ref: body.ref, Said: true}
				case status == 400, status == 409, status == 422:
					want = buyer.Verdict{Meaning: buyer.Declines, Code: buyer.CodeOther}
				}
				if got := buyer.Read(a, plain); got != want {
					t.Errorf("%d with %s (plain accepts: %v) means %+v, want %+v", status, body.name, plain, got, want)
				}
			}
		}
	}
}

// A buyer that accepted the offer acknowledges the contact with any 2xx; only 400, 409 and 422 refuse it.
func TestReadDeliveryEveryStatus(t *testing.T) {
	for status := range 600 {
		for _, body := range bodies {
			want := buyer.Verdict{Meaning: buyer.Fails}
			switch {
			case status >= 300 && status < 400, status == 401, status == 403, status == 404:
				want.Meaning = buyer.PauseBuyer
			case status == 410:
				want.Meaning = buyer.SwitchOff
			case status >= 200 && status < 300:
				want = buyer.Verdict{Meaning: buyer.Accepts, Ref: body.ref}
			case status == 400, status == 409, status == 422:
				want = buyer.Verdict{Meaning: buyer.Declines, Code: buyer.CodeOther}
				if body.decision == buyer.Declines {
					want.Code = body.code
				}
			}
			if got := buyer.ReadDelivery(buyer.Answer{Status: status, Body: []byte(body.text)}); got != want {
				t.Errorf("%d with %s means %+v, want %+v", status, body.name, got, want)
			}
		}
	}
}

// No response is a failure, whether or not the buyer may have seen the message: package forward knows what was sent, and
// decides what follows.
func TestReadNoAnswer(t *testing.T) {
	if got := buyer.Read(buyer.Answer{}, true); got.Meaning != buyer.Fails {
		t.Errorf("got %+v", got)
	}
	if got := buyer.ReadDelivery(buyer.Answer{}); got.Meaning != buyer.Fails {
		t.Errorf("delivered: %+v", got)
	}
}

// A decision counts whatever the types of the other members: many buyers use a number as the reference. Above all, a reject
// is never read as a 2xx without a decision, which accepts if the terms say so.
func TestDecisionBesideOtherTypes(t *testing.T) {
	for text, want := range map[string]buyer.Meaning{
		`{"decision":"accept","buyer_ref":4711}`:              buyer.Accepts,
		`{"decision":"accept","buyer_ref":null,"code":null}`:  buyer.Accepts,
		`{"decision":"accept","buyer_ref":{"id":1}}`:          buyer.Accepts,
		`{"decision":"reject","code":7}`:                      buyer.Declines,
		`{"decision":"reject","code":"cap","buyer_ref":4711}`: buyer.Declines,
		`{"code":7,"decision":"reject"}`:                      buyer.Declines,
	} {
		for _, plain := range []bool{false, true} {
			if got := buyer.Read(buyer.Answer{Status: 200, Body: []byte(text)}, plain); got.Meaning != want {
				t.Errorf("%s (plain accepts: %v) means %+v", text, plain, got)
			}
		}
	}
}

func TestCodes(t *testing.T) {
	for _, code := range buyer.Codes {
		v := buyer.Read(buyer.Answer{Status: 200, Body: fmt.Appendf(nil, `{"decision":"reject","code":%q}`, code)}, false)
		if v.Code != code {
			t.Errorf("%s was read as %s", code, v.Code)
		}
		if got, want := code.ForGood(), !slices.Contains([]buyer.Code{"cap", "closed"}, code); got != want {
			t.Errorf("%s is for good: %v", code, got)
		}
	}
	if len(buyer.Codes) != 8 {
		t.Errorf("the contract has 8 codes, and here are %d", len(buyer.Codes))
	}
}

// A buyer's reference is stored as text that every database accepts, up to a maximum length.
func TestRef(t *testing.T) {
	for name, ref := range map[string]string{
		"long":       strings.Repeat("x", 10_000),
		"cut apart":  strings.Repeat("é", 5_000),
		"a zero":     `a\u0000b`,
		"half a one": "a\xffb",
	} {
		v := buyer.Read(buyer.Answer{Status: 200, Body: []byte(`{"decision":"accept","buyer_ref":"` + ref + `"}`)}, false)
		if v.Meaning != buyer.Accepts || v.Ref == "" || len(v.Ref) > 200 || !utf8.ValidString(v.Ref) || strings.Contains(v.Ref, "\x00") {
			t.Errorf("%s: %s with %q", name, v.Meaning, v.Ref)
		}
	}
	for given, want := range map[string]string{
		`4711`: "4711", `9007199254740993`: "9007199254740993", `1790000000000000001`: "1790000000000000001", `"a-1"`: "a-1", `null`: "", `true`: "", `{"id":1}`: "", `[1]`: "",
		strings.Repeat("9", 300): strings.Repeat("9", 200),
	} {
		if v := buyer.Read(buyer.Answer{Status: 200, Body: []byte(`{"decision":"accept","buyer_ref":` + given + `}`)}, false); v.Meaning != buyer.Accepts || v.Ref != want {
			t.Errorf("%s: %s with %q, want %q", given, v.Meaning, v.Ref, want)
		}
	}
}
