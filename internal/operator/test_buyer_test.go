package operator_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/operator/entered"
	"foyer/internal/webhook"
)

// TestTry interprets the answer to a test offer like the answer to a real one.
func TestTry(t *testing.T) {
	o := newTestOperator(t)
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
		"a signature that is wrong": {status: http.StatusUnauthorized, want: buyer.PauseBuyer},
		"an address that is gone":   {status: http.StatusGone, want: buyer.SwitchOff},
		"an error":                  {status: http.StatusInternalServerError, want: buyer.Fails},
		"silence":                   {want: buyer.Fails},
	} {
		t.Run(name, func(t *testing.T) {
			b := o.add(func(in *entered.Terms) { in.OneStep, in.AcceptPlain = &c.plain, &c.plain })
			o.reply = webhook.Outcome{Status: c.status, Answer: []byte(c.body)}
			got, err := o.Try(t.Context(), b.ID, operator.Test{})
			if err != nil || got.First.Verdict.Meaning != c.want || got.First.Verdict.Code != c.code || got.Usable() != c.usable || (got.First.Why == "") != c.usable {
				t.Errorf("got %+v, usable %v, %v", got.First, got.Usable(), err)
			}
		})
	}
}

// TestTryWithoutAnswer says in plain words why nobody answered, and not in those of a library.
func TestTryWithoutAnswer(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	for failure, want := range map[webhook.Failure]string{
		webhook.DNS:            "nobody answers at buyer.example.com: the name does not exist",
		webhook.Connect:        "nobody answers at buyer.example.com: the connection is not accepted",
		webhook.TLS:            "the connection to buyer.example.com is not safe",
		webhook.Timeout:        "buyer.example.com did not answer in time",
		webhook.Reset:          "buyer.example.com closed the connection",
		webhook.BadAnswer:      "what answers at buyer.example.com cannot be read",
		webhook.Stopped:        "the test was given up before buyer.example.com answered",
		webhook.RefusedAddress: "nothing was sent to buyer.example.com: lookup: raw text",
		webhook.BadMessage:     "nothing was sent to buyer.example.com: lookup: raw text",
	} {
		o.reply = webhook.Outcome{Failure: failure, Detail: "lookup: raw text"}
		got, err := o.Try(t.Context(), b.ID, operator.Test{})
		if err != nil || got.Usable() || !strings.HasPrefix(got.First.Why, want) {
			t.Errorf("%s: %q, %v, want %q", failure, got.First.Why, err, want)
		}
	}
}

// TestTryStoresNothing tests a paused buyer, which is when a test is needed.
func TestTryStoresNothing(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(noTerms)
	if _, err := o.Pause(t.Context(), ada, b.ID, ""); err != nil {
		t.Fatal(err)
	}
	before, _ := o.Show(t.Context(), b.ID)
	for range 2 {
		if _, err := o.Try(t.Context(), b.ID, operator.Test{}); err != nil {
			t.Fatal(err)
		}
	}
	if len(o.messages) != 2 || o.messages[0].ID == o.messages[1].ID || o.messages[0].URL != b.Terms.URL || len(o.messages[0].Secrets) != 1 {
		t.Fatalf("sent were %+v", o.messages)
	}
	var said struct {
		Type string
		Data struct{ Test bool }
	}
	if err := json.Unmarshal(o.messages[0].Body, &said); err != nil || said.Type != "lead.offered" || !said.Data.Test {
		t.Errorf("got %s, %v", o.messages[0].Body, err)
	}
	after, _ := o.Show(t.Context(), b.ID)
	if after.Health != before.Health || after.Today() != before.Today() || after.State != buyer.Paused {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// TestTryChosenServiceAndZIP sends what was chosen even if the buyer does not cover it, and says so.
func TestTryChosenServiceAndZIP(t *testing.T) {
	o := newTestOperator(t)
	b := o.add(func(in *entered.Terms) { in.Services, in.ZIPs = new("hvac,handyman"), new("331*") })
	for _, c := range []struct {
		test               operator.Test
		service, zip, said string
	}{
		{operator.Test{}, "hvac", "33139", ""},
		{operator.Test{Service: lead.Handyman, ZIP: "33101"}, "handyman", "33101", ""},
		{operator.Test{Service: lead.PestControl}, "pest_control", "33139", "its terms do not include pest_control"},
		{operator.Test{ZIP: "90210"}, "hvac", "90210", "its area does not include 90210"},
	} {
		o.messages = nil
		got, err := o.Try(t.Context(), b.ID, c.test)
		var said struct {
			Data struct {
				Service string `json:"service_type"`
				ZIP     string `json:"zip_code"`
				Test    bool
			}
		}
		if err := json.Unmarshal(o.messages[0].Body, &said); err != nil {
			t.Fatal(err)
		}
		if err != nil || said.Data.Service != c.service || said.Data.ZIP != c.zip || !said.Data.Test || got.Foreign != c.said {
			t.Errorf("%+v: sent %+v, said %q, %v", c.test, said.Data, got.Foreign, err)
		}
	}
}

// TestTryDelivery follows an accepted offer, as a real delivery would: the same lead and offer, the buyer's reference, and
// a person who does not exist.
func TestTryDelivery(t *testing.T) {
	o := newTestOperator(t)
	for name, c := range map[string]struct {
		oneStep   bool
		offer     string
		delivery  int
		messages  int
		usable    bool
		explained bool
	}{
		"accepted, and taken":       {offer: `{"decision":"accept","buyer_ref":"r-7"}`, delivery: http.StatusOK, messages: 2, usable: true},
		"accepted, and not taken":   {offer: `{"decision":"accept","buyer_ref":"r-7"}`, delivery: http.StatusInternalServerError, messages: 2, explained: true},
		"declined":                  {offer: `{"decision":"reject","code":"cap"}`, messages: 1, usable: true},
		"in one step there is none": {oneStep: true, offer: `{"decision":"accept"}`, messages: 1, usable: true},
	} {
		t.Run(name, func(t *testing.T) {
			b := o.add(func(in *entered.Terms) { in.OneStep = &c.oneStep })
			o.messages = nil
			o.Send = func(_ context.Context, msg webhook.Message) webhook.Outcome {
				o.messages = append(o.messages, msg)
				if len(o.messages) == 1 {
					return webhook.Outcome{Status: http.StatusOK, Answer: []byte(c.offer)}
				}
				return webhook.Outcome{Status: c.delivery}
			}
			got, err := o.Try(t.Context(), b.ID, operator.Test{Deliver: true})
			if err != nil || len(o.messages) != c.messages || got.Usable() != c.usable || (got.Delivery != nil) != (c.messages == 2) {
				t.Fatalf("%d messages, usable %v, %+v, %v", len(o.messages), got.Usable(), got.Delivery, err)
			}
			if c.messages < 2 {
				return
			}
			var told [2]struct {
				Type string
				Data struct {
					Test  bool
					Lead  string `json:"lead_id"`
					Offer string `json:"offer_id"`
					Ref   string `json:"buyer_ref"`
					Name  string `json:"customer_name"`
				}
			}
			for i, msg := range o.messages {
				if err := json.Unmarshal(msg.Body, &told[i]); err != nil {
					t.Fatal(err)
				}
			}
			if told[1].Type != "lead.delivered" || told[1].Data.Lead != told[0].Data.Lead || told[1].Data.Offer != told[0].Data.Offer ||
				told[1].Data.Ref != "r-7" || !told[1].Data.Test || told[1].Data.Name != "Test Example" || (got.Delivery.Why != "") != c.explained {
				t.Errorf("told were %+v; %q", told, got.Delivery.Why)
			}
		})
	}
}
