package pages_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/console/pages"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// irreversible are the actions that cannot be undone, or that allow what cannot be.
var irreversible = []string{
	"/leads/{lead_id}/release", "/leads/{lead_id}/return", "/returns/{offer_id}/deny", "/privacy/unsuppress", "/privacy/suppressions/import", "/buyers/{buyer}/rotate-secret", "/leads/{lead_id}/replay", "/health/replay", "/leads/{lead_id}/close", "/leads/{lead_id}/erase", "/leads/{lead_id}/legal-holds/{legal_hold_id}/remove", "/privacy/legal-holds/remove", "/buyers/{buyer}/start", "/buyers/{buyer}/end-rotation", "/buyers/{buyer}/remove", "/returns/{offer_id}/approve",
	"/statements/close", "/privacy/{privacy_request_id}/settle", "/passkeys/remove", "/settings/reset-person", "/settings/remove-person", "/settings/set-role", "/settings/alerts/ways/{way_id}/remove", "/settings/revoke-token",
}

// TestConfirmations wants everything that cannot be undone to be refused until a box is ticked, and nothing else to ask for one.
func TestConfirmations(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t, "--rate-limit", "off")
	p := signIn(t, s, "pat", store.RoleOwner)
	held := url.Values{"held": {"all"}, "from": {"1d"}, "role": {"owner"}}
	got, want := pages.Confirmed(held), slices.Clone(irreversible)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("confirmed:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	ids := strings.NewReplacer("{lead_id}", "lead_none", "{buyer}", "buyer_none", "{offer_id}", "offer_none", "{privacy_request_id}", "wish_none", "{way_id}", "way_none", "{legal_hold_id}", "legal_hold_none")
	for _, path := range got {
		p.refuses(http.StatusUnprocessableEntity, ids.Replace(path), "Check the box", "held", "all", "from", "1d", "role", "owner")
		if r := p.post(ids.Replace(path), "held", "all", "from", "1d", "role", "owner", "confirm", "true"); strings.Contains(plain(r.Body), "Check the box") {
			t.Errorf("%s is refused with the box: %d", path, r.Status)
		}
	}
	if slices.Contains(pages.Confirmed(url.Values{"role": {"viewer"}}), "/settings/set-role") {
		t.Error("looking only is confirmed")
	}
	for _, none := range []string{"none", "", "some"} {
		if slices.Contains(pages.Confirmed(url.Values{"held": {none}}), "/buyers/{buyer}/start") {
			t.Errorf("a start with the held leads %q is confirmed", none)
		}
	}
}
