package entered

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/internal/buyer"
	"foyer/internal/lead"
)

const (
	MaxNameLength = 100
	maxCap        = 1_000_000_000
	MaxPriority   = 1_000_000
	maxInFlight   = 256
)

func SetBool(given, kept *bool) {
	if given != nil {
		*kept = *given
	}
}

func PlainText(text string) (string, error) {
	text = strings.TrimSpace(text)
	if !utf8.ValidString(text) || utf8.RuneCountInString(text) > MaxNameLength || strings.ContainsFunc(text, IsInvisible) {
		return "", fmt.Errorf("%.40q is too long, or not plain text: write at most %d characters on one line", text, MaxNameLength)
	}
	return text, nil
}

// contact matches what looks like a phone number or an email address.
var contact = regexp.MustCompile(`(?:\d[\s().+-]*){10}|\b\d{3}[-. ]\d{4}\b|\S@\S`)

// HasContact reports whether a text has what looks like a phone number or an email address. What is kept for good must not.
func HasContact(text string) bool { return contact.MatchString(text) }

// IsInvisible reports whether a character is invisible or changes the direction of the text around it.
func IsInvisible(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) }

func parseUpTo(limit int) func(int) (int, error) {
	return func(n int) (int, error) {
		if n < 0 || n > limit {
			return 0, fmt.Errorf("%d is out of bounds: write a number from 0 to %d", n, limit)
		}
		return n, nil
	}
}

// MaxQuoted bounds how many bad words of one list an error repeats.
const MaxQuoted = 5

// quoteList quotes the first bad words of a list, and says how many more there are.
func quoteList(wrong []string, one, many string) string {
	if len(wrong) == 1 {
		return fmt.Sprintf("%q %s", wrong[0], one)
	}
	var list []string
	for _, word := range wrong[:min(len(wrong), MaxQuoted)] {
		list = append(list, fmt.Sprintf("%q", word))
	}
	if more := len(wrong) - MaxQuoted; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, ", ") + " " + many
}

func SplitList(text string) (values []string) {
	for value := range strings.SplitSeq(text, ",") {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}

func Join[T ~string](list []T) string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = string(x)
	}
	return strings.Join(texts, ", ")
}

// NormalizeWord accepts hyphens for underscores, and any case.
func NormalizeWord(word string) string {
	return strings.ToLower(strings.ReplaceAll(strings.TrimSpace(word), "-", "_"))
}

func isSeparator(r rune) bool { return r == ',' || r == ' ' || r == ';' }

// FindBuyer returns the id of the buyer with this id or name. Names must match as a whole, regardless of case. If several buyers
// have the name, the error lists them.
func FindBuyer(buyers []buyer.Buyer, word string) (string, error) {
	var namesakes []string
	for _, b := range buyers {
		switch {
		case b.ID == word:
			return b.ID, nil
		case strings.EqualFold(b.Terms.Name, strings.TrimSpace(word)):
			namesakes = append(namesakes, b.ID)
		}
	}
	switch len(namesakes) {
	case 0:
		return "", &lead.Error{Kind: lead.NotFound, Message: "There is no buyer with this name or id."}
	case 1:
		return namesakes[0], nil
	}
	return "", Refuse("%d buyers have this name: give the id instead, one of %s", len(namesakes), strings.Join(namesakes, ", "))
}
