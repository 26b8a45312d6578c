package pages

import (
	"foyer/internal/console"
	"foyer/internal/wire"
)

// testResult shows a test: what was sent, and how the answer is understood.
func (v *visit) testResult() part {
	usable, _ := member(v.result, "usable").(bool)
	first := without(v.result, "delivery", "usable")
	if usable {
		parts := []part{notice{Tone: "good", Text: "The buyer decided, and its answer was understood."}, v.stepFacts(first)}
		if delivery, sent := member(v.result, "delivery").(*wire.Object); sent && delivery != nil {
			parts = append(parts, prose("Then the made-up contact was delivered:"), v.stepFacts(*delivery))
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
			folding{"Details", []part{v.factsOf(without(step, "buyer_id", "status", "why", "code", "answer", "buyer_ref"))}},
		}
	}
	return []part{notice{Tone: "stop", Text: "There was an answer, but it could not be used."}, v.stepFacts(step)}
}

func (v *visit) stepFacts(step wire.Object) part { return v.factsOf(without(step, "buyer_id")) }

// folding is parts that are folded up.
type folding struct {
	Title string
	Parts []part
}

func (folding) template() string { return "folding" }
