package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestConsole sends a request from the docs, which is checked and not stored, and a wrong one.
func TestConsole(t *testing.T) {
	b := serve(t).open(t, laptop)
	b.visit("/docs", 200)
	answer := func() string { return ask[string](b, `document.querySelector(".answer").textContent`) }
	send := func() { b.run(chromedp.Click(`.console button[type=submit]`, chromedp.ByQuery)) }
	send()
	b.until("the answer to a dry run", func() bool {
		return strings.Contains(answer(), `"validated"`) && strings.Contains(answer(), `"dry_run": true`)
	})
	b.run(chromedp.SetValue(`#console-body`, `{"zip_code": "3313"}`, chromedp.ByQuery))
	send()
	b.until("a refusal", func() bool { return strings.Contains(answer(), `"invalid_request"`) })
	if status := ask[string](b, `document.querySelector(".console [role=status]").textContent`); !strings.HasPrefix(status, "422") {
		t.Errorf("the status is told as %q", status)
	}
	for i, want := range map[int]string{1: "what_to_tell_the_user", 2: "get_lead_status", 3: "+18005550199"} {
		ask[any](b, `document.querySelector("#console-call").selectedIndex = `+string(rune('0'+i))+`; document.querySelector("#console-call").dispatchEvent(new Event("change")); null`)
		send()
		b.until(want, func() bool { return strings.Contains(answer(), want) })
	}
}

// TestConsoleWithoutScripts wants a link to the form instead of a console that does nothing.
func TestConsoleWithoutScripts(t *testing.T) {
	b := serve(t).open(t, laptop, scripts["without scripts"])
	b.visit("/docs", 200)
	if ask[bool](b, `document.querySelector(".console form").checkVisibility()`) || !ask[bool](b, `document.querySelector(".scriptless a").checkVisibility()`) {
		t.Error("the console is shown, or the way to the form is not")
	}
}
