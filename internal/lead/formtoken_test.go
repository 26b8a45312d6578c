package lead_test

import (
	"strings"
	"testing"
	"time"

	"foyer/internal/lead"
)

// TestFormTokenAge checks that a token is valid from two seconds to one day after it was issued.
func TestFormTokenAge(t *testing.T) {
	key := []byte("0123456789abcdef0123456789abcdef")
	token := lead.NewFormToken(key, "words", "page1", noon)
	for _, x := range []struct {
		age     time.Duration
		want    lead.TokenVerdict
		seconds int
	}{
		{0, lead.TokenTooFast, 0},
		{1999 * time.Millisecond, lead.TokenTooFast, 1},
		{2 * time.Second, lead.TokenValid, 2},
		{90 * time.Second, lead.TokenValid, 90},
		{24 * time.Hour, lead.TokenValid, 86400},
		{24*time.Hour + time.Second, lead.TokenExpired, 86401},
		{-30 * time.Second, lead.TokenTooFast, 0}, // another process's clock is ahead
	} {
		want := lead.FormProof{Verdict: x.want, Seconds: x.seconds, PageVersion: "page1"}
		if got := lead.CheckFormToken(key, token, "words", noon.Add(x.age)); got != want {
			t.Errorf("after %s: %+v, want %+v", x.age, got, want)
		}
	}
	if got := lead.CheckFormToken(key, token, "words", noon.Add(-2*time.Minute)); got != (lead.FormProof{Verdict: lead.TokenWrong}) {
		t.Errorf("a token from the future: %+v", got)
	}
}

// TestFormTokenForged checks that a changed token, or one made with another key, is refused.
func TestFormTokenForged(t *testing.T) {
	key, now := []byte("0123456789abcdef0123456789abcdef"), noon.Add(time.Minute)
	token := lead.NewFormToken(key, "words", "page1", noon)
	claim, mac := token[:strings.LastIndexByte(token, '.')], token[strings.LastIndexByte(token, '.'):]
	for name, forged := range map[string]string{
		"another key": lead.NewFormToken([]byte("another"), "words", "page1", noon), "other words": lead.NewFormToken(key, "more words", "page1", noon),
		"another page": strings.Replace(claim, "page1", "page2", 1) + mac, "another time": "0" + claim + mac,
		"no signature": claim, "an empty one": claim + ".", "no claim": mac, "nonsense": "x", "dots": "...",
	} {
		if got := lead.CheckFormToken(key, forged, "words", now); got != (lead.FormProof{Verdict: lead.TokenWrong}) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := lead.CheckFormToken(key, "", "words", now); got != (lead.FormProof{Verdict: lead.TokenMissing}) {
		t.Errorf("none: %+v", got)
	}
	if made := lead.NewFormToken(nil, "words", "page1", noon); made != "" {
		t.Errorf("made without a key: %q", made)
	}
	if got := lead.CheckFormToken(nil, token, "words", now); got.Verdict != lead.TokenWrong {
		t.Errorf("checked without a key: %+v", got)
	}
}

func TestOwnOrigin(t *testing.T) {
	const ours = "https://foyer.example.com"
	for _, x := range []struct {
		origin, site string
		want         bool
	}{
		{ours, "", true},
		{"", "same-origin", true},
		{ours, "same-origin", true},
		{"", "", false},
		{"null", "cross-site", false},
		{"https://evil.example", "cross-site", false},
		{ours + ".evil.example", "", false},
		{"http://foyer.example.com", "", false},
		{"", "none", false},
		{"", "same-site", false},
	} {
		if got := (&lead.Evidence{Origin: x.origin, FetchSite: x.site}).OwnOrigin(ours); got != x.want {
			t.Errorf("%+v: %t", x, got)
		}
	}
	if (&lead.Evidence{}).OwnOrigin("") {
		t.Error("a service without an origin takes every request for its own")
	}
}

// TestAutomated checks that the mark does not refuse a lead, and that the lead is held only if the operator wants that.
func TestAutomated(t *testing.T) {
	for _, x := range []struct {
		service lead.Service
		covered bool
		hold    bool
		want    lead.Status
	}{
		{lead.HVAC, true, false, lead.Received},
		{lead.HVAC, true, true, lead.Collected},
		{lead.HVAC, false, true, lead.Collected},
		{lead.Plumbing, true, true, lead.CallToConnect},
	} {
		got := lead.Decide(requestFor(x.service), x.covered, noon).Doubt(lead.Automated, x.hold)
		if got.Status != x.want || len(got.Marks) != 1 || got.Marks[0] != lead.Automated {
			t.Errorf("%+v: %+v", x, got)
		}
	}
	for _, hold := range []bool{false, true} {
		check := requestFor(lead.HVAC)
		check.DryRun = true
		if got := lead.Decide(check, true, noon).Doubt(lead.Automated, hold); got.Status != lead.Validated || got.Offered == hold {
			t.Errorf("a dry run where such requests are held (%t): %+v", hold, got)
		}
	}
}
