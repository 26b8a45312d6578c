package wire_test

import (
	"testing"

	"foyer/internal/lead"
	"foyer/internal/wire"
)

func TestErrorBody(t *testing.T) {
	for name, c := range map[string]struct {
		err  *lead.Error
		want string
	}{
		"without fields": {
			&lead.Error{Kind: lead.NotFound, Message: "There is nothing."},
			`{"error":"not_found","message":"There is nothing."}`,
		},
		"fields in the order of the problems": {
			&lead.Error{Kind: lead.Invalid, Message: "B. A.", Problems: []lead.Problem{{Field: "b", Text: "B."}, {Field: "a", Text: "A."}}},
			`{"error":"invalid_request","message":"B. A.","fields":{"b":"B.","a":"A."}}`,
		},
		"a field with two problems has both texts": {
			&lead.Error{Kind: lead.Invalid, Message: "One. A. Two.", Problems: []lead.Problem{{Field: "b", Text: "One."}, {Field: "a", Text: "A."}, {Field: "b", Text: "Two."}}},
			`{"error":"invalid_request","message":"One. A. Two.","fields":{"b":"One. Two.","a":"A."}}`,
		},
		"the cause stays inside": {
			&lead.Error{Kind: lead.Unavailable, Message: "Later.", Retry: 5, Cause: lead.Malformed("secret")},
			`{"error":"unavailable","message":"Later."}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(wire.Marshal(wire.ErrorBody(c.err))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestObjectKeepsItsOrder(t *testing.T) {
	o := wire.Object{{"z", 1}, {"a", nil}, {"m", wire.Object{}}, {"l", []string{"<&>"}}}
	if got := string(wire.Marshal(o)); got != `{"z":1,"a":null,"m":{},"l":["<&>"]}` {
		t.Errorf("got %s", got)
	}
	if got := string(wire.MarshalIndent(wire.Object{{"z", 1}, {"a", true}})); got != "{\n  \"z\": 1,\n  \"a\": true\n}\n" {
		t.Errorf("got %s", got)
	}
}

func TestMarshalPanics(t *testing.T) {
	for name, write := range map[string]func(any) []byte{"plain": wire.Marshal, "indented": wire.MarshalIndent} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			write(wire.Object{{"f", func() {}}})
		}()
	}
}

// TestReceiptHasAllMembers checks that all nine members of LeadResponse are present, null if unset.
func TestReceiptHasAllMembers(t *testing.T) {
	want := `{"lead_id":"dry_1","status":"validated","message":"m","next_steps":[],"estimated_payout_hint":null,` +
		`"call_to_connect":null,"call_to_connect_display":null,"call_instruction":null,"dry_run":true}`
	if got := string(wire.Marshal(lead.Receipt{LeadID: "dry_1", Status: lead.Validated, Message: "m", DryRun: true})); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
