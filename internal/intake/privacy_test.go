package intake_test

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/audit"
	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

func privacyInput(kind, phone, id string) intake.PrivacyInput {
	return intake.PrivacyInput{Kind: kind, Phone: phone, LeadID: id, Client: client}
}

func (f *fixture) privacyRequests(t *testing.T) []lead.PrivacyRequest {
	t.Helper()
	list, err := f.rows.PrivacyRequests(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (f *fixture) statusOf(t *testing.T, id string) lead.Status {
	t.Helper()
	l, err := f.store.LeadSummary(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return l.Status
}

// TestPrivacyRequestIsSaved checks that the spelling of the input does not matter.
func TestPrivacyRequestIsSaved(t *testing.T) {
	f := newFixture(t)
	id := f.submit(t, submission(nil)).LeadID
	for _, in := range []intake.PrivacyInput{
		privacyInput(" withdraw ", "(305) 555-0123", id),
		privacyInput("withdraw", "+13055550123", "https://foyer.example.com/status/"+id),
		privacyInput("withdraw", "+13055550123", "https://foyer.example.com/status/"+id+"/"),
		privacyInput("withdraw", "1 305.555.0123", " "+id+" "),
	} {
		kept, err := f.RequestPrivacy(t.Context(), in)
		if err != nil || kept.Kind != lead.Withdraw || kept.Phone != "+13055550123" || kept.LeadID != id || kept.State != lead.PrivacyOpen || !kept.At.Equal(noon) {
			t.Errorf("%+v: got %+v, %v", in, kept, err)
		}
	}
	if kept := f.privacyRequests(t); len(kept) != 1 {
		t.Errorf("kept are %+v, want one: the others are the same", kept)
	}
}

// TestPrivacyRequestClosesLead checks that a lead is closed immediately if the request has its id and phone number. Every
// other request waits for the operator.
func TestPrivacyRequestClosesLead(t *testing.T) {
	for _, tc := range []struct {
		name, kind, phone string
		named             bool
		want              lead.Status
	}{
		{"withdrawn", "withdraw", "305-555-0123", true, lead.Rejected},
		{"to be erased", "erase", "305-555-0123", true, lead.Rejected},
		{"another's number", "withdraw", "305-555-0124", true, lead.Collected},
		{"no reference", "withdraw", "305-555-0123", false, lead.Collected},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t)
			id, named := f.submit(t, submission(nil)).LeadID, ""
			if tc.named {
				named = id
			}
			if _, err := f.RequestPrivacy(t.Context(), privacyInput(tc.kind, tc.phone, named)); err != nil {
				t.Fatal(err)
			}
			if got := f.statusOf(t, id); got != tc.want {
				t.Errorf("the request is %s, want %s", got, tc.want)
			}
			if kept := f.privacyRequests(t); len(kept) != 1 {
				t.Errorf("kept are %+v", kept)
			}
		})
	}
}

// TestLookUpDoesNotRevealPhoneNumber checks that a sender who has a lead id and guesses a phone number always gets the same
// answers, whether or not the number is right.
func TestLookUpDoesNotRevealPhoneNumber(t *testing.T) {
	guess := func(phone string) (answers []lead.StatusAnswer) {
		f := newFixture(t)
		id := f.submit(t, submission(nil)).LeadID
		look := func() {
			s, err := f.LookUp(t.Context(), client, id)
			if err != nil {
				t.Fatal(err)
			}
			answers = append(answers, s)
		}
		f.Now = func() time.Time { return noon.Add(time.Hour) }
		if kept, err := f.RequestPrivacy(t.Context(), privacyInput("withdraw", phone, id)); err != nil || kept.Status != lead.Collected {
			t.Fatalf("got %+v, %v", kept, err)
		}
		look()
		f.Now = func() time.Time { return noon.Add(2 * time.Hour) }
		if kept, err := f.RequestPrivacy(t.Context(), privacyInput("erase", phone, id)); err != nil || kept.Status != lead.Rejected {
			t.Fatalf("got %+v, %v", kept, err)
		}
		look()
		if err := storetest.Operator(f.store, noon).SettlePrivacyRequest(t.Context(), audit.CLI("ada"), f.privacyRequests(t)[0].ID, "settled"); err != nil {
			t.Fatal(err)
		}
		look()
		change := lead.Change{At: noon.Add(3 * time.Hour), Status: lead.Received, Actor: lead.ByService, Reason: "covered"}
		if err := f.store.Update(t.Context(), func(tx *store.Tx) error {
			if f.statusOf(t, id) == lead.Rejected { // a closed lead does not change anymore
				return nil
			}
			return tx.Change(1, lead.Collected, change)
		}); err != nil {
			t.Fatal(err)
		}
		look()
		return answers
	}
	right, wrong := guess("305-555-0123"), guess("305-555-0124")
	if diff := cmp.Diff(right, wrong); diff != "" {
		t.Errorf("the answers to a right and a wrong number differ (-right +wrong):\n%s", diff)
	}
	for i, s := range right {
		if s.Status != lead.Rejected || !s.Private || !s.UpdatedAt.Equal(noon.Add(time.Hour)) || !strings.Contains(s.Message, "privacy request") {
			t.Errorf("look-up %d tells %+v", i, s)
		}
	}
}

// TestMaxPrivacyRequestsPerLead checks that a lead can be named three times a day by all senders together. The next request
// is refused whatever its number, and changes nothing.
func TestMaxPrivacyRequestsPerLead(t *testing.T) {
	f := newFixture(t)
	id, other := f.submit(t, submission(nil)).LeadID, f.submit(t, submission(nil)).LeadID
	from := func(sender, phone, id string) intake.PrivacyInput {
		in := privacyInput("withdraw", phone, id)
		in.Client = netip.MustParseAddr(sender)
		in.Evidence = lead.Evidence{Channel: lead.ChannelForm, Client: sender}
		return in
	}
	for _, in := range []intake.PrivacyInput{
		from("192.0.2.1", "305-555-0101", id), from("192.0.2.2", "305-555-0102", id), from("192.0.2.2", "305-555-0102", id), // the last is a reload
		from("192.0.2.3", "305-555-0102", id), // another sender: counts even though the number was given before
	} {
		if _, err := f.RequestPrivacy(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	f.Now = func() time.Time { return noon.Add(time.Hour) }
	for _, phone := range []string{"305-555-0123", "305-555-0102", "305-555-0104"} {
		kept, err := f.RequestPrivacy(t.Context(), from("192.0.2.2", phone, id))
		if refusal := wantKind(t, err, lead.RateLimited, kept); refusal.Retry != 23*time.Hour || !strings.Contains(refusal.Message, "hello@example.com") {
			t.Errorf("%s: got %q, and a retry after %v", phone, refusal.Message, refusal.Retry)
		}
	}
	if kept := f.privacyRequests(t); len(kept) != 3 || f.statusOf(t, id) != lead.Collected {
		t.Errorf("kept are %+v, and the request is %s", kept, f.statusOf(t, id))
	}
	for name, in := range map[string]intake.PrivacyInput{"another request": from("192.0.2.2", "305-555-0123", other), "no reference": from("192.0.2.2", "305-555-0123", "")} {
		if _, err := f.RequestPrivacy(t.Context(), in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	f.Now = func() time.Time { return noon.Add(24 * time.Hour) }
	if _, err := f.RequestPrivacy(t.Context(), from("192.0.2.2", "305-555-0123", id)); err != nil || f.statusOf(t, id) != lead.Rejected {
		t.Errorf("a day later: %v, and the request is %s", err, f.statusOf(t, id))
	}
}

// TestInvalidPrivacyRequest checks that every problem is reported for its field, all at once, and that nothing is saved.
func TestInvalidPrivacyRequest(t *testing.T) {
	f := newFixture(t)
	id := f.submit(t, submission(nil)).LeadID
	for _, tc := range []struct {
		input  intake.PrivacyInput
		fields []string
	}{
		{privacyInput("", "", ""), []string{"wish", "customer_phone"}},
		{privacyInput("both", "99", "nonsense"), []string{"wish", "customer_phone", "lead_id"}},
		{privacyInput("erase", "305-555-0123", "lead_unknown"), []string{"lead_id"}},
		{privacyInput("erase", "305-555-0123", "dry_1"), []string{"lead_id"}},
		{privacyInput("erase", "Pat", id), []string{"customer_phone"}},
	} {
		kept, err := f.RequestPrivacy(t.Context(), tc.input)
		refusal := wantKind(t, err, lead.Invalid, kept)
		var fields []string
		for _, p := range refusal.Problems {
			fields = append(fields, p.Field)
			for _, given := range []string{tc.input.Phone, tc.input.LeadID} {
				if given != "" && strings.Contains(p.Text, given) {
					t.Errorf("%q repeats what was given", p.Text)
				}
			}
		}
		if diff := cmp.Diff(tc.fields, fields); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tc.input, diff)
		}
	}
	if kept := f.privacyRequests(t); len(kept) != 0 || f.statusOf(t, id) != lead.Collected {
		t.Errorf("something was kept or closed: %+v", kept)
	}
}

// TestPrivacyRequestsAreLimited checks that a saved request is charged as a lead, a refused one as an attempt, and that ids
// cannot be guessed. A request that names a lead too often is charged like a saved one.
func TestPrivacyRequestsAreLimited(t *testing.T) {
	f := newFixture(t)
	id := f.submit(t, submission(nil)).LeadID
	limiter, err := limit.New(limit.Rate{Count: 2, Per: 24 * time.Hour, Burst: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.Limiter = limiter
	until := func(in intake.PrivacyInput, limit int) (granted int, last *lead.Error) {
		for range limit {
			kept, err := f.RequestPrivacy(t.Context(), in)
			if lead.KindOf(err) == lead.RateLimited {
				return granted, wantKind(t, err, lead.RateLimited, kept)
			}
			granted++
		}
		return granted, nil
	}
	if n, last := until(privacyInput("withdraw", "305-555-0123", ""), 10); n != 2 || last == nil || last.Retry <= 0 {
		t.Errorf("%d were kept, want 2; then %+v", n, last)
	}
	if n, _ := until(privacyInput("withdraw", "12", ""), 30); n != 20 {
		t.Errorf("%d were refused, want 20", n)
	}
	for i := range 4 {
		in := privacyInput("withdraw", "305-555-010"+strconv.Itoa(i), id)
		in.Client = netip.MustParseAddr("192.0.2." + strconv.Itoa(i/2+3)) // two from each address
		kept, err := f.RequestPrivacy(t.Context(), in)
		if i < 3 && err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			wantKind(t, err, lead.RateLimited, kept)
			kept, err := f.RequestPrivacy(t.Context(), intake.PrivacyInput{Kind: "withdraw", Phone: in.Phone, Client: in.Client}) // names no lead
			if refusal := wantKind(t, err, lead.RateLimited, kept); !strings.Contains(refusal.Message, "came from this address") {
				t.Errorf("the refused one was not charged: %s", refusal.Message)
			}
		}
	}
	guess := privacyInput("withdraw", "305-555-0123", "lead_guessed")
	guess.Client = netip.MustParseAddr("192.0.2.2")
	if n, _ := until(guess, 30); n != 5 {
		t.Errorf("%d references were guessed, want 5", n)
	}
}

// TestPrivacyRequestUnavailable checks that nothing is promised while the store is down.
func TestPrivacyRequestUnavailable(t *testing.T) {
	f := newFixture(t)
	f.close()
	kept, err := f.RequestPrivacy(t.Context(), privacyInput("erase", "305-555-0123", ""))
	if refusal := wantKind(t, err, lead.Unavailable, kept); !strings.Contains(refusal.Message, "hello@example.com") {
		t.Errorf("no other way is named: %s", refusal.Message)
	}
}
