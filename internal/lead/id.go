package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// maxIDLength is longer than any id ever issued.
const maxIDLength = 64

// MayBeID reports whether text has the form of a lead id. The id of a dry run does not, because nothing was saved.
func MayBeID(text string) bool {
	rest, found := strings.CutPrefix(text, "lead_")
	return found && rest != "" && len(text) <= maxIDLength && !strings.ContainsFunc(rest, func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9')
	})
}

// idTimeLength is the length of an id's prefix and timestamp: ids created at the same time share it.
const idTimeLength = len("lead_") + 9

// IDForBuyer returns the id by which a buyer knows a lead. Only the person knows the lead's own id, so a buyer cannot act
// as the person. Both ids begin with the same timestamp, so an operator's look-up finds the lead without an index.
func IDForBuyer(key []byte, id, buyer string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id + "\x00" + buyer))
	random := strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil)))
	return id[:min(len(id), idTimeLength)] + random[:26]
}
