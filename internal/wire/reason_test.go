package wire_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

func TestReadReason(t *testing.T) {
	for body, want := range map[string]string{
		`{"reason":"wrong number"}`:                          "wrong number",
		` { "reason" : "\u00e9 \"quoted\"" } `:               `é "quoted"`,
		`{"ticket":{"id":[7]},"reason":"closed","price":12}`: "closed", // a buyer's own members are ignored
	} {
		if got, refusal := wire.ReadReason([]byte(body)); got != want || refusal != nil {
			t.Errorf("%s: got %q, %v", body, got, refusal)
		}
	}
	for body, says := range map[string]string{
		``:                                      "it ends too early",
		`[]`:                                    "it is not an object",
		`"reason"`:                              "it is not an object",
		`{"reason":"a"`:                         "it ends too early",
		`{"reason":"a"}{}`:                      "something follows",
		`{"reason":"a","reason":"b"}`:           "a key is given more than once",
		`{"reason":"a","x":1,"x":2}`:            "a key is given more than once",
		`{"reason":"a","x":{"y":1,"y":1}}`:      "a key is given more than once",
		`{'reason':'a'}`:                        "look near byte",
		"{\"reason\":\"\xff\"}":                 "look near byte",
		`{"x":` + strings.Repeat("[", 40) + `1`: "it ends too early",
		`{"x":` + strings.Repeat(`[`, 40) + strings.Repeat(`]`, 40) + `}`: "it nests deeper than 32 levels",
		`{}`:                  "Reason: missing",
		`{"Reason":"a"}`:      "Reason: missing",
		`{"reason":null}`:     "Reason: missing",
		`{"reason":["late"]}`: "a list or an object where text belongs",
	} {
		if _, refusal := wire.ReadReason([]byte(body)); lead.KindOf(refusal) != lead.Invalid || !strings.Contains(refusal.Message, says) {
			t.Errorf("%s: %v", body, refusal)
		}
	}
}
