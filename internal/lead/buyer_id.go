package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"strings"
)

// timeLength is how much of an id is its kind and its time: two ids of one moment begin alike.
const timeLength = len("lead_") + 9

// IDForBuyer is the id by which a buyer knows a lead. Only the person knows the lead's own, so nobody who bought a lead can
// speak for the person. It begins with the same time, which is how an operator's look-up finds it without an index.
func IDForBuyer(key []byte, id, buyer string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(id + "\x00" + buyer))
	random := strings.ToLower(base32.StdEncoding.EncodeToString(h.Sum(nil)))
	return id[:min(len(id), timeLength)] + random[:26]
}
