package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/lead"
	"foyer/internal/operator"
)

// closing is the change that the tests make to leads.
var closing = lead.Change{At: Noon.AddDate(0, 1, 0), Status: lead.Rejected, Actor: lead.ByService, Reason: "nobody covered it"}

// held checks that held leads are closed when they are too old, each once, and no others.
func (c Contract) held(t *testing.T) {
	database := c.NewDatabase(t)
	s, reader := Open(t, database), OpenReader(t, database)
	save := func(id string, at time.Time, change func(*lead.Lead)) {
		l := Lead(id)
		l.CreatedAt, l.UpdatedAt = at, at
		change(&l)
		if _, err := s.SaveLead(t.Context(), &l, nil, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	save("lead_ahead", Noon.Add(48*time.Hour), func(*lead.Lead) {}) // from a clock that is ahead: it does not hide those after it
	for i := range 1200 {                                           // more than one commit handles
		save(fmt.Sprintf("lead_old%d", i), Noon, func(*lead.Lead) {})
	}
	save("lead_dialled", Noon, func(l *lead.Lead) { l.Status = lead.CallToConnect })
	save("lead_edge", Noon.Add(time.Hour), func(*lead.Lead) {})
	save("lead_other", Noon.Add(time.Hour), func(l *lead.Lead) { l.Request.Contact.Phone = "+13055550199" })

	closed, err := Job(t, s).CloseHeld(t.Context(), Noon.Add(time.Hour), closing)
	if err != nil || closed != 1200 {
		t.Fatalf("closed %d, %v; want 1200", closed, err)
	}
	if again, err := Job(t, s).CloseHeld(t.Context(), Noon.Add(time.Hour), closing); err != nil || again != 0 {
		t.Errorf("closed %d more, %v", again, err)
	}
	for id, want := range map[string]lead.Status{"lead_old0": lead.Rejected, "lead_old1199": lead.Rejected, "lead_dialled": lead.CallToConnect, "lead_edge": lead.Collected, "lead_ahead": lead.Collected} {
		l, err := s.LeadSummary(t.Context(), id)
		if err != nil || l.Status != want {
			t.Errorf("%s is %s, %v; want %s", id, l.Status, err, want)
		}
		if want == lead.Rejected && !l.UpdatedAt.Equal(closing.At) {
			t.Errorf("%s was changed at %v", id, l.UpdatedAt)
		}
	}
	if history, err := reader.History(t.Context(), "lead_old0"); err != nil || !cmp.Equal(history, []lead.Change{closing}) {
		t.Errorf("the history is %+v, %v", history, err)
	}
	if history, err := reader.History(t.Context(), "lead_edge"); err != nil || len(history) != 0 {
		t.Errorf("the history of an unchanged lead is %+v, %v", history, err)
	}

	if n, err := Operator(s, closing.At).Suppress(t.Context(), audit.System, "+13055550199", "asked"); err != nil || n != 1 {
		t.Errorf("closed %d of the number, %v; want 1", n, err)
	}
	if l, _ := s.LeadSummary(t.Context(), "lead_other"); l.Status != lead.Rejected {
		t.Errorf("a held lead of the number is %s", l.Status)
	}
	if n, err := Operator(s, closing.At).Suppress(t.Context(), audit.System, "+13055550100", "asked"); err != nil || n != 0 {
		t.Errorf("closed %d of a number nobody gave, %v", n, err)
	}
}

// erase checks that Erase deletes personal data, and nothing else.
func (c Contract) erase(t *testing.T) {
	database := c.NewDatabase(t)
	s, reader := Open(t, database), OpenReader(t, database)
	want := FullLead("lead_1")
	if _, err := s.SaveLead(t.Context(), &want, nil, time.Time{}); err != nil {
		t.Fatal(err)
	}
	operators := Operator(s, closing.At)
	if own, err := operators.Erase(t.Context(), audit.System, want.ID); err != nil || own != want.ID {
		t.Fatal(own, err)
	}
	erased := closing
	erased.Reason = operator.ErasedReason
	want.Request.Contact, want.Request.City, want.Request.SourceAgent = lead.Contact{}, "", ""
	want.Status, want.UpdatedAt = closing.Status, closing.At
	want.Evidence = lead.Evidence{Channel: want.Evidence.Channel, RequestID: want.Evidence.RequestID, Consent: want.Evidence.Consent}
	if got, err := reader.Lead(t.Context(), want.ID); err != nil || !cmp.Equal(want, got) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	if history, err := reader.History(t.Context(), want.ID); err != nil || !cmp.Equal(history, []lead.Change{erased}) {
		t.Errorf("the history is %+v, %v", history, err)
	}
	if _, err := operators.Erase(t.Context(), audit.System, "lead_none"); lead.KindOf(err) != lead.NotFound {
		t.Errorf("erasing an unknown lead: %v", err)
	}
}

func (c Contract) heldList(t *testing.T) {
	s := c.store(t)
	for i, status := range []lead.Status{lead.Collected, lead.Received, lead.Collected, lead.Rejected, lead.Collected} {
		l := Lead(fmt.Sprint("lead_", i))
		l.Status, l.Request.ZIP = status, fmt.Sprintf("3313%d", i)
		Save(t, s, l)
	}
	zips := func(after int64, limit int) (zips []string, last int64) {
		held, err := s.HeldAfter(t.Context(), after, limit)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range held {
			if last = h.Lead; h.Service != lead.HouseCleaning {
				t.Errorf("held is %+v", h)
			}
			zips = append(zips, h.ZIP)
		}
		return zips, last
	}
	first, last := zips(0, 2)
	rest, end := zips(last, 2)
	none, _ := zips(end, 2)
	if !cmp.Equal(first, []string{"33130", "33132"}) || !cmp.Equal(rest, []string{"33134"}) || none != nil {
		t.Errorf("held are %v, then %v, then %v", first, rest, none)
	}
}
