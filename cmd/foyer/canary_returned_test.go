package main_test

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"foyer/internal/buyer"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/internal/webhook"
	"foyer/test/binary"
)

var canarySecret = webhook.NewSecret([]byte("a secret that only this test knows"))

// TestReturnReasonStaysInDatabase returns a lead with a person's details in the reason, in the address and in the headers,
// signed and unsigned. No answer and no log line repeats them; the operator can read the reason.
func TestReturnReasonStaysInDatabase(t *testing.T) {
	storetest.Parallel(t)
	folder := t.TempDir()
	p := serve(t, folder, "--rate-limit", "off")
	id := p.Submit()
	p.sell(id)
	seen := &strings.Builder{}
	reason := canaries["customer_name"] + ", " + canaries["customer_phone"] + ": " + canaries["notes"]
	for _, c := range []struct {
		offer, body string
		signed      bool
		status      int
	}{
		{"offer_1", `{"offer_id":"offer_1","reason":"` + reason + `"}`, false, 401},
		{url.PathEscape(canaries["customer_name"]), `{"offer_id":"offer_1","reason":"` + reason + `"}`, true, 401},
		{"offer_1", `{"offer_id":"offer_1","reason":"` + strings.Repeat(reason, 20) + `"}`, true, 422},
		{"offer_1", `{"offer_id":"offer_1","reason":"` + reason + `\u0007"}`, true, 422},
		{"offer_1", `{"` + reason + `":1,"` + reason + `":1}`, true, 422},
		{"offer_1", `{"offer_id":"offer_1","reason":"` + reason, true, 422},
		{"offer_1", `{"offer_id":"offer_1","reason":"` + reason + `"}`, true, 200},
		{"offer_1", `{"offer_id":"offer_1","reason":"` + reason + `"}`, true, 200},
	} {
		if status := p.returnLead(c.offer, c.body, c.signed, seen); status != c.status {
			t.Errorf("%s %s: %d, want %d", c.offer, c.body, status, c.status)
		}
	}
	places := map[string]string{"an answer": seen.String(), "the process": p.publicProcessInfo(), "a file beside the database": filesBeside(t, folder)}
	p.Stop()
	places["the log"] = p.Logs()
	for _, trace := range traces {
		for place, text := range places {
			if strings.Contains(text, trace) {
				t.Errorf("%s holds %q", place, trace)
			}
		}
	}
	if strings.Count(p.Logs(), "a buyer returned a lead") != 1 {
		t.Errorf("the log does not tell of one return:\n%s", p.Logs())
	}
	if show, _, code := run(t, "leads", "show", id, "--database", p.Database); code != 0 || !strings.Contains(show, reason) {
		t.Errorf("the operator does not read the reason (exit %d):\n%s", code, show)
	}
}

// sell records, while the service runs, that a lead was delivered to a buyer as offer_1.
func (p *process) sell(id string) {
	p.T.Helper()
	st, err := store.OpenExisting(p.T.Context(), p.Database, slog.New(slog.DiscardHandler))
	if err != nil {
		p.T.Fatal(err)
	}
	err = st.Update(p.T.Context(), func(page *store.Tx) error {
		seq, err := page.LeadOf(id)
		o := buyer.Offer{ID: "offer_1", Lead: seq, Buyer: "buyer_1", At: time.Now(), State: buyer.OfferOpen}
		err = errors.Join(err, page.PutBuyer(buyer.Buyer{ID: "buyer_1", Secrets: []string{canarySecret}, State: buyer.Paused}), page.AddOffer(o))
		o.State = buyer.OfferDelivered
		return errors.Join(err, page.PutOffer(o, buyer.OfferOpen))
	})
	if err := errors.Join(err, st.Close()); err != nil {
		p.T.Fatal(err)
	}
}

// returnLead sends a return and records the answer.
func (p *process) returnLead(offer, body string, signed bool, seen io.Writer) int {
	p.T.Helper()
	req, err := http.NewRequest(http.MethodPost, p.URL+"/v1/offers/"+offer+"/returned?q="+url.QueryEscape(canaries["notes"]), strings.NewReader(body))
	if err != nil {
		p.T.Fatal(err)
	}
	name, now := canaries["customer_name"], time.Now()
	req.Header.Set("User-Agent", name)
	req.Header.Set("webhook-id", name)
	req.Header.Set("webhook-timestamp", fmt.Sprint(now.Unix()))
	req.Header.Set("webhook-signature", "v1,"+name)
	if signed {
		key, err := standard.NewWebhook(canarySecret)
		if err != nil {
			p.T.Fatal(err)
		}
		signature, err := key.Sign(name, now, []byte(body))
		if err != nil {
			p.T.Fatal(err)
		}
		req.Header.Set("webhook-signature", signature)
	}
	res, err := binary.Client.Do(req)
	if err != nil {
		p.T.Fatal(err)
	}
	defer res.Body.Close()
	_ = res.Header.Write(seen)
	if _, err := io.Copy(seen, res.Body); err != nil {
		p.T.Fatal(err)
	}
	return res.StatusCode
}
