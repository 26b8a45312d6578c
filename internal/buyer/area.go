package buyer

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Area is where a buyer works: ZIP patterns such as 33139, 331* or *, minus the excluded ones, and only within the states if
// any are named. No pattern means everywhere.
type Area struct {
	ZIPs     string   `json:"zips,omitempty"` // comma-separated patterns: a buyer may list forty thousand
	Excluded string   `json:"excluded_zips,omitempty"`
	States   []string `json:"states,omitempty"`
}

const allZIPs = 100_000

// zipSet is a bit set of ZIP codes.
type zipSet [(allZIPs + 63) / 64]uint64

func (s *zipSet) has(zip int) bool { return s[zip>>6]&(1<<(zip&63)) != 0 }

// setRange adds or removes the ZIP codes in [from, to), a word at a time: a buyer may work everywhere.
func (s *zipSet) setRange(from, to int, in bool) {
	for from < to {
		end := min(to, (from|63)+1) // of the range, or of the word
		bits := ^uint64(0) >> (64 - (end - from)) << (from & 63)
		if in {
			s[from>>6] |= bits
		} else {
			s[from>>6] &^= bits
		}
		from = end
	}
}

// CleanZIPs sorts patterns and removes duplicates. The error names the first invalid ones.
func CleanZIPs(text string) (string, error) {
	var patterns, invalid []string
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\r' || r == '\t' || r == ';' }) {
		if _, _, ok := zipRange(word); !ok {
			invalid = append(invalid, strconv.Quote(word))
			continue
		}
		patterns = append(patterns, word)
	}
	if len(invalid) > 0 {
		return "", fmt.Errorf("%s: write five digits such as 33139, a beginning such as 331*, or *", invalidPatterns(invalid))
	}
	slices.Sort(patterns)
	return strings.Join(slices.Compact(patterns), ","), nil
}

func invalidPatterns(invalid []string) string {
	const maxShown = 5
	switch n := len(invalid); {
	case n == 1:
		return invalid[0] + " is not a ZIP pattern"
	case n > maxShown:
		return fmt.Sprintf("%s and %d more are not ZIP patterns", strings.Join(invalid[:maxShown], ", "), n-maxShown)
	}
	return strings.Join(invalid, ", ") + " are not ZIP patterns"
}

// zipRange returns the ZIP codes that a pattern matches, as the numbers in [from, to).
func zipRange(pattern string) (from, to int, ok bool) {
	digits, open := strings.CutSuffix(pattern, "*")
	if len(digits) > 5 || !open && len(digits) != 5 {
		return 0, 0, false
	}
	width := 1
	for range 5 - len(digits) {
		width *= 10
	}
	n, err := strconv.ParseUint("0"+digits, 10, 32)
	if err != nil {
		return 0, 0, false
	}
	return int(n) * width, (int(n) + 1) * width, true
}

// zipNumber returns a ZIP code as a number, or -1 if it is not one.
func zipNumber(zip string) int {
	if len(zip) != 5 {
		return -1
	}
	n := 0
	for i := range zip {
		if zip[i] < '0' || zip[i] > '9' {
			return -1
		}
		n = 10*n + int(zip[i]-'0')
	}
	return n
}

// toSet computes the ZIP codes of the area.
func (a Area) toSet() *zipSet {
	s := new(zipSet)
	s.setPatterns(cmp.Or(a.ZIPs, "*"), true)
	if len(a.States) > 0 {
		for i, inStates := range statesSet(a.States) {
			s[i] &= inStates
		}
	}
	s.setPatterns(a.Excluded, false)
	return s
}

// Empty reports whether an area of valid patterns contains no ZIP code.
func (a Area) Empty() bool {
	if a.Excluded == "" && len(a.States) == 0 {
		return false // patterns alone always match some
	}
	return *a.toSet() == zipSet{}
}

// Everywhere reports whether the area has every ZIP code.
func (a Area) Everywhere() bool {
	return (a.ZIPs == "" || slices.Contains(strings.Split(a.ZIPs, ","), "*")) && a.Excluded == "" && len(a.States) == 0
}

// Each yields every number of five digits in the area that a ZIP code can have, whether or not there is one.
func (a Area) Each() iter.Seq[string] {
	return func(yield func(string) bool) {
		s := a.toSet()
		for n := range allZIPs {
			if s.has(n) && !yield(fmt.Sprintf("%05d", n)) {
				return
			}
		}
	}
}

// statesSet returns every ZIP code of the states.
func statesSet(names []string) *zipSet {
	s := new(zipSet)
	for prefix, state := range states {
		s.setRange(prefix*100, prefix*100+100, slices.Contains(names, state))
	}
	for _, i := range pacificZIPs {
		s.setRange(i.from, i.to, slices.Contains(names, i.state))
	}
	return s
}

// setPatterns adds or removes the ZIP codes that patterns match.
func (s *zipSet) setPatterns(patterns string, in bool) {
	for pattern := range strings.SplitSeq(patterns, ",") {
		if from, to, ok := zipRange(pattern); ok {
			s.setRange(from, to, in)
		}
	}
}
