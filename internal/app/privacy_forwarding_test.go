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

	"foyer/internal/app/apptest"
	"foyer/internal/lead"
	"foyer/internal/store/storetest"
)

// TestPrivacyRequestWhileBuyerDecides withdraws consent while a buyer decides about the lead. The buyer then accepts, and gets no
// contact.
func TestPrivacyRequestWhileBuyerDecides(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--allow-private-buyers")
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
	held := submitHVAC(t, s)
	addBuyer(t, s, "buyer_slow", slow.URL, nil)
	offer := <-asked
	if r := postPrivacyRequest(t, s, url.Values{"wish": {"withdraw"}, "customer_phone": {"305-555-0123"}, "lead_id": {held.LeadID}}); r.Status != 200 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	close(answer)
	awaitStatus(t, s, held.LeadID, lead.Rejected)
	if !strings.Contains(offer, "lead.offered") || strings.Contains(offer, "5550123") {
		t.Errorf("the buyer was asked with %s", offer)
	}
	select {
	case more := <-asked:
		t.Errorf("the buyer got another message: %s", more)
	case <-time.After(500 * time.Millisecond):
	}
	if history, err := s.Reader(t).History(t.Context(), held.LeadID); err != nil || history[len(history)-1].Status != lead.Rejected {
		t.Errorf("its history is %+v (%v)", history, err)
	}
}
