package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"foyer/internal/operator/access"
	"foyer/internal/store/storetest"
)

// TestConsoleFollows leaves Today open while a lead arrives: the list shows it, and then the figures count it, without the page being
// loaded again. What somebody has unfolded stays as it is.
func TestConsoleFollows(t *testing.T) {
	s := serve(t)
	b := s.openConsole(t, laptop)
	b.becomeOwner("pat")
	b.visit("/console", http.StatusOK)
	const leads = `document.querySelector('[data-fresh=stats] dd').innerText`
	if got := ask[string](b, leads); !strings.HasPrefix(got, "0") {
		t.Fatalf("before the first lead there are %s", got)
	}
	ask[any](b, `(() => { window.sameDocument = true; return null })()`)
	hours := func() string { return ask[string](b, `document.querySelector('[data-fresh=hours]').innerText`) }
	if got := hours(); !strings.Contains(got, "No lead today") {
		t.Errorf("before the first lead the hours say %q", got)
	}
	arrives := func(number string) {
		id := s.Submit()
		b.until("the lead in the list", func() bool {
			return ask[bool](b, `!!document.querySelector('tr[data-href$="/leads/`+id+`"]')`)
		})
		b.until("the lead in the figures", func() bool { return strings.HasPrefix(ask[string](b, leads), number) })
	}
	arrives("1")
	b.until("a chart in place of the line", func() bool { return !strings.Contains(hours(), "No lead today") })
	ask[any](b, `(() => { document.querySelector('[data-fresh=days] details').open = true; return null })()`)
	days := ask[string](b, `document.querySelector('[data-fresh=days]').innerText`)
	arrives("2")
	if got := ask[string](b, `document.querySelector('[data-fresh=days]').innerText`); got != days {
		t.Errorf("what was unfolded became %q", got)
	}
	if !ask[bool](b, `window.sameDocument === true`) {
		t.Error("the page was loaded again")
	}
}

// TestConsoleConnectsAgain gives the live list a feed that ends with an error of a proxy, after which browsers do not connect by themselves. The
// list asks again, and a hidden page asks no more.
func TestConsoleConnectsAgain(t *testing.T) {
	s := serve(t)
	b := s.openConsole(t, laptop)
	b.becomeOwner("pat")
	b.visit("/console", http.StatusOK)
	ask[any](b, `(() => {
		window.feeds = [];
		window.EventSource = class extends EventTarget {
			static CLOSED = 2;
			constructor() { super(); this.readyState = 2; window.feeds.push(this); setTimeout(() => this.dispatchEvent(new Event("error"))); }
			close() {}
		};
		document.dispatchEvent(new Event("visibilitychange"));
		return null;
	})()`)
	b.until("another connection", func() bool { return ask[int](b, `window.feeds.length`) > 1 })
	ask[any](b, `(() => {
		Object.defineProperty(document, "hidden", { get: () => true });
		document.dispatchEvent(new Event("visibilitychange"));
		return null;
	})()`)
	before := ask[int](b, `window.feeds.length`)
	time.Sleep(7 * time.Second) // longer than the page waits before it connects again
	if after := ask[int](b, `window.feeds.length`); after != before {
		t.Errorf("a hidden page connected %d times", after-before)
	}
}

// TestConsoleIsLeftOpen leaves Today open until its session was not used for long enough. What the page asks for by itself, in the seconds
// before that, does not keep the session, and the page with its leads does not stay on the screen.
func TestConsoleIsLeftOpen(t *testing.T) {
	s := serve(t)
	b := s.openConsole(t, laptop)
	b.becomeOwner("pat")
	b.visit("/console", http.StatusOK)
	s.Submit() // the page loads its figures again
	ends := time.Now().Add(10 * time.Second)
	storetest.MustExec(t, s.Database, fmt.Sprintf(`UPDATE sessions SET seen_at = %d`, ends.Add(-access.SessionIdle).UnixMicro()))
	b.until("the page to sign in on", func() bool { return ask[string](b, `location.pathname`) == "/console/sign-in" })
	if early := time.Until(ends); early > 0 {
		t.Errorf("the page was left %v before its session ended", early)
	}
}

// TestConsoleKeepsTheRow lets a feed repeat the row that the person is at, and then change it: the person stays there.
func TestConsoleKeepsTheRow(t *testing.T) {
	s := serve(t)
	b := s.openConsole(t, laptop)
	b.becomeOwner("pat")
	s.Submit()
	b.visit("/console/leads", http.StatusOK)
	ask[any](b, `(() => {
		window.EventSource = class extends EventTarget {
			constructor() { super(); window.feed = this; }
			close() {}
		};
		document.dispatchEvent(new Event("visibilitychange"));
		window.first = document.querySelector("tr[data-href]");
		window.sent = first.outerHTML;
		return null;
	})()`)
	b.press("j")
	const there = `document.querySelector("tr.at") !== null && document.querySelector("tr.at").contains(document.activeElement)`
	for _, c := range []struct {
		name, data string
		replaced   bool
	}{
		{"the same row", `sent`, false},
		{"a changed row", `sent.replace("33139", "33140")`, true},
		{"the changed row again", `sent.replace("33139", "33140")`, false},
	} {
		ask[any](b, `(() => { window.before = document.querySelector("tr.at"); feed.dispatchEvent(new MessageEvent("leads", {data: `+c.data+`})); return null })()`)
		if got := ask[bool](b, `document.querySelector("tr[data-href]") !== before`); got != c.replaced {
			t.Errorf("%s: replaced %v", c.name, got)
		}
		if !ask[bool](b, there) {
			t.Errorf("%s: the person is no longer at it", c.name)
		}
	}
}

// TestConsoleFinds types into the field at the side. A person's number is never part of an address: not of this page, and not of those
// before it.
func TestConsoleFinds(t *testing.T) {
	s := serve(t)
	b := s.openConsole(t, laptop)
	b.becomeOwner("pat")
	b.sends("/practice/start", "Send a test lead")
	id := s.Submit()
	for _, c := range []struct{ typed, at, says string }{
		{id, "/console/leads/" + id, "What happened"},
		{"33139", "/console/leads?zip=33139", "33139 FL"},
		{"practice buyer", "/console/buyers/", "Practice buyer"},
		{"(305) 555-0123", "/console/find", "33139 FL"},
		{"+1 305 555 0199", "/console/find", "No lead of this person was found."},
		{"Pat Example", "/console/find", "33139 FL"},
		{"", "/console/leads", "33139 FL"},
	} {
		b.visit("/console/health", http.StatusOK)
		b.run(chromedp.SendKeys(`#find`, c.typed+kb.Enter))
		b.until(c.at, func() bool {
			at, err := try[string](b, `document.readyState === 'complete' ? location.pathname + location.search : ''`)
			return err == nil && strings.HasPrefix(at, c.at)
		})
		b.says(c.says)
		if address := ask[string](b, `location.href + ' ' + document.referrer`); strings.Contains(address, "555") || strings.Contains(address, "Pat") {
			t.Errorf("%q is part of the address %s", c.typed, address)
		}
	}
	if logs := s.Logs(); strings.Contains(logs, "5550123") || strings.Contains(logs, "555-0123") {
		t.Error("the number is in the log")
	}
}

// wantPaper wants paper to hold what the page says, and nothing to press.
func (b *tab) wantPaper(says string) {
	b.t.Helper()
	if !ask[bool](b, `document.querySelector('nav').checkVisibility()`) {
		b.t.Error("the screen shows no navigation")
	}
	b.run(emulation.SetEmulatedMedia().WithMedia("print"))
	if shown := ask[string](b, `[...document.querySelectorAll('nav, .side, form, button, input, select, summary, .skip')].filter(e => e.checkVisibility()).map(e => e.outerHTML.slice(0, 80)).join(' ')`); shown != "" {
		b.t.Errorf("paper shows %s", shown)
	}
	if text := ask[string](b, `document.body.innerText`); !strings.Contains(text, says) {
		b.t.Errorf("paper says:\n%s", text)
	}
	b.run(prefers("light"))
}
