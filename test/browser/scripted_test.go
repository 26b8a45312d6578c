package browser

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"foyer/internal/lead"
	"foyer/test/crawl"
)

// What a script adds to the form. Everything here is optional: TestFormByKeyboard does without.

func TestFieldsFollowTheService(t *testing.T) {
	crawl.Await(t, crawl.FieldsByService)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	asks := func(field string) func() bool {
		return func() bool {
			b.unfold()
			_, there := b.find(func(n node) bool { return n.isInput(lead.FieldNamed(field).Label) })
			return there
		}
	}
	b.choose("service_type", string(lead.HouseCleaning))
	b.until("bedrooms to be asked for", asks("bedrooms"))
	b.choose("service_type", string(lead.PestControl))
	b.until("bedrooms not to be asked for", func() bool { return !asks("bedrooms")() })
}

// TestEveryFieldWithoutScripts wants the form to show every field if nothing can be shown or hidden later. The service and
// the consent may look different; TestFormByKeyboard has used them.
func TestEveryFieldWithoutScripts(t *testing.T) {
	b := serve(t).open(t, phone, scripts["without scripts"])
	b.visit("/", 200)
	b.unfold()
	others := []string{"service_type", "consent_to_contact", "source_agent", lead.DryRun}
	for _, f := range lead.Fields {
		if !slices.Contains(others, f.Name) {
			b.inputOf(f.Name)
		}
	}
}

// TestChecksWhileTyping wants the server's own message, and none once the value is right.
func TestChecksWhileTyping(t *testing.T) {
	crawl.Await(t, crawl.CheckAsTyped)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	b.fill("zip_code", "3313")
	b.press(kb.Tab)
	text := ""
	for _, p := range problems(t) {
		if p.Field == "zip_code" {
			text = p.ForPerson()
		}
	}
	b.until("the problem", func() bool {
		n := b.inputOf("zip_code")
		return n.property("invalid") == "true" && strings.Contains(n.Description.String(), text)
	})
	b.fill("zip_code", aZIP)
	b.press(kb.Tab)
	b.until("the problem to go", func() bool {
		n := b.inputOf("zip_code")
		return n.property("invalid") != "true" && !strings.Contains(n.Description.String(), text)
	})
}

func TestPhoneIsFormatted(t *testing.T) {
	crawl.Await(t, crawl.PhoneFormat)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	label := lead.FieldNamed("customer_phone").Label
	b.tabTo(label, func(n node) bool { return n.isInput(label) })
	b.press("3055550123" + kb.Tab)
	groups := regexp.MustCompile(`^\(?305\)?[ -]555-0123$`)
	b.until("groups", func() bool { return groups.MatchString(b.inputOf("customer_phone").Value.String()) })
}

func TestZIPShowsPlace(t *testing.T) {
	crawl.Await(t, crawl.PlaceOfZIP)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	b.fill("zip_code", aZIP)
	b.press(kb.Tab)
	b.until("the name of the place", func() bool {
		shown := ask[string](b, `document.querySelector('main').innerText + [...document.querySelectorAll('main input')].map(i => i.value).join(' ')`)
		return strings.Contains(shown, "Miami Beach") && strings.Contains(shown, "FL")
	})
}

// TestNotesAreCounted wants the count to be associated with the field, so that a screen reader reads it.
func TestNotesAreCounted(t *testing.T) {
	crawl.Await(t, crawl.NotesCounter)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	b.fill("notes", aNote) // 21 of 2000 characters
	count := regexp.MustCompile(`\b(21|1,?979)\b`)
	b.until("a count", func() bool { return count.MatchString(b.inputOf("notes").Description.String()) })
}
