package browser

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"foyer/test/binary"
)

// foyer runs a command beside the service, and returns what it prints.
func foyer(t *testing.T, folder string, args ...string) string {
	t.Helper()
	cmd := exec.Command(binary.Program, args...)
	cmd.Dir, cmd.Env = folder, binary.Environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("foyer %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

var linkPattern = regexp.MustCompile(`/console/link/[a-z0-9_]+`)

const password = "a few plain words"

// link returns the path of a one-time link that foyer operators prints.
func (s *service) link(args ...string) string {
	s.t.Helper()
	out := foyer(s.t, filepath.Dir(strings.TrimPrefix(s.Database, "sqlite:")), append(append([]string{"operators"}, args...), "--database", s.Database)...)
	return linkPattern.FindString(out)
}

// becomeOwner opens the first link and chooses a name and a password, as the first person does.
func (b *tab) becomeOwner(name string) {
	b.t.Helper()
	b.visit(b.link("link"), http.StatusOK)
	b.typeInto(`#name`, name)
	b.typeInto(`#password`, password)
	b.press(kb.Enter)
	b.until("the console", func() bool { return b.at("/console") })
}

// TestConsolePages looks at every page of the console at both widths, in both color schemes; and then as others than the owner.
func TestConsolePages(t *testing.T) {
	s := aMonth(t)
	b := s.openConsole(t)
	b.becomeOwner("pat")
	pages := s.consoleVisits()
	b.wantGoodPages(t, pages)
	t.Run("keys", b.useKeys)
	b.t = t
	b.useRoles(t, pages)
	b.t = t
}

// TestConsoleFirstPages looks in the same way at what a person sees who has just installed the service.
func TestConsoleFirstPages(t *testing.T) {
	b := serve(t).openConsole(t)
	b.becomeOwner("pat")
	b.wantGoodPages(t, b.firstVisits())
}

func (b *tab) wantGoodPages(t *testing.T, pages []visit) {
	t.Helper()
	onPaper := map[string]string{"console-evidence": "The words", "console-statement": "Owed after"}
	for _, v := range pages {
		t.Run(v.name, func(t *testing.T) {
			for _, size := range []option{laptop, phone} {
				b.t = t
				b.run(size, prefers("light"))
				b.visit(v.address, v.status)
				v.prepare(b)
				b.unfoldAll()
				b.wantNoViolation("light", everyRule)
				b.run(prefers("dark"))
				b.wantNoViolation("dark", colorRules)
				b.wantNoScrolling()
			}
			if says := onPaper[v.name]; says != "" {
				b.run(laptop)
				b.wantPaper(says)
			}
		})
	}
	b.t = t
}

// unfoldAll opens the menu and everything that is folded up: axe does not see it otherwise.
func (b *tab) unfoldAll() {
	b.t.Helper()
	ask[any](b, `(() => { document.querySelectorAll('details').forEach(d => d.open = true); document.getElementById('menu')?.click(); return null })()`)
}

// wantNoScrolling wants a page, and every list on it, to be no wider than the screen.
func (b *tab) wantNoScrolling() {
	b.t.Helper()
	if over := ask[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		b.t.Errorf("%d px wider than the screen", over)
	}
	lists := ask[[]string](b, `[...document.querySelectorAll('.scroll')].filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1).map(e => (e.getAttribute('aria-label') || e.innerText).slice(0, 40) + ': ' + e.scrollWidth + ' of ' + e.clientWidth)`)
	if len(lists) > 0 {
		b.t.Errorf("%d px: these scroll sideways: %q", ask[int](b, `innerWidth`), lists)
	}
}

// TestConsoleScreenshots writes every page of the console into the folder that SCREENSHOTS names.
func TestConsoleScreenshots(t *testing.T) {
	folder := os.Getenv("SCREENSHOTS")
	if folder == "" {
		t.Skip("asked for by make screenshots")
	}
	s := aMonth(t)
	b := s.openConsole(t)
	b.visit("/console/sign-in", http.StatusOK)
	s.photograph(b, visit{"console-sign-in", "/console/sign-in", http.StatusOK, func(*tab) {}}, folder)
	b.becomeOwner("pat")
	for _, v := range s.consoleVisits() {
		s.photograph(b, v, folder)
		switch v.name {
		case "console-lead-error", "console-buyer", "console-sources", "console-settings", "console-privacy", "console-statements":
			v.name += "-unfolded"
			v.prepare = func(b *tab) { ask[any](b, `document.querySelectorAll('details').forEach(d => d.open = true)`) }
			s.photograph(b, v, folder)
		case "console-evidence", "console-statement":
			b.print(filepath.Join(folder, v.name))
		}
	}
	empty, _ := fresh(t)
	b = empty.openConsole(t)
	b.becomeOwner("pat")
	for _, v := range b.firstVisits() {
		empty.photograph(b, v, folder)
	}
	t.Logf("look at %s", folder)
}

// print writes the page as paper shows it, whatever the screen prefers, and a picture of that.
func (b *tab) print(name string) {
	b.t.Helper()
	var shot []byte
	onPaper := emulation.SetEmulatedMedia().WithMedia("print").WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}})
	b.run(emulation.SetDeviceMetricsOverride(794, 1123, 1, false), onPaper, chromedp.FullScreenshot(&shot, 100))
	if err := os.WriteFile(name+"-paper.png", shot, 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.run(prefers("dark"), chromedp.ActionFunc(func(ctx context.Context) error {
		pdf, _, err := page.PrintToPDF().WithPaperWidth(8.27).WithPaperHeight(11.69).WithPreferCSSPageSize(true).Do(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(name+".pdf", pdf, 0o644)
	}))
}

// fresh is a service without anything, whose buyers may be on this machine, and such a buyer, which accepts everything.
func fresh(t *testing.T) (s *service, buyer string) {
	t.Helper()
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, `{"decision":"accept"}`)
	}))
	t.Cleanup(endpoint.Close)
	p := binary.Serve(t, t.TempDir(), "--rate-limit", "off", "--allow-private-buyers")
	return &service{Process: p, t: t, origin: p.Origin()}, endpoint.URL
}

// says waits until the page says something.
func (b *tab) says(text string) {
	b.t.Helper()
	b.until("the page to say "+text, func() bool {
		said, err := try[bool](b, `document.readyState === 'complete' && document.body.innerText.includes(`+quoted(text)+`)`)
		return err == nil && said
	})
}

// TestConsoleWorkingDay goes from the first start to the first sale and its return by the pages alone, with the keyboard: with and without
// script, as an owner and as an operator.
func TestConsoleWorkingDay(t *testing.T) {
	for _, day := range []struct{ name, role, script string }{
		{"pat", "owner", "with scripts"},
		{"pat", "owner", "without scripts"},
		{"sam", "operator", "with scripts"},
	} {
		t.Run(day.role+" "+day.script, func(t *testing.T) {
			s, buyer := fresh(t)
			b := s.openConsole(t, laptop, scripts[day.script])
			b.becomeOwner("pat")
			if day.role != "owner" {
				b.letIn(day.name, day.role)
			}
			b.says("The first five steps")
			b.follow("b", "/console/buyers")
			b.sends("/buyers/add", "Shown only now", "name", "Cool Air", "url", buyer, "price_cents", "45.00")
			id := ask[string](b, `document.querySelector('form[action$="/test"]').action.match(/buyer_[a-z0-9]+/)[0]`)
			b.sends("/buyers/"+id+"/test", "its answer was understood", "deliver", "tick")
			b.sends("/buyers/"+id+"/start", "it is asked from now on", "held", "all", "confirm", "tick")
			b.follow("t", "/console")
			lead := s.sendPublicForm(t, scripts[day.script])
			if day.script == "with scripts" {
				b.run(page.BringToFront()) // a page that is hidden does not follow
				b.says("forwarded")        // by itself
			} else {
				b.until("the sale", func() bool {
					b.visit("/console", http.StatusOK)
					return ask[bool](b, `document.body.innerText.includes('forwarded')`)
				})
			}
			b.opens(`a[href="/console/leads/` + lead + `"]`)
			b.says("Sold to Cool Air for $45.00")
			b.says("accepted and acknowledged")
			b.sends("/leads/"+lead+"/reveal", "With the person", "why", "a test")
			b.says(aName)
			b.follow("l", "/console/leads")
			b.opens(`a[href="/console/leads/` + lead + `"]`)
			b.says("Sold to Cool Air")
			b.sends("/leads/"+lead+"/return", "The return is entered", "reason", "nobody answers", "confirm", "tick")
			b.follow("r", "/console/returns")
			offer := ask[string](b, `document.querySelector('form[action$="/approve"]').action.match(/offer_[a-z0-9]+/)[0]`)
			b.sends("/returns/"+offer+"/approve", "The return is approved", "confirm", "tick")
			b.follow("m", "/console/statements")
			b.opens(`table a[href*="/statements/"]`)
			b.says("Owed after")
			if text := ask[string](b, `document.body.innerText`); !strings.Contains(text, "$45.00") || !strings.Contains(text, "-$45.00") {
				t.Errorf("the statement says:\n%s", text)
			}
			b.signOut()
			b.back()
			b.until("nothing to be seen by going back", func() bool {
				at, err := try[string](b, `location.pathname + ' ' + document.title`)
				return err == nil && strings.HasPrefix(at, "/console/sign-in Sign in")
			})
			b.typeInto(`#name`, day.name)
			b.typeInto(`#password`, password)
			b.press(kb.Enter)
			b.says("Owed after") // where they were
		})
	}
}

// sendPublicForm fills in and sends the public form in a tab of its own, as a person at home does, and returns the id of the lead.
func (s *service) sendPublicForm(t *testing.T, script option) (lead string) {
	t.Helper()
	b := s.open(t, laptop, script)
	b.cookies = []string{"foyer-session", "foyer-device"} // of the other tab: they share a browser
	b.visit("/", http.StatusOK)
	b.fillIn(aPhone)
	b.send()
	b.until("the lead", func() bool { return len(s.Leads()) == 1 })
	return s.Leads()[0].ID
}
