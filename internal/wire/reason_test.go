package wire_test

import (
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

func TestReadReturn(t *testing.T) {
	for body, want := range map[string]string{
		`{"offer_id":"offer_1","reason":"wrong number"}`:                          "other wrong number",
		`{"code":"bad_contact","offer_id":"offer_1","reason":"wrong number"}`:     "bad_contact wrong number",
		` { "reason" : "\u00e9 \"quoted\"" , "offer_id" : " offer_1 " } `:         `other é "quoted"`,
		`{"ticket":{"id":[7]},"reason":"closed","price":12,"offer_id":"offer_1"}`: "other closed", // other members are ignored
	} {
		if got, refusal := wire.ReadReturn("offer_1", []byte(body)); string(got.Code)+" "+got.Reason != want || got.Offer != "offer_1" || refusal != nil {
			t.Errorf("%s: got %+v, %v", body, got, refusal)
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
		`{"offer_id":"offer_1","offer_id":"offer_2","reason":"a"}`:        "a key is given more than once",
		`{}`:                                                "Offer: missing. Give the same offer_id as in the address, inside the signed body. Reason: missing",
		`{"reason":"a"}`:                                    "Offer: missing",
		`{"reason":"a","offer_id":null}`:                    "Offer: missing",
		`{"reason":"a","offer_id":"offer_2"}`:               "Offer: not the one in the address",
		`{"reason":"a","offer_id":"OFFER_1"}`:               "Offer: not the one in the address",
		`{"reason":"a","offer_id":1}`:                       "Offer: a number where text belongs",
		`{"offer_id":"offer_1"}`:                            "Reason: missing",
		`{"offer_id":"offer_1","reason":"a","code":"mood"}`: "Code: not one of the choices. Give one of bad_contact, duplicate, out_of_area, service_not_offered, consent, other, or leave it out",
		`{"Reason":"a"}`:                                    "Reason: missing",
		`{"reason":null}`:                                   "Reason: missing",
		`{"reason":["late"]}`:                               "a list or an object where text belongs",
	} {
		if _, refusal := wire.ReadReturn("offer_1", []byte(body)); lead.KindOf(refusal) != lead.Invalid || !strings.Contains(refusal.Message, says) {
			t.Errorf("%s: %v", body, refusal)
		}
	}
}
