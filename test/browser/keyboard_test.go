package browser

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// maxTabs is enough presses of the Tab key for the longest page.
const maxTabs = 200

// press presses keys, one after another. Down and character are one event, as on a real keyboard: in two, the second half
// of an Enter that follows a link would reach the link's target.
func (b *tab) press(keys string) {
	b.t.Helper()
	for _, r := range keys {
		k := kb.Keys[r]
		if k == nil {
			b.t.Fatalf("no key for %q", r)
		}
		down := input.DispatchKeyEvent(input.KeyDown).WithKey(k.Key).WithCode(k.Code).WithWindowsVirtualKeyCode(k.Windows)
		if k.Print {
			down = down.WithText(k.Text)
		}
		b.run(down, input.DispatchKeyEvent(input.KeyUp).WithKey(k.Key).WithCode(k.Code).WithWindowsVirtualKeyCode(k.Windows))
	}
}

// selectAll presses Ctrl+A.
func (b *tab) selectAll() {
	b.t.Helper()
	b.run(input.DispatchKeyEvent(input.KeyDown).WithKey("a").WithModifiers(input.ModifierCtrl).WithCommands([]string{"selectAll"}),
		input.DispatchKeyEvent(input.KeyUp).WithKey("a").WithModifiers(input.ModifierCtrl))
}

// tabTo moves the focus until it is on the wanted element.
func (b *tab) tabTo(what string, is func(node) bool) node {
	b.t.Helper()
	for range maxTabs {
		if n := b.focused(); is(n) {
			return n
		}
		b.press(kb.Tab)
	}
	b.t.Fatalf("the Tab key never comes to %s", what)
	return node{}
}

// fill types a text into the input of a field, replacing what was there.
func (b *tab) fill(field, text string) {
	b.t.Helper()
	label := lead.FieldNamed(field).Label
	b.tabTo(label, func(n node) bool { return n.isInput(label) })
	b.selectAll()
	b.press(text)
	if got := b.focused().Value.String(); got != text {
		b.t.Fatalf("%s holds %q after %q was typed", label, got, text)
	}
}

// choose picks a choice of a field, which may be a list or a row of buttons.
func (b *tab) choose(field, choice string) {
	b.t.Helper()
	f := lead.FieldNamed(field)
	var all []string
	for _, c := range f.Choices {
		all = append(all, catalog.ChoiceLabel(field, c))
	}
	wanted := catalog.ChoiceLabel(field, choice)
	b.press(kb.Tab) // if the focus is on the list already, leave it: the list joins keys typed within a second into one word
	n := b.tabTo(f.Label, func(n node) bool {
		return n.isInput(f.Label) || n.Role.String() == "radio" && slices.Contains(all, n.Name.String())
	})
	if n.Role.String() != "radio" {
		b.press(wanted)
		if got := b.focused().Value.String(); got != wanted {
			b.t.Fatalf("%s is %q after %q was typed", f.Label, got, wanted)
		}
		return
	}
	for range all {
		if strings.HasPrefix(b.focused().Name.String(), wanted) {
			b.press(" ")
			return
		}
		b.press(kb.ArrowDown)
	}
	b.t.Fatalf("%s has no choice %q", f.Label, wanted)
}

// isConsent reports whether the node is the consent checkbox.
func isConsent(n node) bool { return n.Role.String() == "checkbox" }

func isSend(n node) bool {
	return n.Role.String() == "button" && n.Name.String() == catalog.PageWords["send"]
}

// checkConsent checks the consent checkbox.
func (b *tab) checkConsent() {
	b.t.Helper()
	b.tabTo("the consent", isConsent)
	b.press(" ")
	if got := b.focused().property("checked"); got != "true" {
		b.t.Fatalf("the box is ticked: %q", got)
	}
}

// send presses the button.
func (b *tab) send() {
	b.t.Helper()
	b.tabTo("the button", isSend)
	b.press(kb.Enter)
}

// The person of all tests.
const (
	aName  = "Pat Example"
	aPhone = "305-555-0123"
	aZIP   = "33139"
	aNote  = "Two cats in the house"
)

// fillIn fills in a complete request, with its own phone number.
func (b *tab) fillIn(phone string) {
	b.t.Helper()
	b.choose("service_type", string(lead.HVAC))
	b.fill("zip_code", aZIP)
	b.fill("notes", aNote)
	b.fill("customer_name", aName)
	b.fill("customer_phone", phone)
	b.checkConsent()
}
