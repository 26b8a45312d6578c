package app_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
)

// TestPrivacyRequestWhileBuyerDecides withdraws consent while a buyer decides about the lead. The buyer then accepts, and gets no
// contact.
func TestPrivacyRequestWhileBuyerDecides(t *testing.T) {
	s := start(t, "--allow-private-buyers")
	asked, answer := make(chan string, 8), make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked <- string(body)
		select {
		case <-answer:
		case <-t.Context().Done():
		}
		fmt.Fprint(w, `{"decision":"accept"}`)
	}))
	t.Cleanup(slow.Close)
	held := s.submitHVAC(t)
	s.addBuyer(t, "buyer_slow", slow.URL, nil)
	offer := <-asked
	if r := s.postPrivacyRequest(t, url.Values{"wish": {"withdraw"}, "customer_phone": {"305-555-0123"}, "lead_id": {held.LeadID}}); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	close(answer)
	s.awaitStatus(t, held.LeadID, lead.Rejected)
	if !strings.Contains(offer, "lead.offered") || strings.Contains(offer, "5550123") {
		t.Errorf("the buyer was asked with %s", offer)
	}
	select {
	case more := <-asked:
		t.Errorf("the buyer got another message: %s", more)
	case <-time.After(500 * time.Millisecond):
	}
	if history, err := s.reader(t).History(t.Context(), held.LeadID); err != nil || history[len(history)-1].Status != lead.Rejected {
		t.Errorf("its history is %+v (%v)", history, err)
	}
}
