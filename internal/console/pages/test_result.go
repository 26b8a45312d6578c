package pages

import (
	"cmp"

	"foyer/internal/console"
	"foyer/internal/report"
	"foyer/internal/wire"
)

// testResult shows a test: what was sent, and how the answer is understood.
func (v *visit) testResult() part {
	usable, _ := member(v.result, "usable").(bool)
	first := without(v.result, "delivery", "usable")
	if usable {
		parts := append([]part{notice{Tone: "good", Text: "The buyer decided, and its answer was understood."}}, v.step(first)...)
		if delivery, sent := member(v.result, "delivery").(*wire.Object); sent && delivery != nil {
			parts = append(append(parts, prose("Then the made-up contact was delivered:")), v.step(*delivery)...)
		}
		return panel{Title: "The test", Broad: true, Parts: parts}
	}
	var parts []part
	if delivery, sent := member(v.result, "delivery").(*wire.Object); sent && delivery != nil {
		parts = append(parts, prose("The buyer accepted the offer. The made-up contact did not arrive as it should:"))
		first = *delivery
	}
	return panel{Title: "The test", Broad: true, Parts: append(parts, v.failedStep(first)...)}
}

// failedStep says what went wrong first. What a machine said about it is folded up.
func (v *visit) failedStep(step wire.Object) []part {
	why, _ := member(step, "why").(string)
	if failure, _ := member(step, "failure").(string); failure != "" {
		return []part{
			notice{Tone: "stop", Text: console.Sentence(why)},
			folding{Title: "Details", Parts: []part{v.factsOf(without(step, "buyer_id", "status", "why", "code", "request", "answer", "buyer_ref")), exchangeOf(step)}},
		}
	}
	return append([]part{notice{Tone: "stop", Text: "There was an answer, but it could not be used."}}, v.step(step)...)
}

// step shows a message: what became of it, and then request and answer side by side.
func (v *visit) step(step wire.Object) []part {
	return []part{v.factsOf(without(step, "buyer_id", "request", "answer")), exchangeOf(step)}
}

func exchangeOf(step wire.Object) part {
	request, _ := member(step, "request").(string)
	answer, _ := member(step, "answer").(string)
	return exchange{report.Indented(request), cmp.Or(report.Indented(answer), "(nothing)")}
}
