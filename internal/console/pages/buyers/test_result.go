package buyers

import (
	"cmp"

	"foyer/internal/console/operation"
	"foyer/internal/console/pages/page"
	"foyer/internal/report"
	"foyer/internal/wire"
)

// testResult shows a test: what was sent, and how the answer is understood.
func testResult(v *page.Visit) page.Part {
	usable, _ := page.MemberOf(v.Result, "usable").(bool)
	first := page.Without(v.Result, "delivery", "usable")
	if usable {
		parts := append([]page.Part{page.Notice{Tone: "good", Text: "The buyer decided, and its answer was understood."}}, stepParts(v, first)...)
		if delivery, sent := page.MemberOf(v.Result, "delivery").(*wire.Object); sent && delivery != nil {
			parts = append(append(parts, page.Prose("Then the made-up contact was delivered:")), stepParts(v, *delivery)...)
		}
		return page.Panel{Title: "The test", Broad: true, Parts: parts}
	}
	var parts []page.Part
	if delivery, sent := page.MemberOf(v.Result, "delivery").(*wire.Object); sent && delivery != nil {
		parts = append(parts, page.Prose("The buyer accepted the offer. The made-up contact did not arrive as it should:"))
		first = *delivery
	}
	return page.Panel{Title: "The test", Broad: true, Parts: append(parts, failedStep(v, first)...)}
}

// failedStep says what went wrong first. What a machine said about it is folded up.
func failedStep(v *page.Visit, step wire.Object) []page.Part {
	why, _ := page.MemberOf(step, "why").(string)
	if failure, _ := page.MemberOf(step, "failure").(string); failure != "" {
		return []page.Part{
			page.Notice{Tone: "stop", Text: operation.Sentence(why)},
			page.Folding{Title: "Details", Parts: []page.Part{v.FactsOf(page.Without(step, "buyer_id", "status", "why", "code", "request", "answer", "buyer_ref")), exchangeOf(step)}},
		}
	}
	return append([]page.Part{page.Notice{Tone: "stop", Text: "There was an answer, but it could not be used."}}, stepParts(v, step)...)
}

// stepParts shows a message: what became of it, and then request and answer side by side.
func stepParts(v *page.Visit, step wire.Object) []page.Part {
	return []page.Part{v.FactsOf(page.Without(step, "buyer_id", "request", "answer")), exchangeOf(step)}
}

func exchangeOf(step wire.Object) page.Part {
	request, _ := page.MemberOf(step, "request").(string)
	answer, _ := page.MemberOf(step, "answer").(string)
	return page.Exchange{Sent: report.Indented(request), Answer: cmp.Or(report.Indented(answer), "(nothing)")}
}
