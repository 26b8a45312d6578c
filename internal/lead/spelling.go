package lead

import (
	"slices"
	"strings"
)

// editDistance is the Levenshtein distance between two short words.
func editDistance(a, b string) int {
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

// resembles reports whether a name may have been meant for a field: a misspelling (zip_cod), an abbreviation (sqft) or one
// of its words (phoneNumber). Edit distance alone would match "date" with state.
func resembles(name, field string) bool {
	if len(name) > 64 {
		return false
	}
	short, full := normalizeName(name), normalizeName(field)
	return editDistance(short, full) <= len(full)/3 || isAbbreviation(short, full) || sharesWord(name, field)
}

// isAbbreviation reports whether short starts with the first letter of full and has its other letters in the same order.
func isAbbreviation(short, full string) bool {
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
	for _, w := range splitWords(a) {
		if len(w) >= 3 && slices.Contains(splitWords(b), w) {
			return true
		}
	}
	return false
}

// splitWords splits a name into words: phone_number and phoneNumber both give phone and number.
func splitWords(name string) []string {
	var spaced strings.Builder
	for _, c := range name {
		if c >= 'A' && c <= 'Z' {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(c)
	}
	return strings.FieldsFunc(strings.ToLower(spaced.String()), func(c rune) bool { return c < 'a' || c > 'z' })
}

// safeToEcho reports whether an error may repeat an unknown name: only if it is short and looks like an identifier.
// Anything else may be personal data in the wrong place.
func safeToEcho(name string) bool {
	return name != "" && len(name) <= 40 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-") == ""
}
