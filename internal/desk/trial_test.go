package desk_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/desk"
	"foyer/internal/forward"
)

// TestTryingAnAddress reads the answer to a test offer as it would be read.
func TestTryingAnAddress(t *testing.T) {
	o := newOffice(t)
	for name, c := range map[string]struct {
		plain  bool
		status int
		body   string
		want   buyer.Meaning
		code   buyer.Code
		usable bool
	}{
		"an acceptance":             {status: http.StatusOK, body: `{"decision":"accept","buyer_ref":"r1"}`, want: buyer.Accepts, usable: true},
		"a refusal":                 {status: http.StatusOK, body: `{"decision":"reject","code":"out_of_area"}`, want: buyer.Declines, code: buyer.CodeOutOfArea, usable: true},
		"no decision":               {status: http.StatusOK, body: `thank you`, want: buyer.Fails},
		"no decision, where plain":  {plain: true, status: http.StatusOK, body: `thank you`, want: buyer.Accepts, usable: true},
		"a signature that is wrong": {status: http.StatusUnauthorized, want: buyer.Withdraw},
		"an address that is gone":   {status: http.StatusGone, want: buyer.SwitchOff},
		"an error":                  {status: http.StatusInternalServerError, want: buyer.Fails},
		"silence":                   {want: buyer.Fails},
	} {
		t.Run(name, func(t *testing.T) {
			b := o.add(func(d *desk.Draft) { d.OneStep, d.AcceptPlain = &c.plain, &c.plain })
			o.reply = forward.Reply{Answer: buyer.Answer{Status: c.status, Body: []byte(c.body)}}
			got, err := o.Try(t.Context(), b.ID)
			if err != nil || got.Verdict.Meaning != c.want || got.Verdict.Code != c.code || got.Usable() != c.usable {
				t.Errorf("got %+v, usable %v, %v", got.Verdict, got.Usable(), err)
			}
		})
	}
}

// TestATestIsMarkedAndLeavesNothing tries a buyer that is paused, which is when it is wanted.
func TestATestIsMarkedAndLeavesNothing(t *testing.T) {
	o := newOffice(t)
	b := o.add(nothing)
	if _, err := o.Pause(t.Context(), b.ID, ""); err != nil {
		t.Fatal(err)
	}
	before, _ := o.Show(t.Context(), b.ID)
	for range 2 {
		if _, err := o.Try(t.Context(), b.ID); err != nil {
			t.Fatal(err)
		}
	}
	if len(o.letters) != 2 || o.letters[0].ID == o.letters[1].ID || o.letters[0].URL != b.Terms.URL || len(o.letters[0].Secrets) != 1 {
		t.Fatalf("sent were %+v", o.letters)
	}
	var said struct {
		Type string
		Data struct{ Test bool }
	}
	if err := json.Unmarshal(o.letters[0].Body, &said); err != nil || said.Type != "lead.offered" || !said.Data.Test {
		t.Errorf("got %s, %v", o.letters[0].Body, err)
	}
	after, _ := o.Show(t.Context(), b.ID)
	if after.Standing != before.Standing || after.Today() != before.Today() || after.State != buyer.Paused {
		t.Errorf("before %+v, after %+v", before, after)
	}
}
