package storetest

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) privacyRequests(t *testing.T) {
	t.Run("a privacy request is saved once, however often it is sent", c.privacyRequestSaved)
	t.Run("settling deletes the phone number", c.privacyRequestSettled)
	t.Run("the evidence stays until the person is erased", c.privacyRequestEvidence)
	t.Run("a lead is named only a few times a day", c.privacyRequestLimit)
	t.Run("the summary of a lead says since when it is named", c.privacyRequestInSummary)
	t.Run("the lead is closed unless a buyer may have the contact", c.privacyRequestClosesLead)
	t.Run("a client does not wait for a blocked queue", c.privacyRequestTimesOut)
}

func privacyRequest(id string) lead.PrivacyRequest {
	return lead.PrivacyRequest{ID: id, At: Noon, Kind: lead.Withdraw, Phone: somePhone, LeadID: "lead_1", State: lead.PrivacyOpen}
}

const withdrawnReason = "consent withdrawn"

func settle(t *testing.T, s *store.Store, id, note string) error {
	return Operator(s, Noon).SettlePrivacyRequest(t.Context(), audit.System, id, note)
}

func savePrivacyRequest(t *testing.T, s *store.Store, req lead.PrivacyRequest) {
	t.Helper()
	if err := Operator(s, req.At).SavePrivacyRequest(t.Context(), req, withdrawnReason); err != nil {
		t.Fatal(err)
	}
}

func wantPrivacyRequests(t *testing.T, r Reader, all bool, want ...lead.PrivacyRequest) {
	t.Helper()
	got, err := r.PrivacyRequests(t.Context(), all)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the list differs (-want +got):\n%s", diff)
	}
}

// privacyRequestTimesOut blocks an update. The privacy request behind it is refused meanwhile, and is not saved later.
func (c Contract) privacyRequestTimesOut(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	began, end := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		if err := s.Update(t.Context(), func(*store.Tx) error { close(began); <-end; return nil }); err != nil {
			t.Error(err)
		}
	})
	<-began
	if err := Operator(s, Noon).SavePrivacyRequest(t.Context(), privacyRequest("wish_1"), withdrawnReason); KindOf(err) != lead.Unavailable {
		t.Errorf("got %v, want kind %s", err, lead.Unavailable)
	}
	close(end)
	all.Wait()
	savePrivacyRequest(t, s, privacyRequest("wish_2"))
	wantPrivacyRequests(t, r, true, privacyRequest("wish_2"))
}

func (c Contract) privacyRequestSaved(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	first, erase, other, unnamed, phone := privacyRequest("wish_1"), privacyRequest("wish_2"), privacyRequest("wish_3"), privacyRequest("wish_4"), privacyRequest("wish_5")
	erase.Kind, other.LeadID, unnamed.LeadID, phone.LeadID, phone.Phone = lead.EraseAll, "lead_2", "", "", "+13055550124"
	for _, req := range []lead.PrivacyRequest{first, erase, other, unnamed, phone} {
		savePrivacyRequest(t, s, req)
		req.ID, req.At = req.ID+"again", Noon.Add(time.Minute)
		savePrivacyRequest(t, s, req)
	}
	wantPrivacyRequests(t, r, false, first, erase, other, unnamed, phone)
	if got, err := r.PrivacyRequest(t.Context(), "wish_3"); err != nil || got != other {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := r.PrivacyRequest(t.Context(), "wish_9"); KindOf(err) != lead.NotFound {
		t.Errorf("got %v, want kind %s", err, lead.NotFound)
	}
}

func (c Contract) privacyRequestSettled(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	savePrivacyRequest(t, s, privacyRequest("wish_1"))
	for id, want := range map[string]lead.Kind{"wish_1": "", "wish_9": lead.NotFound} {
		if err := settle(t, s, id, "suppressed"); KindOf(err) != want || want == "" && err != nil {
			t.Errorf("%s: got %v, want kind %q", id, err, want)
		}
	}
	if err := settle(t, s, "wish_1", "again"); err == nil || err.Error() != "this privacy request is settled already" {
		t.Errorf("settled twice: %v", err)
	}
	done := privacyRequest("wish_1")
	done.State, done.Phone, done.Note = lead.PrivacyDone, "", "suppressed"
	wantPrivacyRequests(t, r, false)
	wantPrivacyRequests(t, r, true, done)
	savePrivacyRequest(t, s, privacyRequest("wish_2")) // after the first was settled, the same request is a new one
	wantPrivacyRequests(t, r, false, privacyRequest("wish_2"))
}

func (c Contract) privacyRequestEvidence(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	Save(t, s, Lead("lead_1"))
	named, again, elsewhere, unnamed := privacyRequest("wish_1"), privacyRequest("wish_2"), privacyRequest("wish_3"), privacyRequest("wish_4")
	named.Evidence = lead.Evidence{Channel: lead.ChannelForm, Client: "192.0.2.7", UserAgent: "A “browser”", Page: "https://foyer.example.com/privacy", Origin: "https://foyer.example.com", FetchSite: "same-origin", RequestID: "req_1"}
	again.Evidence, again.Evidence.RequestID = named.Evidence, "req_2"
	elsewhere.Evidence = lead.Evidence{Channel: lead.ChannelForm, Client: "192.0.2.8", RequestID: "req_3"}
	unnamed.LeadID, unnamed.Evidence = "", elsewhere.Evidence
	for _, req := range []lead.PrivacyRequest{named, again, elsewhere, unnamed} {
		savePrivacyRequest(t, s, req)
	}
	wantPrivacyRequests(t, r, true, named, elsewhere, unnamed)
	for _, id := range []string{"wish_1", "wish_4"} {
		if err := settle(t, s, id, ""); err != nil {
			t.Fatal(err)
		}
	}
	named.State, named.Phone = lead.PrivacyDone, ""
	unnamed.State, unnamed.Phone, unnamed.Evidence = lead.PrivacyDone, "", lead.Evidence{} // no later erasure would find it
	wantPrivacyRequests(t, r, true, named, elsewhere, unnamed)
	Erase(t, s, "lead_1")
	named.Evidence, elsewhere.Evidence = lead.Evidence{}, lead.Evidence{}
	wantPrivacyRequests(t, r, true, named, elsewhere, unnamed)
}

func (c Contract) privacyRequestLimit(t *testing.T) {
	s := c.store(t)
	Save(t, s, Lead("lead_1"))
	try := func(after time.Duration, phone, leadID string) error {
		req := privacyRequest("wish_" + after.String() + phone + leadID)
		req.At, req.Phone, req.LeadID = Noon.Add(after), phone, leadID
		return Operator(s, req.At).SavePrivacyRequest(t.Context(), req, withdrawnReason)
	}
	for i, at := range []time.Duration{0, time.Hour, 2 * time.Hour} {
		if err := try(at, "+1305555010"+string(rune('1'+i)), "lead_1"); err != nil {
			t.Fatal(err)
		}
	}
	for _, phone := range []string{somePhone, "+13055550101"} { // the right one, and one with an open request
		var refusal *lead.Error
		if err := try(3*time.Hour, phone, "lead_1"); !errors.As(err, &refusal) || refusal.Kind != lead.RateLimited || refusal.Retry != 21*time.Hour {
			t.Errorf("a fourth: %v", err)
		}
	}
	if l, err := s.LeadSummary(t.Context(), "lead_1"); err != nil || l.Status == lead.Rejected {
		t.Errorf("a refused privacy request closed it: %s, %v", l.Status, err)
	}
	for name, err := range map[string]error{
		"another request": try(3*time.Hour, somePhone, "lead_2"), "no request": try(3*time.Hour, somePhone, ""), "a day later": try(24*time.Hour, "+13055550105", "lead_1"),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := try(24*time.Hour, "+13055550106", "lead_1"); KindOf(err) != lead.RateLimited {
		t.Errorf("a fourth within the day: %v", err)
	}
}

func (c Contract) privacyRequestInSummary(t *testing.T) {
	s := c.store(t)
	Save(t, s, Lead("lead_1"))
	Save(t, s, Lead("lead_2"))
	second, first, unnamed := privacyRequest("wish_2"), privacyRequest("wish_1"), privacyRequest("wish_3")
	second.At, second.Phone, first.Phone, unnamed.LeadID = Noon.Add(time.Hour), "+13055550101", "+13055550102", ""
	for _, req := range []lead.PrivacyRequest{second, first, unnamed} {
		savePrivacyRequest(t, s, req)
	}
	if err := settle(t, s, "wish_1", ""); err != nil { // which does not change the summary
		t.Fatal(err)
	}
	for id, want := range map[string]time.Time{"lead_1": Noon, "lead_2": {}} {
		if l, err := s.LeadSummary(t.Context(), id); err != nil || !l.PrivacyAt.Equal(want) {
			t.Errorf("%s: named at %v, %v; want %v", id, l.PrivacyAt, err, want)
		}
	}
}

func (c Contract) privacyRequestClosesLead(t *testing.T) {
	offered := func(step buyer.Step, mayHaveContact bool) func(*testing.T, *store.Store) {
		return func(t *testing.T, s *store.Store) { offerLead(t, s, step, mayHaveContact) }
	}
	for name, tc := range map[string]struct {
		status lead.Status
		phone  string
		before func(*testing.T, *store.Store)
		want   lead.Status
	}{
		"held":                           {lead.Collected, somePhone, nil, lead.Rejected},
		"looking for a buyer":            {lead.Received, somePhone, nil, lead.Rejected},
		"a buyer is being asked":         {lead.Received, somePhone, offered(buyer.StepOffer, false), lead.Rejected},
		"accepted, and nothing sent yet": {lead.Received, somePhone, offered(buyer.StepDeliver, false), lead.Rejected},
		"the contact is on its way":      {lead.Received, somePhone, offered(buyer.StepDeliver, true), lead.Received},
		"passed on":                      {lead.Forwarded, somePhone, nil, lead.Forwarded},
		"another's":                      {lead.Collected, "+13055550199", nil, lead.Collected},
		"nobody's":                       {lead.CallToConnect, "", nil, lead.CallToConnect},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.store(t)
			l := Lead("lead_1")
			l.Status, l.Request.Contact.Phone = tc.status, tc.phone
			Save(t, s, l)
			if tc.before != nil {
				tc.before(t, s)
			}
			savePrivacyRequest(t, s, privacyRequest("wish_1"))
			if got, err := s.LeadSummary(t.Context(), l.ID); err != nil || got.Status != tc.want {
				t.Errorf("it is %s (%v), want %s", got.Status, err, tc.want)
			}
			if tc.want == lead.Rejected {
				wantNoDelivery(t, s)
			}
		})
	}
}

// offerLead offers lead_1 to a buyer, or delivers it; mayHaveContact says whether the buyer may have the contact by now.
func offerLead(t *testing.T, s *store.Store, step buyer.Step, mayHaveContact bool) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		seq, err := tx.LeadOf("lead_1")
		if err != nil {
			return err
		}
		d, _, err := tx.Delivery(seq)
		if err != nil {
			return err
		}
		d.BuyerQueue, d.Step, d.Offer, d.Owner, d.MayHaveContact = "buyer_1", step, "offer_1", "proc_1", mayHaveContact
		if err := tx.AddOffer(buyer.Offer{ID: "offer_1", Lead: seq, Buyer: "buyer_1", At: Noon, State: buyer.OfferOpen}); err != nil {
			return err
		}
		return tx.PutDelivery(d)
	})
}

// wantNoDelivery fails the test if lead_1 has a delivery or counts toward a buyer's caps.
func wantNoDelivery(t *testing.T, s *store.Store) {
	t.Helper()
	update(t, s, func(tx *store.Tx) error {
		seq, err := tx.LeadOf("lead_1")
		if err != nil {
			return err
		}
		if _, found, err := tx.Delivery(seq); err != nil || found {
			t.Errorf("it is still on its way (%v)", err)
		}
		if used, err := tx.Used("buyer_1", buyer.Period{}); err != nil || used.Leads != 0 {
			t.Errorf("it counts %d times (%v)", used, err)
		}
		return nil
	})
}
