package browser

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"
)

// patience is how long anything on a page may take on a busy machine.
const patience = 30 * time.Second

// tab is a page in the browser, and everything that was recorded about it.
type tab struct {
	*service
	t       *testing.T
	ctx     context.Context
	waiting bool // in until, which repeats an evaluation that fails
	*pageMonitor
}

// notEvaluated ends a condition of until, for example because the page was replaced by the next.
type notEvaluated struct{ error }

// option configures a browser tab.
type option = chromedp.Action

// Widths and heights are those of a common phone, and of a laptop.
var (
	phone   = chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch)
	laptop  = chromedp.EmulateViewport(1280, 800)
	scripts = map[string]option{
		"with scripts":    emulation.SetScriptExecutionDisabled(false),
		"without scripts": emulation.SetScriptExecutionDisabled(true),
	}
)

// prefers sets a color scheme, light or dark.
func prefers(scheme string) option {
	return emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}})
}

// open opens a new tab with a page monitor, which must have recorded nothing when the test ends.
func (s *service) open(t *testing.T, settings ...option) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(chromium)
	t.Cleanup(cancel)
	b := &tab{service: s, t: t, ctx: ctx, pageMonitor: watch(ctx, s.origin)}
	if err := chromedp.Run(ctx); err != nil { // without a deadline, which would become the tab's own
		t.Fatal(err)
	}
	b.expect(s.origin+intake, http.StatusUnprocessableEntity) // a refusal is part of the form, also if a script sends the request
	b.run(page.BringToFront(), network.Enable(), page.Enable(), emulation.SetFocusEmulationEnabled(true))
	b.run(settings...)
	t.Cleanup(b.wantNoViolations)
	return b
}

// openConsole opens a new tab for somebody who signs in. Its cookies are gone when the test ends.
func (s *service) openConsole(t *testing.T, settings ...option) *tab {
	t.Helper()
	b := s.open(t, settings...)
	b.cookies = []string{"foyer-session", "foyer-device"}
	t.Cleanup(func() { b.run(storage.ClearCookies()) })
	return b
}

// run runs actions in the tab, and ends the test if they fail.
func (b *tab) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatalf("%v", err)
	}
}

// visit goes to an address and wants a status.
func (b *tab) visit(address string, status int) {
	b.t.Helper()
	b.expect(b.origin+address, status)
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	res, err := chromedp.RunResponse(ctx, chromedp.Navigate(b.origin+address))
	if err != nil {
		b.t.Fatalf("%s: %v", address, err)
	}
	if int(res.Status) != status {
		b.t.Fatalf("%s: got %d, want %d", address, res.Status, status)
	}
}

// ask evaluates an expression. This is the test's own doing, not the page's: it works with scripts disabled, too.
func ask[T any](b *tab, expression string) T {
	b.t.Helper()
	answer, err := try[T](b, expression)
	if err != nil && b.waiting {
		panic(notEvaluated{fmt.Errorf("%s: %w", expression, err)})
	}
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return answer
}

func try[T any](b *tab, expression string) (answer T, err error) {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	err = chromedp.Run(ctx, chromedp.Evaluate(expression, &answer))
	return answer, err
}

// until waits for a condition. Evaluations fail while a page is being replaced by the next, and are repeated.
func (b *tab) until(what string, condition func() bool) {
	b.t.Helper()
	var last error
	for end := time.Now().Add(patience); time.Now().Before(end); {
		yes, err := b.holds(condition)
		if yes {
			return
		}
		last = err
		select {
		case <-b.ctx.Done():
			b.t.Fatal(b.ctx.Err())
		case <-time.After(20 * time.Millisecond):
		}
	}
	text, _ := try[string](b, `document.body.innerText`)
	b.t.Fatalf("waited in vain for %s (%v); the page says:\n%s", what, last, text)
}

// holds reports whether a condition holds, or why it could not be evaluated.
func (b *tab) holds(condition func() bool) (yes bool, err error) {
	b.waiting = true
	defer func() {
		b.waiting = false
		switch r := recover().(type) {
		case nil:
		case notEvaluated:
			err = r
		default:
			panic(r)
		}
	}()
	return condition(), nil
}

// at reports whether the tab has arrived at a path.
func (b *tab) at(path string) bool {
	at, err := try[string](b, `document.readyState === 'complete' ? location.pathname : ''`)
	return err == nil && at == path
}

// back goes back in the tab's history. It does not wait: a cached page loads nothing.
func (b *tab) back() {
	b.t.Helper()
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		at, entries, err := page.GetNavigationHistory().Do(ctx)
		if err != nil {
			return err
		}
		return page.NavigateToHistoryEntry(entries[at-1].ID).Do(ctx)
	}))
}

// quoted returns a text as a script literal.
func quoted(text string) string { return strconv.Quote(text) }

// distance returns how far a text is from an input or from its label, in pixels, or -1 if one of them is missing or hidden.
func (b *tab) distance(selector, text string) float64 {
	b.t.Helper()
	return ask[float64](b, `(() => {
		const plain = text => text.replace(/\s+/g, ' ').trim()
		const holds = e => e.checkVisibility({visibilityProperty: true, opacityProperty: true}) && plain(e.textContent).includes(plain(`+quoted(text)+`))
		const said = [...document.querySelectorAll('main *')].filter(holds).pop() // the last and innermost: a summary comes first
		const input = document.querySelector(`+quoted(selector)+`)
		if (!input || !said) return -1
		const s = said.getBoundingClientRect()
		return Math.min(...[input, ...input.labels].map(e => e.getBoundingClientRect()).map(r =>
			Math.hypot(Math.max(0, s.left - r.right, r.left - s.right), Math.max(0, s.top - r.bottom, r.top - s.bottom))))
	})()`)
}
