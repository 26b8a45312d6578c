package browser

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestConsoleEffect edits terms: with script the effect follows what is typed, without it the button Check shows it, and neither saves anything.
func TestConsoleEffect(t *testing.T) {
	s := aMonth(t)
	first := true
	for name, script := range scripts {
		t.Run(name, func(t *testing.T) {
			b := s.openConsole(t, laptop, script)
			if first {
				b.becomeOwner("pat")
				first = false
			} else {
				b.visit("/console/sign-in", http.StatusOK)
				b.run(chromedp.SendKeys(`#name`, "pat"), chromedp.SendKeys(`#password`, password+kb.Enter))
				b.until("the console", func() bool { return b.at("/console") })
			}
			b.visit("/console/buyers", http.StatusOK)
			id := ask[string](b, `document.querySelector('tr[data-href]').dataset.href.match(/buyer_[a-z0-9]+/)[0]`)
			page := "/console/buyers/" + id + "/terms"
			axe := func() {
				if name == "with scripts" { // axe is one
					b.wantNoViolation("light", everyRule)
				}
			}
			types := func(field, text string) {
				t.Helper()
				selector := `form[data-check] [name="` + field + `"]`
				ask[any](b, `document.querySelector(`+quoted(selector)+`).value = ''`)
				b.run(chromedp.SendKeys(selector, text))
				if name != "with scripts" {
					b.run(chromedp.Focus(`form[data-check] button[formaction$="/check"]`), chromedp.KeyEvent(kb.Enter))
				}
			}
			b.visit(page, http.StatusOK)
			before := ask[string](b, `document.querySelector('form[data-check] [name=seen]').value`)
			types("priority", "1")
			b.says("would have come here")
			types("zips", "3313")
			b.says("is not a ZIP pattern")
			if got := ask[string](b, `(() => { const z = document.querySelector('form[data-check] [name=zips]'); return z.getAttribute('aria-invalid') + ' ' + document.getElementById(z.getAttribute('aria-describedby')).innerText })()`); !strings.Contains(got, "true") || !strings.Contains(got, "3313") {
				t.Errorf("the field says %q", got)
			}
			axe()
			types("zips", "33139")
			b.says("Covers 1 ZIP code.")
			if typed := ask[string](b, `document.querySelector('form[data-check] [name=priority]').value`); typed != "1" {
				t.Errorf("what was typed became %q", typed)
			}
			b.run(chromedp.Focus(`form[data-check] button[formaction$="/try"]`), chromedp.KeyEvent(kb.Enter))
			b.until("Route", func() bool { return b.at("/console/route") })
			b.run(chromedp.SetValue(`#filter-service`, "hvac"), chromedp.SendKeys(`#filter-zip`, "33139"+kb.Enter))
			b.says("With these terms")
			b.says("(edited)")
			for _, size := range []option{laptop, phone} {
				b.run(size)
				axe()
			}
			b.run(laptop)
			b.visit(page, http.StatusOK)
			if after := ask[string](b, `document.querySelector('form[data-check] [name=seen]').value`); after != before {
				t.Error("the terms changed")
			}
			b.visit("/console/buyers", http.StatusOK)
			ask[any](b, `(() => { document.querySelector('form[data-check]').closest('details').open = true; return null })()`)
			types("states", "FL")
			b.says("ZIP codes.")
			axe()
		})
	}
}
