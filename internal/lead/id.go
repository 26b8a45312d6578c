package lead

import "strings"

// maxIDLength is longer than any id that was ever given.
const maxIDLength = 64

// MayBeID says that a text has the form of a lead's id. A dry run's has not: nothing of it was kept.
func MayBeID(text string) bool {
	rest, found := strings.CutPrefix(text, "lead_")
	return found && rest != "" && len(text) <= maxIDLength && !strings.ContainsFunc(rest, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
}
