package browser

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// canary is a person whom nobody sees who has not said why.
const canary = `{"service_type":"hvac","zip_code":"33139","customer_name":"Canary Person","customer_phone":"305-555-0177","customer_email":"canary@example.com","address_line":"1 Canary Street","notes":"the canary sings","consent_to_contact":true}`

// useRoles looks at every page as somebody with less than all rights. There is no person on it; and every link and every form that it shows
// may be used: nobody is invited to do what is then refused.
func (b *tab) useRoles(t *testing.T, pages []visit) {
	b.run(laptop, prefers("light"))
	b.cookies = append(b.cookies, "foyer-passkey")
	canaries := b.sendCanary()
	for _, v := range pages {
		canaries = append(canaries, strings.TrimPrefix(v.address, "/console"))
	}
	for role, refused := range map[string][]string{ // what it cannot do even if it tries
		"viewer":   {"/leads/search", canaries[0] + "/reveal", "/buyers/add", "/practice/start", "/statements/close", "/settings/add-person", "/settings/add-token"},
		"operator": {"/settings/add-person", "/settings/link-person", "/settings/set-role", "/settings/remove-person", "/settings/add-token", "/settings/revoke-token", "/settings/alerts/ways/add"},
	} {
		t.Run(role, func(t *testing.T) {
			b.t = t
			b.letIn("the-"+role, role)
			offered := b.look(role, canaries)
			if len(offered) < 20 {
				t.Errorf("only %d things can be done: %v", len(offered), offered)
			}
			for _, path := range refused {
				if slices.Contains(offered, "POST /console"+path) {
					t.Errorf("%s is offered", path)
				}
				if got := b.request(http.MethodPost, "/console"+path); got != http.StatusForbidden {
					t.Errorf("%s: got %d, want it to be refused", path, got)
				}
			}
			for _, what := range offered {
				method, path, _ := strings.Cut(what, " ")
				if got := b.request(method, path); got == http.StatusForbidden || got >= http.StatusInternalServerError {
					t.Errorf("%s is offered and then answers %d", what, got)
				}
				if endsSession.MatchString(path) {
					b.signIn("the-" + role)
					b.visit("/console/health", http.StatusOK)
				}
			}
			b.signOut()
			b.signIn("pat")
		})
	}
}

// sendCanary sends the request of a person, and their privacy request; it returns the pages about them.
func (s *service) sendCanary() []string {
	s.t.Helper()
	status, body, _ := s.Post("/v1/intake", "application/json", canary)
	var receipt struct {
		LeadID string `json:"lead_id"`
	}
	if err := json.Unmarshal(body, &receipt); err != nil || status != http.StatusAccepted {
		s.t.Fatalf("got %d %s", status, body)
	}
	if status, body, _ := s.Post("/privacy", "application/x-www-form-urlencoded", "wish=erase&customer_phone=305-555-0177"); status >= 400 {
		s.t.Fatalf("the privacy page: %d %s", status, body)
	}
	requests := s.privacyRequests()
	page := "/leads/" + receipt.LeadID
	return []string{page, page + "/evidence", "/privacy/" + requests[len(requests)-1].ID, "/privacy", "/route?lead=" + receipt.LeadID}
}

// signIn signs somebody in who has a password.
func (b *tab) signIn(name string) {
	b.t.Helper()
	b.visit("/console/sign-in", http.StatusOK)
	b.run(chromedp.SendKeys(`#name`, name), chromedp.SendKeys(`#password`, password+kb.Enter))
	b.until("the console", func() bool { return b.at("/console") })
}

// look visits every page and returns the links and forms on them, without their queries: one of each kind, because pages of two leads have
// the same. What ends the session comes last.
func (b *tab) look(role string, paths []string) (offered []string) {
	b.t.Helper()
	kinds, last := map[string]bool{}, []string(nil)
	for _, path := range paths {
		want := http.StatusOK
		if role == "viewer" && (path == "/settings/audit" || path == "/privacy/suppressions") {
			want = http.StatusForbidden
		}
		b.visit("/console"+path, want)
		source := strings.ToLower(ask[string](b, `document.documentElement.outerHTML`))
		for _, part := range []string{"canary", "5550177", "555-0177"} {
			if strings.Contains(source, part) {
				b.t.Errorf("%s shows %q", path, part)
			}
		}
		for _, what := range ask[[]string](b, everythingOffered) {
			kind := anID.ReplaceAllString(what, "{id}")
			switch {
			case kinds[kind]:
			case endsSession.MatchString(kind):
				last = append(last, what)
			default:
				offered = append(offered, what)
			}
			kinds[kind] = true
		}
	}
	b.visit("/console/health", http.StatusOK) // it follows nothing that would end with the session
	return append(offered, last...)
}

var (
	anID        = regexp.MustCompile(`[a-z]+_[a-z0-9_]{6,}|[0-9]{4}-[0-9]{2}`)
	endsSession = regexp.MustCompile(`/(sign-out|end-all|end-session)$`)
)

// everythingOffered lists the links, forms and buttons of a page.
const everythingOffered = `[
	...[...document.querySelectorAll('a[href^="/console"]')].map(a => 'GET ' + new URL(a.getAttribute('href'), location).pathname),
	...[...document.querySelectorAll('form[action]')].map(f => f.method.toUpperCase() + ' ' + new URL(f.getAttribute('action'), location).pathname),
	...[...document.querySelectorAll('button[formaction]')].map(b => 'POST ' + new URL(b.formAction).pathname),
]`

// request sends a request from a page of the console, as its forms do, with nothing filled in; it returns the status of the answer.
func (b *tab) request(method, path string) int {
	b.t.Helper()
	for _, status := range []int{400, 403, 404, 409, 422} {
		b.expect(b.origin+path, status)
	}
	body := ""
	if method == http.MethodPost {
		body = `, body: new URLSearchParams()`
	}
	var status int
	b.run(chromedp.Evaluate(fmt.Sprintf(`fetch(%s, {method: %s%s}).then(r => r.status)`, quoted(path), quoted(method), body), &status, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
	return status
}
