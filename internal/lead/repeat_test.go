package lead_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
)

func TestWithhold(t *testing.T) {
	const same, other = "k-same", "k-other"
	noon := time.Date(2026, time.November, 5, 12, 0, 0, 0, time.UTC)
	rules := lead.RepeatRules{Window: 24 * time.Hour, MaxPerPeriod: 3, Period: 24 * time.Hour}
	passed := func(print string, apart time.Duration, status lead.Status) lead.OtherLead {
		return lead.OtherLead{Fingerprint: print, At: noon.Add(apart), Status: status}
	}
	three := []lead.OtherLead{passed(other, -time.Hour, lead.Forwarded), passed(other, -2*time.Hour, lead.Collected), passed("k-third", -3*time.Hour, lead.Rejected)}
	for _, x := range []struct {
		what    string
		rules   lead.RepeatRules
		others  []lead.OtherLead
		entered bool
		want    lead.Mark
	}{
		{"the only one", rules, nil, false, ""},
		{"the same is on the market", rules, []lead.OtherLead{passed(same, -time.Hour, lead.Received)}, false, lead.Duplicate},
		{"the same is on the market since long ago", rules, []lead.OtherLead{passed(same, -29*24*time.Hour, lead.Received)}, false, lead.Duplicate},
		{"it came later, and is on the market", rules, []lead.OtherLead{passed(same, time.Hour, lead.Received)}, false, lead.Duplicate},
		{"the same was sold today", rules, []lead.OtherLead{passed(same, -23*time.Hour, lead.Forwarded)}, false, lead.Duplicate},
		{"a buyer may have the same", rules, []lead.OtherLead{passed(same, -time.Hour, lead.Errored)}, false, lead.Duplicate},
		{"the same was sold the day before", rules, []lead.OtherLead{passed(same, -25*time.Hour, lead.Forwarded)}, false, ""},
		{"the same was sold today, and nobody minds", lead.RepeatRules{}, []lead.OtherLead{passed(same, -time.Hour, lead.Forwarded)}, false, ""},
		{"the same is on the market, and nobody minds repeats after a sale", lead.RepeatRules{}, []lead.OtherLead{passed(same, -time.Hour, lead.Received)}, false, lead.Duplicate},
		{"the same ended unsold", rules, []lead.OtherLead{passed(same, -time.Hour, lead.Collected), passed(same, -time.Hour, lead.Rejected)}, false, ""},
		{"something else is on the market", rules, []lead.OtherLead{passed(other, -time.Hour, lead.Received)}, false, ""},
		{"the fourth of a day", rules, three, false, lead.ManyRequests},
		{"the fourth of a day, and nobody minds", lead.RepeatRules{Window: time.Hour}, three, false, ""},
		{"it was on the market before", rules, three, true, ""},
		{"the fourth, the next day", rules, []lead.OtherLead{passed(other, -25*time.Hour, lead.Forwarded), three[1], three[2]}, false, ""},
	} {
		if got := x.rules.Withhold(same, noon, x.entered, x.others); got != x.want {
			t.Errorf("%s: %q, want %q", x.what, got, x.want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	var r lead.Request
	r.Contact.Phone, r.Service, r.ZIP = "+13055550123", lead.HVAC, "33139"
	key := []byte("a key")
	print := r.Fingerprint(key)
	from, to := lead.PhoneRange(print)
	inRange := func(print string) bool { return print >= from && print < to }
	if print != r.Fingerprint(key) || print == r.Fingerprint([]byte("another")) || !inRange(print) || strings.Contains(print, "5550123") {
		t.Errorf("the fingerprint is %s, in the range from %s to %s", print, from, to)
	}
	elsewhere, somebody := r, r
	elsewhere.ZIP, somebody.Contact.Phone = "33140", "+13055550124"
	if again := elsewhere.Fingerprint(key); again == print || !inRange(again) {
		t.Errorf("of the same number elsewhere: %s", again)
	}
	if another := somebody.Fingerprint(key); inRange(another) {
		t.Errorf("of another number: %s", another)
	}
	if print < "g" {
		t.Error("those of older versions, hex digits without a key, are not told apart by their order")
	}
}

func TestIDForBuyer(t *testing.T) {
	const id = "lead_01jc3n8p0qk7m2x4vw5yz6abcdefghijklm"
	key := []byte("a key")
	got := lead.IDForBuyer(key, id, "buyer_1")
	if got != lead.IDForBuyer(key, id, "buyer_1") || len(got) != len(id) || got[:14] != id[:14] || got == id {
		t.Errorf("got %s", got)
	}
	for what, other := range map[string]string{
		"another buyer": lead.IDForBuyer(key, id, "buyer_2"), "another key": lead.IDForBuyer([]byte("b"), id, "buyer_1"),
		"another lead": lead.IDForBuyer(key, strings.Replace(id, "m", "n", 1), "buyer_1"),
	} {
		if other == got {
			t.Errorf("%s has the same id", what)
		}
	}
}
