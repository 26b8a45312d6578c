package wire

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"foyer/internal/lead"
)

// This file is here for speed alone: every accepted request is answered with a receipt. To delete it: call Marshal in its place.

// Receipt encodes a receipt as Marshal does. TestReceipt compares the two.
func Receipt(r lead.Receipt) []byte {
	b := make([]byte, 0, 768) // most fit
	b = appendText(append(b, `{"lead_id":`...), &r.LeadID)
	b = appendText(append(b, `,"status":`...), (*string)(&r.Status))
	b = appendText(append(b, `,"message":`...), &r.Message)
	b = append(b, `,"next_steps":[`...)
	for i := range r.NextSteps {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, &r.NextSteps[i])
	}
	b = appendText(append(b, `],"estimated_payout_hint":`...), r.PayoutHint)
	b = appendText(append(b, `,"call_to_connect":`...), r.Call)
	b = appendText(append(b, `,"call_to_connect_display":`...), r.CallDisplay)
	b = appendText(append(b, `,"call_instruction":`...), r.CallInstruction)
	b = strconv.AppendBool(append(b, `,"dry_run":`...), r.DryRun)
	return append(b, '}')
}

// appendText appends a text, or null. Our own texts are valid UTF-8, and those of a request were checked.
func appendText(b []byte, text *string) []byte {
	if text == nil {
		return append(b, "null"...)
	}
	if isPlain(*text) {
		return append(append(append(b, '"'), *text...), '"')
	}
	b, err := jsontext.AppendQuote(b, *text)
	if err != nil {
		panic(err)
	}
	return b
}

// isPlain reports whether a text is the same in JSON, between quotation marks.
func isPlain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}
