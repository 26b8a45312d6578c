package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Everything here is done with keys alone: the focus moves by Tab, and where there is script, by the console's shortcuts.

// tabInto presses Tab until the focus is on what a selector names. On a page that was just opened it skips the navigation, unless that is
// where it wants to go.
func (b *tab) tabInto(selector string) {
	b.t.Helper()
	on := `document.activeElement.matches(` + quoted(selector) + `)`
	b.until(selector, func() bool {
		return ask[bool](b, `document.readyState === 'complete' && !!document.querySelector(`+quoted(selector)+`)`)
	})
	if ask[bool](b, `document.activeElement === document.body && !!document.querySelector('main#content') && document.querySelector('main#content').contains(document.querySelector(`+quoted(selector)+`))`) {
		b.press(kb.Tab)
		if !ask[bool](b, `document.activeElement.matches('.skip')`) {
			b.t.Errorf("Tab on a fresh page leads to %s", ask[string](b, `document.activeElement.outerHTML.slice(0, 100)`))
		}
		b.press(kb.Enter)
	}
	for range maxTabs {
		if ask[bool](b, on) {
			return
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("the Tab key never comes to %s", selector)
}

// typeInto types into an input, in place of what it has.
func (b *tab) typeInto(selector, text string) {
	b.t.Helper()
	b.tabInto(selector)
	b.selectAll()
	b.press(text)
}

// opens follows a link.
func (b *tab) opens(link string) {
	b.t.Helper()
	b.tabInto(link)
	b.press(kb.Enter)
}

// follow goes to a page by its shortcut, or by its link at the side. A page that is still being loaded does not hear its keys, and one that
// heard them is left some time to go: a second press could be heard by the next page.
func (b *tab) follow(key, path string) {
	b.t.Helper()
	if !ask[bool](b, `!!document.querySelector('.keys-button:not([hidden])')`) { // no script
		b.opens(`nav [data-key="` + key + `"]`)
	}
	var pressed time.Time
	b.until(path, func() bool {
		if b.at(path) {
			return true
		}
		if time.Since(pressed) < patience/4 {
			return false
		}
		if heard, err := try[bool](b, `!!document.querySelector('.keys-button:not([hidden])') && !document.activeElement.matches('input, select, textarea')`); err == nil && heard {
			b.press("g" + key)
			pressed = time.Now()
		}
		return false
	})
}

// unfoldForm opens a form that is folded up.
func (b *tab) unfoldForm(path string) string {
	b.t.Helper()
	form := `form[action="/console` + path + `"]`
	b.until("the form "+path, func() bool {
		return ask[bool](b, `document.readyState === 'complete' && !!document.querySelector(`+quoted(form)+`)`)
	})
	for !ask[bool](b, `document.querySelector(`+quoted(form)+`).checkVisibility()`) {
		b.tabInto(`details:not([open]):has(` + form + `) > summary`)
		b.press(kb.Enter)
	}
	return form
}

// sends fills in a form of the console and sends it.
func (b *tab) sends(path string, says string, values ...string) {
	b.t.Helper()
	form := b.unfoldForm(path)
	for i := 0; i+1 < len(values); i += 2 {
		field := form + ` [name="` + values[i] + `"]`
		switch kind := ask[string](b, `document.querySelector(`+quoted(field)+`).type`); kind {
		case "checkbox", "select-one": // a list chooses what begins with what is typed
			b.tabInto(field)
			b.press(map[string]string{"checkbox": " ", "select-one": values[i+1]}[kind])
		default:
			b.typeInto(field, values[i+1])
		}
	}
	b.tabInto(form + ` button[type=submit]`)
	b.press(kb.Enter)
	b.says(says)
}

// letIn gives somebody a role and signs them in with the link that the page shows. Until then the owner is signed in.
func (b *tab) letIn(name, role string) {
	b.t.Helper()
	b.visit("/console/settings", http.StatusOK)
	values := []string{"name", name, "role", role}
	if ask[bool](b, `document.querySelector('form[action="/console/settings/add-person"] [name=password]') !== null`) { // the owner signed in a while ago
		values = append(values, "password", password)
	}
	b.sends("/settings/add-person", "Shown only now", values...)
	link := linkPattern.FindString(ask[string](b, `document.querySelector('.secret code').innerText`))
	b.signOut()
	b.visit(link, http.StatusOK)
	b.typeInto(`#password`, password)
	b.press(kb.Enter)
	b.until("the console", func() bool { return b.at("/console") })
	b.says(name + " " + role)
}

func (b *tab) signOut() {
	b.t.Helper()
	b.tabInto(`form[action="/console/sign-out"] button`)
	b.press(kb.Enter)
	b.until("the way to sign in", func() bool { return b.at("/console/sign-in") })
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
	b.follow("l", "/console/leads")
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
	b.follow("c", "/console/coverage")
}
