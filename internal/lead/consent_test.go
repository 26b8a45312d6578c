package lead_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func TestConsentByService(t *testing.T) {
	for _, s := range lead.Services {
		t.Run(string(s), func(t *testing.T) {
			for _, no := range []lead.Value{lead.Bool(false), lead.Typed("off")} {
				req, refusal := completeRequest().with("service_type", lead.Quoted(string(s))).with("consent_to_contact", no).parse()
				if s != lead.Plumbing {
					wantOnly(t, refusal, "consent_to_contact", "false")
					continue
				}
				if refusal != nil || req.Consent {
					t.Errorf("plumbing needs no consent: %v, %v", req.Consent, refusal)
				}
			}
			if _, refusal := completeRequest().with("service_type", lead.Quoted(string(s))).parse(); refusal != nil {
				t.Errorf("with consent: %s", refusal.Message)
			}
		})
	}
}

func TestPlumbingRequiresConsentField(t *testing.T) {
	for name, v := range map[string]lead.Value{"left out": {}, "null": lead.Null(), "blank": lead.Typed("")} {
		t.Run(name, func(t *testing.T) {
			_, refusal := completeRequest().with("service_type", lead.Quoted("plumbing")).with("consent_to_contact", v).parse()
			wantOnly(t, refusal, "consent_to_contact", "missing")
		})
	}
}

func TestConsentOnTheCleaningTool(t *testing.T) {
	_, refusal := lead.Parse(completeRequest().without("service_type").with("consent_to_contact", lead.Bool(false)).on(lead.CleaningInput))
	wantOnly(t, refusal, "consent_to_contact", "false")
}

func TestConsentRefusedInADryRunToo(t *testing.T) {
	_, refusal := completeRequest().with("consent_to_contact", lead.Bool(false)).with("dry_run", lead.Bool(true)).parse()
	wantOnly(t, refusal, "consent_to_contact", "false")
}

// TestInvalidServiceDoesNotHideMissingConsent checks that the error also says which service needs no consent, because the
// sender may have meant that one.
func TestInvalidServiceDoesNotHideMissingConsent(t *testing.T) {
	for name, service := range map[string]lead.Value{"unknown": lead.Quoted("roofing"), "left out": {}, "null": lead.Null(), "a number": lead.Number("7")} {
		t.Run(name, func(t *testing.T) {
			_, refusal := completeRequest().with("service_type", service).with("consent_to_contact", lead.Bool(false)).parse()
			if diff := cmp.Diff([]string{"service_type", "consent_to_contact"}, problemsOf(refusal)); diff != "" {
				t.Fatalf("(-want +got):\n%s", diff)
			}
			if text := refusal.Problems[1].Text; !strings.Contains(text, "false, which is enough for plumbing only") {
				t.Errorf("got %q", text)
			}
		})
	}
	_, refusal := completeRequest().with("service_type", lead.Quoted("roofing")).parse()
	wantOnly(t, refusal, "service_type", "not one of the choices")
}

// TestRefusedRequestIsEmpty checks that a refused request is empty, so that it cannot be saved by mistake.
func TestRefusedRequestIsEmpty(t *testing.T) {
	req, refusal := completeRequest().with("consent_to_contact", lead.Bool(false)).parse()
	if refusal == nil || *req != (lead.Request{}) {
		t.Errorf("got %+v, %v", req, refusal)
	}
}

func TestConsentTextRef(t *testing.T) {
	text := lead.ConsentText{Version: "v1", Text: "abc"}
	want := lead.ConsentRef{Version: "v1", Hash: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
	if got := text.Ref(); got != want {
		t.Errorf("got %+v", got)
	}
}

func TestMayBeConsentHash(t *testing.T) {
	hash := lead.ConsentText{Text: "You may call me."}.Ref().Hash
	for text, want := range map[string]bool{hash: true, "": false, hash[1:]: false, hash + "0": false, "g" + hash[1:]: false, "é" + hash[2:]: false, hash[:63] + "A": false} {
		if got := lead.MayBeConsentHash(text); got != want {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
	}
}
