package lead

import (
	"strconv"
	"strings"
)

// parseNumber parses a JSON number, or a number as a person types it into a form.
func (f *Field) parseNumber(v Value) (parsed, problemText) {
	text := v.text
	switch v.kind {
	case number:
	case typed:
		var ok bool
		if text, ok = parseTypedNumber(text); !ok {
			return parsed{}, "not a number"
		}
	default:
		return parsed{}, wrongType(v, "a number")
	}
	n, err := strconv.ParseFloat(text, 64)
	if f.Kind == Whole && err == nil && !isWhole(text) {
		return parsed{}, "not a whole number"
	}
	if err != nil || n < float64(f.Min) || n > float64(f.Max) {
		return parsed{}, "out of range"
	}
	if f.Kind == Whole {
		whole := int(n)
		return parsed{whole: &whole}, ""
	}
	n += 0 // turns -0 into 0
	return parsed{num: &n}, ""
}

// isWhole accepts 3.0 and 20e-1 as whole numbers. It looks at the digits, because a float64 loses the fraction of
// 2.00000000000000000001 and turns 1e-400 into 0.
func isWhole(text string) bool {
	mantissa, power := text, ""
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		mantissa, power = text[:e], text[e+1:]
	}
	before, after, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	significant := strings.TrimRight(before+after, "0")
	if significant == "" || power == "" {
		return len(significant) <= len(before)
	}
	exponent, err := strconv.Atoi(power)
	if err != nil { // the exponent is out of range: huge and whole, or tiny
		return !strings.HasPrefix(power, "-")
	}
	return len(significant) <= len(before)+exponent
}

// parseTypedNumber accepts 2, 1.5, .5 and 1,200, and none of the other syntax that strconv would parse.
func parseTypedNumber(text string) (string, bool) {
	text = strings.TrimSpace(text)
	bare := strings.TrimPrefix(text, "-")
	before, after, _ := strings.Cut(bare, ".")
	if groups := strings.Split(before, ","); len(groups) > 1 {
		if len(groups[0]) == 0 || len(groups[0]) > 3 {
			return "", false
		}
		for _, g := range groups[1:] {
			if len(g) != 3 {
				return "", false
			}
		}
		before = strings.Join(groups, "")
		text = strings.ReplaceAll(text, ",", "")
	}
	if !allDigits(before) || !allDigits(after) || before+after == "" {
		return "", false
	}
	return text, true
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
