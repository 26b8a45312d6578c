package edge_test

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/edge"
	"foyer/internal/lead"
)

func TestEvidence(t *testing.T) {
	var got lead.Evidence
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Post: func(w http.ResponseWriter, r *http.Request) error {
		got = edge.EvidenceOf(r, lead.ChannelForm)
		return writeHello(w, r)
	}})
	serve(h, "POST", "/x", "User-Agent", "Browser/1.0", "Origin", "https://www.example.com", "Sec-Fetch-Site", "cross-site",
		"Referer", "https://user:secret@www.example.com/clean%20up?name=Pat#top")
	want := lead.Evidence{
		Channel: lead.ChannelForm, Client: "192.0.2.1", RequestID: "req_1", UserAgent: "Browser/1.0",
		Page: "https://www.example.com/clean%20up", Origin: "https://www.example.com", FetchSite: "cross-site",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the evidence differs (-want +got):\n%s", diff)
	}
}

func TestShort(t *testing.T) {
	for name, text := range map[string]string{
		"long": strings.Repeat("x", 1000), "cut inside a letter": strings.Repeat("é", 200) + "x" + strings.Repeat("é", 100),
		"cut at an odd place": "x" + strings.Repeat("é", 200), "not UTF-8": "a\xffb",
	} {
		if got := edge.Short(text); len(got) > 300 || !utf8.ValidString(got) {
			t.Errorf("%s: got %d bytes, valid: %v", name, len(got), utf8.ValidString(got))
		}
	}
	if got := edge.Short("as it is"); got != "as it is" {
		t.Errorf("got %q", got)
	}
}

// Evidence that an operator prints must not contain control sequences that a terminal would obey.
func TestShortRemovesControlCharacters(t *testing.T) {
	if got := edge.Short("agent\x1b[2J\x07\x00\n/1\xff"); got != "agent[2J/1" {
		t.Errorf("got %q", got)
	}
}
