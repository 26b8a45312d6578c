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
	b.run(chromedp.SendKeys(`#name`, name), chromedp.SendKeys(`#password`, password+kb.Enter))
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
				b.wantNoViolation("light", everyRule)
				b.run(prefers("dark"))
				b.wantNoViolation("dark", colorRules)
				if over := ask[int](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%d px wider than the screen", over)
				}
			}
			if says := onPaper[v.name]; says != "" {
				b.run(laptop)
				b.wantPaper(says)
			}
		})
	}
	b.t = t
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

// unfoldForm opens a form that is folded up, and waits until it can be used.
func (b *tab) unfoldForm(path string) string {
	b.t.Helper()
	form := `form[action="/console` + path + `"]`
	b.until("the form "+path, func() bool { return ask[bool](b, `!!document.querySelector(`+quoted(form)+`)`) })
	ask[any](b, `(() => { const d = document.querySelector(`+quoted(form)+`).closest('details'); if (d) d.open = true; return null })()`)
	return form
}

// sends fills in a form of the console and sends it with the keyboard.
func (b *tab) sends(path string, says string, values ...string) {
	b.t.Helper()
	form := b.unfoldForm(path)
	for i := 0; i+1 < len(values); i += 2 {
		field := form + ` [name="` + values[i] + `"]`
		switch values[i+1] {
		case "tick":
			b.run(chromedp.Focus(field), chromedp.KeyEvent(" "))
		default:
			ask[any](b, `document.querySelector(`+quoted(field)+`).value = ''`)
			b.run(chromedp.SendKeys(field, values[i+1]))
		}
	}
	b.run(chromedp.Focus(form+` button`), chromedp.KeyEvent(kb.Enter))
	b.says(says)
}

// says waits until the page says something.
func (b *tab) says(text string) {
	b.t.Helper()
	b.until("the page to say "+text, func() bool {
		said, err := try[bool](b, `document.readyState === 'complete' && document.body.innerText.includes(`+quoted(text)+`)`)
		return err == nil && said
	})
}

// letIn gives somebody a role and signs them in with the link that the page shows. Until then the owner is signed in.
func (b *tab) letIn(name, role string) {
	b.t.Helper()
	b.visit("/console/settings", http.StatusOK)
	form := b.unfoldForm("/settings/add-person")
	b.run(chromedp.SetValue(form+` [name="role"]`, role))
	b.sends("/settings/add-person", "Shown only now", "name", name)
	link := linkPattern.FindString(ask[string](b, `document.querySelector('.secret code').innerText`))
	b.signOut()
	b.visit(link, http.StatusOK)
	b.run(chromedp.SendKeys(`#password`, password+kb.Enter))
	b.until("the console", func() bool { return b.at("/console") })
	b.says(name + " " + role)
}

func (b *tab) signOut() {
	b.t.Helper()
	b.run(chromedp.Focus(`form[action="/console/sign-out"] button`), chromedp.KeyEvent(kb.Enter))
	b.until("the way to sign in", func() bool { return b.at("/console/sign-in") })
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
			b.visit("/console/buyers", http.StatusOK)
			b.sends("/buyers/add", "Shown only now", "name", "Cool Air", "url", buyer, "price_cents", "45.00")
			id := ask[string](b, `document.querySelector('form[action$="/test"]').action.match(/buyer_[a-z0-9]+/)[0]`)
			b.sends("/buyers/"+id+"/test", "its answer was understood", "deliver", "tick")
			b.sends("/buyers/"+id+"/start", "it is asked from now on", "held", "all", "confirm", "tick")
			b.visit("/console", http.StatusOK)
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
			b.run(chromedp.Focus(`a[href="/console/leads/`+lead+`"]`), chromedp.KeyEvent(kb.Enter))
			b.says("Sold to Cool Air for $45.00")
			b.says("accepted and acknowledged")
			b.sends("/leads/"+lead+"/reveal", "With the person", "why", "a test")
			b.says(aName)
			b.visit("/console/leads/"+lead, http.StatusOK)
			b.sends("/leads/"+lead+"/return", "The return is entered", "reason", "nobody answers")
			b.visit("/console/returns", http.StatusOK)
			offer := ask[string](b, `document.querySelector('form[action$="/approve"]').action.match(/offer_[a-z0-9]+/)[0]`)
			b.sends("/returns/"+offer+"/approve", "The return is approved", "confirm", "tick")
			b.visit("/console/statements", http.StatusOK)
			b.run(chromedp.Focus(`table a[href*="/statements/"]`), chromedp.KeyEvent(kb.Enter))
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
			b.run(chromedp.SendKeys(`#name`, day.name), chromedp.SendKeys(`#password`, password+kb.Enter))
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

// useKeys uses the keys that the console lists.
func (b *tab) useKeys(t *testing.T) {
	b.t = t
	b.run(laptop)
	b.visit("/console", http.StatusOK)
	press := func(keys ...string) {
		for _, k := range keys {
			b.run(chromedp.KeyEvent(k))
		}
	}
	press("?")
	b.says("Next and previous row")
	press(kb.Escape)
	// A page that is still being loaded does not hear its keys, so they are pressed until they are heard, as a person would.
	follow := func(key, path string) {
		b.until(path, func() bool {
			if ready, err := try[bool](b, `document.readyState === 'complete'`); err != nil || !ready {
				return false
			}
			if !b.at(path) {
				press("g" + key)
				return false
			}
			return true
		})
	}
	follow("l", "/console/leads")
	press("j", "j", "k", "j")
	if at := ask[int](b, `[...document.querySelectorAll('[data-rows] tbody tr')].findIndex(r => r.classList.contains('at'))`); at != 1 {
		t.Errorf("row %d", at)
	}
	press(kb.Enter)
	b.until("a lead", func() bool {
		at, _ := try[string](b, `location.pathname`)
		return strings.HasPrefix(at, "/console/leads/lead_")
	})
	b.says("What happened")
	press("/")
	b.until("the field", func() bool { return ask[string](b, `document.activeElement.id`) == "find" })
	ask[any](b, `document.activeElement.value = ''`) // the protocol types the key, too, which a keyboard would not
	b.run(chromedp.KeyEvent("331*" + kb.Enter))
	b.until("a search", func() bool {
		at, _ := try[string](b, `location.pathname + location.search`)
		return strings.HasPrefix(at, "/console/leads?") && strings.Contains(at, "zip=331")
	})
	follow("c", "/console/coverage")
}
