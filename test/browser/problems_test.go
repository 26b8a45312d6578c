package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"foyer/internal/lead"
	"foyer/test/crawl"
)

const intake = "/v1/intake"

// maxDistance is how far a text may be from its input, in pixels: a line of help may be between them.
const maxDistance = 60

// wrong is a request with many errors: missing, too short, unreadable. Some of it is right, and must stay.
var wrong = map[string]string{"zip_code": "3313", "customer_name": aName, "customer_phone": "555", "notes": aNote}

// problems returns what the server says about the wrong request.
func problems(t *testing.T) []lead.Problem {
	t.Helper()
	raw := lead.IntakeInput.New()
	for name, text := range wrong {
		raw.Set(name, lead.Typed(text))
	}
	_, refusal := lead.Parse(raw)
	if refusal == nil || len(refusal.Problems) != 4 {
		t.Fatalf("want four problems, got %+v", refusal)
	}
	return refusal.Problems
}

// TestProblemsAreShown wants each problem next to its field, associated with it, and announced; and no input lost.
func TestProblemsAreShown(t *testing.T) {
	for name, mode := range scripts {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			b := s.open(t, laptop, mode)
			b.visit("/", 200)
			b.disableBrowserChecks()
			for _, field := range []string{"zip_code", "notes", "customer_name", "customer_phone"} {
				b.fill(field, wrong[field])
			}
			b.send()
			b.wantProblems(problems(t))
			b.wantKept()
			b.wantWayTo("zip_code", problems(t))
			b.fillIn(aPhone)
			b.send()
			b.wantThanks()
			b.wantLead()
		})
	}
}

// disableBrowserChecks turns off the browser's own checks, until the form does so itself.
func (b *tab) disableBrowserChecks() {
	b.t.Helper()
	if crawl.Lacks(crawl.OwnMessages) {
		ask[bool](b, `[...document.forms].every(f => f.noValidate = true)`)
	}
}

// announced is what a screen reader says unprompted: alerts, and the element that got the focus.
const announced = `document.readyState !== 'complete' ? '' : [...document.querySelectorAll('[role=alert], [aria-live=assertive]'), document.activeElement]
	.filter(e => e !== document.body && e.checkVisibility()).map(e => e.innerText).join(' ')`

// isMarkedWrong reports whether the page has loaded, with a field marked as wrong.
func (b *tab) isMarkedWrong(field string) bool {
	if there, _ := try[bool](b, `document.readyState === 'complete'`); !there {
		return false
	}
	n, there := b.find(func(n node) bool { return n.isInput(lead.FieldNamed(field).Label) })
	return there && n.property("invalid") == "true"
}

// wantProblems checks the place of each problem, and what is announced.
func (b *tab) wantProblems(problems []lead.Problem) {
	b.t.Helper()
	b.until("every problem to be announced", func() bool {
		said, _ := try[string](b, announced)
		return !slices.ContainsFunc(problems, func(p lead.Problem) bool { return !strings.Contains(said, p.ForPerson()) })
	})
	for _, p := range problems {
		n := b.inputOf(p.Field)
		if got := n.property("invalid"); got != "true" {
			b.t.Errorf("%s is not marked: invalid is %q", p.Field, got)
		}
		if !strings.Contains(n.Description.String(), p.ForPerson()) {
			b.t.Errorf("%s does not say %q, but %q", p.Field, p.ForPerson(), n.Description.String())
		}
		if far := b.distance("[name="+p.Field+"]", p.ForPerson()); far < 0 || far > maxDistance {
			b.t.Errorf("%s: its problem stands %v px away", p.Field, far)
		}
	}
}

// inputOf returns the input of a field. The consent has no short label.
func (b *tab) inputOf(field string) node {
	b.t.Helper()
	if field == "consent_to_contact" {
		n, _ := b.find(isConsent)
		return n
	}
	return b.input(lead.FieldNamed(field).Label)
}

// wantKept wants everything that was typed to be still there.
func (b *tab) wantKept() {
	b.t.Helper()
	for field, typed := range wrong {
		if got := b.inputOf(field).Value.String(); got != typed {
			b.t.Errorf("%s holds %q, want %q as it was typed", field, got, typed)
		}
	}
}

// wantWayTo wants the focus to be on a wrong field already, or a link from the summary to the field.
func (b *tab) wantWayTo(field string, problems []lead.Problem) {
	b.t.Helper()
	if b.focused().property("invalid") == "true" {
		return
	}
	for _, p := range problems {
		if p.Field == field {
			b.tabTo("the link to "+field, func(n node) bool {
				return n.Role.String() == "link" && strings.Contains(n.Name.String(), p.ForPerson())
			})
			b.press(kb.Enter)
			b.until(field+" to have the focus", func() bool { return b.focused().isInput(lead.FieldNamed(field).Label) })
		}
	}
}

// TestBackAfterAProblem goes back from the problems to the form, which must not have lost anything.
func TestBackAfterAProblem(t *testing.T) {
	for name, mode := range scripts {
		t.Run(name, func(t *testing.T) {
			b := serve(t).open(t, phone, mode)
			b.visit("/", 200)
			b.fillIn("555")
			b.send()
			b.until("the problem", func() bool { return b.isMarkedWrong("customer_phone") })
			if b.at("/") { // shown in place: visit another page to come back from
				b.visit("/privacy", 200)
			}
			b.back()
			b.until("the form", func() bool { return b.at("/") })
			for field, typed := range map[string]string{"zip_code": aZIP, "customer_name": aName, "customer_phone": "555", "notes": aNote} {
				b.until(field+" as it was typed", func() bool {
					n, there := b.find(func(n node) bool { return n.isInput(lead.FieldNamed(field).Label) })
					return there && n.Value.String() == typed
				})
			}
		})
	}
}

// TestEmptyFormIsAnswered sends the empty form. A browser's own bubble would show one problem, and vanish.
func TestEmptyFormIsAnswered(t *testing.T) {
	crawl.Await(t, crawl.OwnMessages)
	b := serve(t).open(t, phone)
	b.visit("/", 200)
	b.send()
	_, refusal := lead.Parse(lead.IntakeInput.New())
	b.wantProblems(refusal.Problems)
}

// sendEmpty shows the form with its problems.
func sendEmpty(b *tab) {
	b.t.Helper()
	b.disableBrowserChecks()
	ask[any](b, `document.querySelector('[name=zip_code]').form.requestSubmit()`)
	b.until("the problems", func() bool { return b.isMarkedWrong("zip_code") })
}
