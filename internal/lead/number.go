package lead

import (
	"strconv"
	"strings"
)

// readNumber reads a JSON number, or a number as a person types it into a form.
func (f *Field) readNumber(v Value) (parsed, problemText) {
	text := v.text
	switch v.form {
	case number:
	case typed:
		var ok bool
		if text, ok = typedNumber(text); !ok {
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
	n += 0 // a minus zero is a zero
	return parsed{num: &n}, ""
}

// isWhole reads 3.0 and 20e-1 as whole numbers. It looks at the digits, because a float forgets the fraction in
// 2.00000000000000000001 and all of 1e-400.
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
	if err != nil { // beyond any number of rooms, on one side or the other
		return !strings.HasPrefix(power, "-")
	}
	return len(significant) <= len(before)+exponent
}

// typedNumber accepts 2, 1.5, .5 and 1,200, and none of the other things that Go would parse.
func typedNumber(text string) (string, bool) {
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
	if !digits(before) || !digits(after) || before+after == "" {
		return "", false
	}
	return text, true
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
