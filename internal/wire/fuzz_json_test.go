package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

// FuzzJSON parses bodies with the three input specs: parsing is deterministic, errors repeat no input, and every parsed
// value is one that the standard library finds as well. An equivalent form gets the same result.
func FuzzJSON(f *testing.F) {
	for _, body := range []string{
		complete + `}`,
		complete + `,"dry_run":true,"bedrooms":2,"bathrooms":1.5,"square_feet":1.2e3,"preferred_date":"2027-02-28","flexible_dates":false}`,
		complete + `,"bedrooms":"2","city":7,"state":"fl","notes":"one\r\ntwo","address_line":null,"home_type":"","frequency":"weekly"}`,
		complete + `,"consent_to_contact":true}`, complete + `,"consent_to_\u0063ontact":false}`,
		complete + `,"consent_tO_\u0063ontact":false}`, complete + `,"x":1,"x":2e400}`,
		complete + `,"dryRun":true}`, complete + `,"305-555-0123":1,"budget":[1,{"a":null}]}`, complete + `,"a":{"b":1,"b":2}}`,
		`{"service_type":"plumbing","zip_code":"33139","customer_name":"Pat","customer_phone":"305-555-0123","consent_to_contact":false}`,
		`{"service_type":"hvac","zip_code":"33139-0001","customer_email":"@","customer_name":"\u0000\u202e\ud83d\ude00","customer_phone":3055550123}`,
		``, `null`, `[]`, `{`, `{}`, `{}{}`, ` {"zip_code" : "33139" } `, "\ufeff{}", "{\"notes\":\"\xff\"}", `{"notes":"\ud800"}`, `{"bedrooms":NaN}`,
		`{"bedrooms":-0,"bathrooms":-0.0,"square_feet":1e400}`, `{"a":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]}`,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		sent := string(body)
		for _, spec := range []*lead.InputSpec{lead.IntakeInput, lead.ToolInput, lead.CleaningInput} {
			req, refusal := lead.Parse(wire.ReadJSON(spec, body))
			if again, refusedAgain := lead.Parse(wire.ReadJSON(spec, body)); !reflect.DeepEqual(req, again) || !reflect.DeepEqual(refusal, refusedAgain) {
				t.Fatalf("first %+v, %+v\nthen %+v, %+v", req, refusal, again, refusedAgain)
			}
			if refusal != nil {
				wantNoEcho(t, refusal)
				continue
			}
			wantSameAsStdlib(t, body, req)
		}
		if string(body) != sent {
			t.Fatal("the reader wrote into the body")
		}
		if form, same := formFromJSON(body); same {
			wantSameResult(t, wire.ReadJSON(lead.IntakeInput, body), readForm(form), form)
		}
	})
}

// wantSameAsStdlib compares an accepted request with what the standard library reads into a map. A struct would not do,
// because its field names match in any case.
func wantSameAsStdlib(t *testing.T, body []byte, req *lead.Request) {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		t.Fatalf("accepted, but the standard library says %v", err)
	}
	var (
		zip, phone   string
		consent, dry bool
	)
	for name, into := range map[string]any{"zip_code": &zip, "customer_phone": &phone, "consent_to_contact": &consent, "dry_run": &dry} {
		if err := json.Unmarshal(members[name], into); err != nil && (name != "dry_run" || members[name] != nil) {
			t.Fatalf("accepted, but the standard library says of %s %v", name, err)
		}
	}
	phone, ok := lead.Phone(phone)
	zip, isZIP := lead.ZIP(zip)
	if consent != req.Consent || zip != req.ZIP || phone != req.Contact.Phone || !ok || !isZIP || dry != req.DryRun {
		t.Fatalf("accepted as %+v", req)
	}
}
