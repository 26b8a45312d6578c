package forward

import (
	"encoding/json"
	"strings"
	"testing"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// A delivery includes the evidence of consent: the origin of the lead, and what the form's token proves.
func TestProofOfConsent(t *testing.T) {
	for _, x := range []struct {
		evidence lead.Evidence
		want     string
	}{
		{
			lead.Evidence{Channel: lead.ChannelForm, Origin: "https://foyer.example.com", FormToken: lead.TokenValid, SecondsOnPage: 74},
			`"door":"form","origin":"https://foyer.example.com","form_token":"valid","seconds_on_page":74}`,
		},
		{lead.Evidence{Channel: lead.ChannelForm, FormToken: lead.TokenTooFast}, `"door":"form","origin":null,"form_token":"too_fast","seconds_on_page":0}`},
		{lead.Evidence{Channel: lead.ChannelForm, FormToken: lead.TokenMissing}, `"door":"form","origin":null,"form_token":"missing","seconds_on_page":null}`},
		{lead.Evidence{Channel: lead.ChannelMCP}, `"door":"mcp","origin":null,"form_token":null,"seconds_on_page":null}`},
	} {
		body, err := json.Marshal(contactFields(lead.Lead{Evidence: x.evidence}, buyer.Offer{}, "words").Consent)
		if err != nil || !strings.HasSuffix(string(body), x.want) {
			t.Errorf("%+v: %s %v", x.evidence, body, err)
		}
	}
	for mark, want := range map[lead.Mark]string{lead.Automated: `"automated":true`, lead.PastDate: `"automated":false`} {
		body, err := json.Marshal(offerFacts(lead.Lead{Marks: []lead.Mark{mark}}, buyer.Offer{}))
		if err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s %v", mark, body, err)
		}
	}
}
