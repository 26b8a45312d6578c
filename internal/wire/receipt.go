package wire

import (
	"strconv"

	"foyer/internal/lead"
	"foyer/internal/quote"
)

// Receipt writes the answer to a request. It is written by hand, because it is written for every one; a test holds it
// against the general encoder.
func Receipt(r lead.Receipt) []byte {
	b := make([]byte, 0, 704) // most fit in
	b = text(append(b, `{"lead_id":`...), r.LeadID)
	b = text(append(b, `,"status":`...), string(r.Status))
	b = text(append(b, `,"message":`...), r.Message)
	b = append(b, `,"next_steps":[`...)
	for i, step := range r.NextSteps {
		if i > 0 {
			b = append(b, ',')
		}
		b = text(b, step)
	}
	b = maybeText(append(b, `],"estimated_payout_hint":`...), r.PayoutHint)
	b = maybeText(append(b, `,"call_to_connect":`...), r.Call)
	b = maybeText(append(b, `,"call_to_connect_display":`...), r.CallDisplay)
	b = maybeText(append(b, `,"call_instruction":`...), r.CallInstruction)
	b = strconv.AppendBool(append(b, `,"dry_run":`...), r.DryRun)
	return append(b, '}')
}

func text(b []byte, s string) []byte {
	quoted, err := quote.Append(b, s)
	if err != nil { // our own words, and texts that were checked when they came in
		panic(err)
	}
	return quoted
}

func maybeText(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return text(b, *s)
}
