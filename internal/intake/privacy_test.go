package intake_test

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/intake"
	"foyer/internal/lead"
	"foyer/internal/limit"
	"foyer/internal/store"
)

func plea(kind, phone, id string) intake.PrivacyInput {
	return intake.PrivacyInput{Kind: kind, Phone: phone, LeadID: id, Client: client}
}

func (d *desk) wishes(t *testing.T) []lead.PrivacyRequest {
	t.Helper()
	list, err := d.rows.PrivacyRequests(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func (d *desk) statusOf(t *testing.T, id string) lead.Status {
	t.Helper()
	l, err := d.store.LeadSummary(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return l.Status
}

// A wish is kept as it was meant, however the person wrote it.
func TestAWishIsKept(t *testing.T) {
	d := newDesk(t)
	id := d.submit(t, order(nil)).LeadID
	for _, p := range []intake.PrivacyInput{
		plea(" withdraw ", "(305) 555-0123", id),
		plea("withdraw", "+13055550123", "https://foyer.example.com/status/"+id),
		plea("withdraw", "1 305.555.0123", " "+id+" "),
	} {
		w, err := d.RequestPrivacy(t.Context(), p)
		if err != nil || w.Kind != lead.Withdraw || w.Phone != "+13055550123" || w.LeadID != id || w.State != lead.PrivacyOpen || !w.At.Equal(noon) {
			t.Errorf("%+v: got %+v, %v", p, w, err)
		}
	}
	if kept := d.wishes(t); len(kept) != 1 {
		t.Errorf("kept are %+v, want one: the others are the same", kept)
	}
}

// Whoever knows a request's number and its reference closes it at once; everything else waits for the operator.
func TestAWishClosesWhatItProves(t *testing.T) {
	for _, x := range []struct {
		name, kind, phone string
		named             bool
		want              lead.Status
	}{
		{"withdrawn", "withdraw", "305-555-0123", true, lead.Rejected},
		{"to be erased", "erase", "305-555-0123", true, lead.Rejected},
		{"another's number", "withdraw", "305-555-0124", true, lead.Collected},
		{"no reference", "withdraw", "305-555-0123", false, lead.Collected},
	} {
		t.Run(x.name, func(t *testing.T) {
			d := newDesk(t)
			id, named := d.submit(t, order(nil)).LeadID, ""
			if x.named {
				named = id
			}
			if _, err := d.RequestPrivacy(t.Context(), plea(x.kind, x.phone, named)); err != nil {
				t.Fatal(err)
			}
			if got := d.statusOf(t, id); got != x.want {
				t.Errorf("the request is %s, want %s", got, x.want)
			}
			if kept := d.wishes(t); len(kept) != 1 {
				t.Errorf("kept are %+v", kept)
			}
		})
	}
}

// Whoever has a reference and guesses at a number sees the same for ever, whether or not the number is right.
func TestNoLookUpTellsWhetherANumberIsRight(t *testing.T) {
	guess := func(phone string) (told []lead.StatusAnswer) {
		d := newDesk(t)
		id := d.submit(t, order(nil)).LeadID
		look := func() {
			s, err := d.LookUp(t.Context(), client, id)
			if err != nil {
				t.Fatal(err)
			}
			told = append(told, s)
		}
		d.Now = func() time.Time { return noon.Add(time.Hour) }
		if w, err := d.RequestPrivacy(t.Context(), plea("withdraw", phone, id)); err != nil || w.Status != lead.Collected {
			t.Fatalf("got %+v, %v", w, err)
		}
		look()
		d.Now = func() time.Time { return noon.Add(2 * time.Hour) }
		if w, err := d.RequestPrivacy(t.Context(), plea("erase", phone, id)); err != nil || w.Status != lead.Rejected {
			t.Fatalf("got %+v, %v", w, err)
		}
		look()
		if err := d.store.SettlePrivacyRequest(t.Context(), d.wishes(t)[0].ID, "settled"); err != nil {
			t.Fatal(err)
		}
		look()
		passed := lead.Change{At: noon.Add(3 * time.Hour), Status: lead.Received, Actor: lead.ByService, Reason: "covered"}
		if err := d.store.Update(t.Context(), func(p *store.Tx) error {
			if d.statusOf(t, id) == lead.Rejected { // where it was closed nothing more happens to it
				return nil
			}
			return p.Change(1, lead.Collected, passed)
		}); err != nil {
			t.Fatal(err)
		}
		look()
		return told
	}
	right, wrong := guess("305-555-0123"), guess("305-555-0124")
	if diff := cmp.Diff(right, wrong); diff != "" {
		t.Errorf("a right number is told from a wrong one (-right +wrong):\n%s", diff)
	}
	for i, s := range right {
		if s.Status != lead.Rejected || !s.Private || !s.UpdatedAt.Equal(noon.Add(time.Hour)) || !strings.Contains(s.Message, "privacy request") {
			t.Errorf("look-up %d tells %+v", i, s)
		}
	}
}

// A reference can be named three times a day, by all senders together. The next is refused whatever number it gives, and
// changes nothing.
func TestAReferenceIsNamedThreeTimesADay(t *testing.T) {
	d := newDesk(t)
	id, other := d.submit(t, order(nil)).LeadID, d.submit(t, order(nil)).LeadID
	from := func(sender, phone, id string) intake.PrivacyInput {
		p := plea("withdraw", phone, id)
		p.Client = netip.MustParseAddr(sender)
		p.Evidence = lead.Evidence{Door: lead.DoorForm, Client: sender}
		return p
	}
	for _, p := range []intake.PrivacyInput{
		from("192.0.2.1", "305-555-0101", id), from("192.0.2.2", "305-555-0102", id), from("192.0.2.2", "305-555-0102", id), // the last is a reload
		from("192.0.2.3", "305-555-0102", id), // a sender of its own: whether the number was given before makes no difference
	} {
		if _, err := d.RequestPrivacy(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	d.Now = func() time.Time { return noon.Add(time.Hour) }
	for _, phone := range []string{"305-555-0123", "305-555-0102", "305-555-0104"} {
		w, err := d.RequestPrivacy(t.Context(), from("192.0.2.2", phone, id))
		if told := mustBe(t, err, lead.RateLimited, w); told.Retry != 23*time.Hour || !strings.Contains(told.Message, "hello@example.com") {
			t.Errorf("%s: told %q, and to come back in %v", phone, told.Message, told.Retry)
		}
	}
	if kept := d.wishes(t); len(kept) != 3 || d.statusOf(t, id) != lead.Collected {
		t.Errorf("kept are %+v, and the request is %s", kept, d.statusOf(t, id))
	}
	for name, p := range map[string]intake.PrivacyInput{"another request": from("192.0.2.2", "305-555-0123", other), "no reference": from("192.0.2.2", "305-555-0123", "")} {
		if _, err := d.RequestPrivacy(t.Context(), p); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.Now = func() time.Time { return noon.Add(24 * time.Hour) }
	if _, err := d.RequestPrivacy(t.Context(), from("192.0.2.2", "305-555-0123", id)); err != nil || d.statusOf(t, id) != lead.Rejected {
		t.Errorf("a day later: %v, and the request is %s", err, d.statusOf(t, id))
	}
}

// Every problem is named beside its field, all at once, and nothing is kept.
func TestAWrongWish(t *testing.T) {
	d := newDesk(t)
	id := d.submit(t, order(nil)).LeadID
	for _, x := range []struct {
		plea   intake.PrivacyInput
		fields []string
	}{
		{plea("", "", ""), []string{"wish", "customer_phone"}},
		{plea("both", "99", "nonsense"), []string{"wish", "customer_phone", "lead_id"}},
		{plea("erase", "305-555-0123", "lead_unknown"), []string{"lead_id"}},
		{plea("erase", "305-555-0123", "dry_1"), []string{"lead_id"}},
		{plea("erase", "Pat", id), []string{"customer_phone"}},
	} {
		w, err := d.RequestPrivacy(t.Context(), x.plea)
		told := mustBe(t, err, lead.Invalid, w)
		var fields []string
		for _, p := range told.Problems {
			fields = append(fields, p.Field)
			for _, given := range []string{x.plea.Phone, x.plea.LeadID} {
				if given != "" && strings.Contains(p.Text, given) {
					t.Errorf("%q repeats what was given", p.Text)
				}
			}
		}
		if diff := cmp.Diff(x.fields, fields); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", x.plea, diff)
		}
	}
	if kept := d.wishes(t); len(kept) != 0 || d.statusOf(t, id) != lead.Collected {
		t.Errorf("something was kept or closed: %+v", kept)
	}
}

// What is kept counts like a lead, what is refused like a try, and references cannot be guessed. A reference that was named
// too often costs like a wish that is kept.
func TestWishesAreLimited(t *testing.T) {
	d := newDesk(t)
	id := d.submit(t, order(nil)).LeadID
	limiter, err := limit.New(limit.Rate{Count: 2, Per: 24 * time.Hour, Burst: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.Limiter = limiter
	until := func(p intake.PrivacyInput, most int) (granted int, last *lead.Error) {
		for range most {
			w, err := d.RequestPrivacy(t.Context(), p)
			if lead.KindOf(err) == lead.RateLimited {
				return granted, mustBe(t, err, lead.RateLimited, w)
			}
			granted++
		}
		return granted, nil
	}
	if n, last := until(plea("withdraw", "305-555-0123", ""), 10); n != 2 || last == nil || last.Retry <= 0 {
		t.Errorf("%d were kept, want 2; then %+v", n, last)
	}
	if n, _ := until(plea("withdraw", "12", ""), 30); n != 20 {
		t.Errorf("%d were refused, want 20", n)
	}
	for i := range 4 {
		p := plea("withdraw", "305-555-010"+strconv.Itoa(i), id)
		p.Client = netip.MustParseAddr("192.0.2." + strconv.Itoa(i/2+3)) // two of each
		w, err := d.RequestPrivacy(t.Context(), p)
		if i < 3 && err != nil {
			t.Fatal(err)
		}
		if i == 3 {
			mustBe(t, err, lead.RateLimited, w)
			w, err := d.RequestPrivacy(t.Context(), intake.PrivacyInput{Kind: "withdraw", Phone: p.Phone, Client: p.Client}) // names nothing
			if told := mustBe(t, err, lead.RateLimited, w); !strings.Contains(told.Message, "came from this address") {
				t.Errorf("the refused one was not charged: %s", told.Message)
			}
		}
	}
	guess := plea("withdraw", "305-555-0123", "lead_guessed")
	guess.Client = netip.MustParseAddr("192.0.2.2")
	if n, _ := until(guess, 30); n != 5 {
		t.Errorf("%d references were guessed, want 5", n)
	}
}

// While the disk is ill, nothing is promised to be stored.
func TestAWishThatCannotBeKept(t *testing.T) {
	d := newDesk(t)
	d.close()
	w, err := d.RequestPrivacy(t.Context(), plea("erase", "305-555-0123", ""))
	if told := mustBe(t, err, lead.Unavailable, w); !strings.Contains(told.Message, "hello@example.com") {
		t.Errorf("no other way is named: %s", told.Message)
	}
}
