package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"foyer/internal/app/apptest"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
)

var (
	ownSecret   = webhook.NewSecret([]byte("the secret of the one buyer there is"))
	otherSecret = webhook.NewSecret([]byte("a secret that belongs to another buyer"))
)

// seedOffers stores a lead with three offers: delivered (offer_1), delivered too long ago, and declined.
func seedOffers(t *testing.T, s *apptest.Service) {
	t.Helper()
	s.ViaJSON(t, apptest.Request{})
	id := apptest.NewestLead(t, s.Reader(t)).ID
	b := buyer.Buyer{
		ID: "buyer_one", State: buyer.Active, CreatedAt: time.Now(), UpdatedAt: time.Now(),
		Terms: buyer.Terms{Name: "Example network", URL: "https://hook.example.com/", Area: buyer.Area{ZIPs: "99501"}, Priority: buyer.DefaultPriority},
	}
	b.Secrets = []string{otherSecret, ownSecret} // two during a rotation
	err := s.OpenStore(t).Update(t.Context(), func(tx *store.Tx) error {
		seq, err := tx.LeadOf(id)
		err = errors.Join(err, tx.PutBuyer(b))
		for offer, age := range map[string]time.Duration{"offer_1": time.Hour, "offer_old": 8 * 24 * time.Hour, "offer_declined": time.Hour} {
			o := buyer.Offer{ID: offer, Lead: seq, Buyer: b.ID, At: time.Now().Add(-age), State: buyer.OfferOpen}
			err = errors.Join(err, tx.AddOffer(o))
			if o.State = buyer.OfferDelivered; offer == "offer_declined" {
				o.State = buyer.OfferDeclined
			}
			err = errors.Join(err, tx.PutOffer(o, buyer.OfferOpen))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// signedHeaders returns the headers of a message signed with a secret at a time.
func signedHeaders(t *testing.T, secret string, at time.Time, body string) []string {
	t.Helper()
	return signedHeadersAs(t, "msg_return", secret, at, body)
}

// signedHeadersAs is signedHeaders with a message id.
func signedHeadersAs(t *testing.T, id, secret string, at time.Time, body string) []string {
	t.Helper()
	key, err := standard.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := key.Sign(id, at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return []string{"webhook-id", id, "webhook-timestamp", fmt.Sprint(at.Unix()), "webhook-signature", signature, "Content-Type", "application/json"}
}

const goodReason = `{"offer_id":"offer_1","reason":"The number is not in service"}`

// reasonFor returns a good body for another offer.
func reasonFor(offer string) string { return strings.ReplaceAll(goodReason, "offer_1", offer) }

func TestReturnLead(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	seedOffers(t, s)
	var first apptest.Reply
	for i, c := range []struct{ id, body string }{
		{"msg_1", goodReason},
		{"msg_1", goodReason}, // sent again
		{"msg_2", `{"offer_id":"offer_1","reason":"another reason"}`},
	} {
		r := s.Send(t, http.MethodPost, "/v1/offers/offer_1/returned", c.body, signedHeadersAs(t, c.id, ownSecret, time.Now(), c.body)...)
		var answer struct {
			OfferID    string    `json:"offer_id"`
			ReturnedAt time.Time `json:"returned_at"`
		}
		if err := json.Unmarshal(r.Body, &answer); err != nil || r.Status != 200 || answer.OfferID != "offer_1" || time.Since(answer.ReturnedAt) > time.Minute {
			t.Fatalf("got %d %s", r.Status, r.Body)
		}
		if i == 0 {
			first = r
		} else if string(r.Body) != string(first.Body) {
			t.Errorf("the repeat was answered %s, the first %s", r.Body, first.Body)
		}
	}
	another := `{"offer_id":"offer_1","reason":"yet another"}`
	r := s.Send(t, http.MethodPost, "/v1/offers/offer_1/returned", another, signedHeadersAs(t, "msg_1", ownSecret, time.Now(), another)...)
	if got := apptest.ParseOutcome(t, r.Body); r.Status != 422 || got.Verdict != "idempotency_key_reused" {
		t.Errorf("another message with a known id: %d %s", r.Status, r.Body)
	}
	if l := apptest.NewestLead(t, s.Reader(t)); l.Status != lead.Collected {
		t.Errorf("the lead is %s: a return changes no status", l.Status)
	}
}

// TestReturnWithoutSecret expects a client without the secret to learn nothing: neither whether an offer exists, nor what is wrong
// with a body.
func TestReturnWithoutSecret(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	seedOffers(t, s)
	good := func(body string) []string { return signedHeaders(t, ownSecret, time.Now(), body) }
	var same string
	for _, c := range []struct {
		name, offer, body string
		headers           []string
	}{
		{"not signed", "offer_1", goodReason, nil},
		{"signed with another secret", "offer_1", goodReason, signedHeaders(t, webhook.NewSecret([]byte("this secret belongs to no buyer!")), time.Now(), goodReason)},
		{"another body was signed", "offer_1", goodReason, good(`{"reason":"x"}`)},
		{"an old message", "offer_1", goodReason, signedHeaders(t, ownSecret, time.Now().Add(-6*time.Minute), goodReason)},
		{"from the future", "offer_1", goodReason, signedHeaders(t, ownSecret, time.Now().Add(6*time.Minute), goodReason)},
		{"no such offer", "offer_2", reasonFor("offer_2"), good(reasonFor("offer_2"))},
		{"no such offer, the body of another", "offer_2", goodReason, good(goodReason)},
		{"no id at all", "x", goodReason, good(goodReason)},
		{"a bad body, not signed", "offer_1", `{"reason":`, nil},
		{"a bad body of an unknown offer", "offer_2", `{}`, good(`{}`)},
		{"too late, not signed", "offer_old", goodReason, nil},
	} {
		r := s.Send(t, http.MethodPost, "/v1/offers/"+c.offer+"/returned", c.body, c.headers...)
		if r.Status != 401 || r.Header.Get("WWW-Authenticate") == "" || !strings.Contains(string(r.Body), `"error":"unauthorized"`) {
			t.Errorf("%s: %d %s", c.name, r.Status, r.Body)
		}
		if same == "" {
			same = string(r.Body)
		}
		if string(r.Body) != same {
			t.Errorf("%s is told apart:\n%s\n%s", c.name, r.Body, same)
		}
	}
}

// TestReturnRefused tests the errors that a buyer with a valid signature gets.
func TestReturnRefused(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	seedOffers(t, s)
	for _, c := range []struct {
		offer, body string
		verdict     string
		fields      int
	}{
		{"offer_1", `{}`, "invalid_request", 2},
		{"offer_1", `{"reason":"x"}`, "invalid_request", 1},
		{"offer_1", `{"offer_id":"","reason":"x"}`, "invalid_request", 1},
		{"offer_1", reasonFor("offer_old"), "invalid_request", 1}, // the same buyer's other offer
		{"offer_old", goodReason, "invalid_request", 1},
		{"offer_1", `{"offer_id":"offer_1","reason":" "}`, "invalid_request", 1},
		{"offer_1", `{"offer_id":"offer_1","reason":7}`, "invalid_request", 1},
		{"offer_1", `{"offer_id":"offer_1","reason":"` + strings.Repeat("x", 501) + `"}`, "invalid_request", 1},
		{"offer_1", `{"reason":"a","reason":"b"}`, "invalid_request", 0},
		{"offer_1", ``, "invalid_request", 0},
		{"offer_old", reasonFor("offer_old"), "rejected", 0},
		{"offer_declined", reasonFor("offer_declined"), "rejected", 0},
	} {
		r := s.Send(t, http.MethodPost, "/v1/offers/"+c.offer+"/returned", c.body, signedHeaders(t, ownSecret, time.Now(), c.body)...)
		if got := apptest.ParseOutcome(t, r.Body); r.Status != 422 || got.Verdict != c.verdict || len(got.Fields) != c.fields {
			t.Errorf("%s %s: %d %s", c.offer, c.body, r.Status, r.Body)
		}
	}
	big := `{"reason":"` + strings.Repeat(" ", 64<<10) + `"}`
	if r := s.Send(t, http.MethodPost, "/v1/offers/offer_1/returned", big, signedHeaders(t, ownSecret, time.Now(), big)...); r.Status != 413 {
		t.Errorf("too large: %d %s", r.Status, r.Body)
	}
	if r := s.Send(t, http.MethodPost, "/v1/offers/offer_1/returned", "reason=x", "Content-Type", apptest.FormType); r.Status != 415 || r.Header.Get("Accept-Post") != "application/json" {
		t.Errorf("a form: %d %v", r.Status, r.Header)
	}
	if r := s.Send(t, http.MethodGet, "/v1/offers/offer_1/returned", ""); r.Status != 405 || r.Header.Get("Allow") != "POST" {
		t.Errorf("GET: %d %v", r.Status, r.Header)
	}
}

// TestReturnsCountAsAttempts expects returns to share the rate limit of dry runs and refused requests.
func TestReturnsCountAsAttempts(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "1/day burst 1")
	for range 20 {
		r := s.Send(t, http.MethodPost, "/v1/offers/offer_1/returned", goodReason, "Content-Type", "application/json")
		if r.Status == 429 {
			if r.Header.Get("Retry-After") == "" || r.Header.Get("RateLimit-Policy") == "" {
				t.Errorf("got %v", r.Header)
			}
			return
		}
	}
	t.Error("twenty guesses at a signature were answered")
}
