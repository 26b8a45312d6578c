package lead

import (
	"slices"
	"strings"
)

// distance is the number of single-letter edits between two short words.
func distance(a, b string) int {
	if len(a) > 64 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// resembles says that a name can have been meant for a field: as a misspelling of it (zip_cod), a short form (sqft) or
// by one of its words (phoneNumber). Letters alone would take a "date" for a state.
func resembles(name, field string) bool {
	if len(name) > 64 {
		return false
	}
	short, full := plain(name), plain(field)
	return distance(short, full) <= len(full)/3 || shortFor(short, full) || sharesWord(name, field)
}

// shortFor says that a word has the first letter of another and the rest of its own in the same order.
func shortFor(short, full string) bool {
	if len(short) < 3 || short[0] != full[0] {
		return false
	}
	for i := 0; i < len(full) && short != ""; i++ {
		if full[i] == short[0] {
			short = short[1:]
		}
	}
	return short == ""
}

func sharesWord(a, b string) bool {
	for _, w := range words(a) {
		if len(w) >= 3 && slices.Contains(words(b), w) {
			return true
		}
	}
	return false
}

// words splits a name: phone_number and phoneNumber both hold phone and number.
func words(name string) []string {
	var spaced strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(c)
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(c rune) bool { return c < 'a' || c > 'z' })
}

// nameable says that an unknown name can be repeated in an answer: short and made like an identifier. Anything else
// may be somebody's data in the wrong place.
func nameable(name string) bool {
	if name == "" || len(name) > 40 {
		return false
	}
	for _, c := range name {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '-':
		default:
			return false
		}
	}
	return true
}
