package entered

import (
	"fmt"
	"slices"
	"strings"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

// ReturnCode parses the code of a return.
func ReturnCode(word string) (lead.ReturnCode, error) {
	code := lead.ReturnCode(strings.ToLower(strings.ReplaceAll(strings.TrimSpace(word), "-", "_")))
	if !slices.Contains(lead.ReturnCodes, code) {
		return "", fmt.Errorf("%.40q is not a code of returns: write one of %s", word, Join(lead.ReturnCodes))
	}
	return code, nil
}

// parseReturnCodes parses a list of codes, or none.
func parseReturnCodes(text string) (codes []lead.ReturnCode, err error) {
	if strings.TrimSpace(text) == "none" {
		return nil, nil
	}
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		code, err := ReturnCode(word)
		if err != nil {
			return nil, err
		}
		codes = append(codes, code)
	}
	if len(codes) == 0 {
		return nil, fmt.Errorf("%.40q names no code: write some of %s, separated by commas, or none", text, Join(lead.ReturnCodes))
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// maxReturnDays bounds how long after its delivery a lead can be returned.
const maxReturnDays = 90

func parseReturnDays(n int) (int, error) {
	if n < 1 || n > maxReturnDays {
		return 0, fmt.Errorf("%d is not possible: write a number of days from 1 to %d", n, maxReturnDays)
	}
	return n, nil
}

// decidedTwice returns a code that is both approved and denied without a look, or "".
func decidedTwice(t buyer.ReturnTerms) lead.ReturnCode {
	for _, code := range t.Approve {
		if slices.Contains(t.Deny, code) {
			return code
		}
	}
	return ""
}
