package lead_test

import (
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func TestAttribution(t *testing.T) {
	query, err := url.ParseQuery("source=src_1&utm_source=google&utm_medium=cpc&utm_campaign=spring&utm_term=plumber&utm_content=blue&gclid=G1&fbclid=F1&zip_code=33139")
	if err != nil {
		t.Fatal(err)
	}
	got := lead.ReadAttribution(query.Get)
	want := lead.Attribution{
		Key: "src_1", Campaign: lead.Campaign{Source: "google", Medium: "cpc", Name: "spring", Term: "plumber", Content: "blue"}, ClickIDs: lead.ClickIDs{Google: "G1", Facebook: "F1"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	query.Del("zip_code")
	for name, value := range got.Values() {
		if query.Get(name) != value {
			t.Errorf("%s is %q", name, value)
		}
		query.Del(name)
	}
	if len(query) > 0 {
		t.Errorf("not carried along: %v", query)
	}
	if none := lead.ReadAttribution(url.Values{"source": {" "}}.Get); none != (lead.Attribution{}) {
		t.Errorf("a blank key is %+v", none)
	}
}

// What stands in an address may be anything.
func TestAttributionIsBounded(t *testing.T) {
	long := lead.ReadAttribution(func(string) string { return "\x1b[2J\x00" + strings.Repeat("é", 5000) + "\xff" })
	if long.ClickIDs != (lead.ClickIDs{}) {
		t.Errorf("half a click id is kept: %+v", long.ClickIDs)
	}
	for name, value := range long.Values() {
		if len(value) > lead.MaxAttribution || !utf8.ValidString(value) || strings.ContainsAny(value, "\x1b\x00") {
			t.Errorf("%s has %d bytes: %q", name, len(value), value)
		}
	}
	for text, want := range map[string]bool{"src_1": true, "A-b_9": true, "": false, "pat@example.com": false, "305 555 0123": false, strings.Repeat("a", 65): false, "é": false} {
		if got := lead.MayBeSourceKey(text); got != want {
			t.Errorf("%q may be a key: %t", text, got)
		}
	}
}
