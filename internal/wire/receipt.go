package wire

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
)

// Receipt encodes the answer to a request. It is hand-written because it runs for every request; a test compares it with
// the general encoder.
func Receipt(r lead.Receipt) []byte {
	b := make([]byte, 0, 704) // enough for most receipts
	b = appendString(append(b, `{"lead_id":`...), r.LeadID)
	b = appendString(append(b, `,"status":`...), string(r.Status))
	b = appendString(append(b, `,"message":`...), r.Message)
	b = append(b, `,"next_steps":[`...)
	for i, step := range r.NextSteps {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, step)
	}
	b = appendNullableString(append(b, `],"estimated_payout_hint":`...), r.PayoutHint)
	b = appendNullableString(append(b, `,"call_to_connect":`...), r.Call)
	b = appendNullableString(append(b, `,"call_to_connect_display":`...), r.CallDisplay)
	b = appendNullableString(append(b, `,"call_instruction":`...), r.CallInstruction)
	b = strconv.AppendBool(append(b, `,"dry_run":`...), r.DryRun)
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, s)
	if err != nil { // our own texts, and texts that were validated on arrival
		panic(err)
	}
	return quoted
}

func appendNullableString(b []byte, s *string) []byte {
	if s == nil {
		return append(b, "null"...)
	}
	return appendString(b, *s)
}
