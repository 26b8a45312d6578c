package report_test

import (
	"slices"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/report"
)

// TestEvidenceSaysWhatIsNotKnown wants nothing to be claimed that is not kept.
func TestEvidenceSaysWhatIsNotKnown(t *testing.T) {
	shown, stated := lead.ConsentRef{Version: "shown-2026-11", Hash: "h"}, lead.ConsentRef{Version: "stated-2026-11", Hash: "h"}
	for name, c := range map[string]struct {
		evidence lead.Evidence
		intact   bool
		erased   bool
		shown    bool
		unknown  []string
	}{
		"our form":             {lead.Evidence{Channel: lead.ChannelForm, Consent: shown, FormToken: lead.TokenValid}, true, false, true, []string{"read the words", "Who sat at the device"}},
		"a partner's words":    {lead.Evidence{Channel: lead.ChannelJSON, Consent: lead.ConsentRef{Version: "shown-partner-1", Hash: "h"}}, true, false, false, []string{"Foyer did not show them"}},
		"a program":            {lead.Evidence{Channel: lead.ChannelJSON, Consent: stated}, true, false, false, []string{"Foyer did not show them"}},
		"a form without token": {lead.Evidence{Channel: lead.ChannelForm, Consent: stated, FormToken: lead.TokenMissing}, true, false, false, []string{"Foyer did not show them", "no token that we issued"}},
		"words that differ":    {lead.Evidence{Channel: lead.ChannelForm, Consent: shown, FormToken: lead.TokenValid}, false, false, true, []string{"do not have the hash"}},
		"no words, erased":     {lead.Evidence{Channel: lead.ChannelMCP}, false, true, false, []string{"none are kept", "the person was erased"}},
	} {
		e := report.Evidence{LeadDetail: report.LeadDetail{Lead: lead.Lead{Evidence: c.evidence}, Erased: c.erased}, Intact: c.intact}
		unknown := e.Unknown()
		if e.Shown() != c.shown || len(unknown) != len(c.unknown)+3 { // three are never known
			t.Errorf("%s: shown %v, unknown:\n%s", name, e.Shown(), strings.Join(unknown, "\n"))
		}
		for _, text := range c.unknown {
			if !slices.ContainsFunc(unknown, func(s string) bool { return strings.Contains(s, text) }) {
				t.Errorf("%s does not say %q:\n%s", name, text, strings.Join(unknown, "\n"))
			}
		}
	}
}
