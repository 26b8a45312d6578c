package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"io"
	"strings"
)

// Fingerprints identify leads of the same person without the contact. They are keyed, because all ten billion phone numbers
// can be hashed quickly; without the key, that reveals nothing.
const (
	keyedPrefix = "k" // sorts after the fingerprints of older versions, which were only hex digits
	phoneDigits = 24
	workDigits  = 16
	phoneLength = len(keyedPrefix) + phoneDigits
)

// Fingerprint is equal for two requests of one person for the same work at the same place. All requests of one phone number
// share a prefix.
func (r Request) Fingerprint(key []byte) string {
	return PhoneIndex(key, r.Contact.Phone) + hmacHex(key, workDigits, "work", r.Contact.Phone, string(r.Service), r.ZIP)
}

// PhoneIndex is the prefix that the fingerprints of a phone number share.
func PhoneIndex(key []byte, phone string) string {
	return keyedPrefix + hmacHex(key, phoneDigits, "phone", phone)
}

// PhoneRange returns the range [from, to) that holds all fingerprints of the same phone number.
func PhoneRange(fingerprint string) (from, to string) {
	from = fingerprint[:min(len(fingerprint), phoneLength)]
	return from, from + "g" // sorts after every hex digit
}

// hmacHex returns the first digits of an HMAC over texts, in hex.
func hmacHex(key []byte, digits int, texts ...string) string {
	h := hmac.New(sha256.New, key)
	for _, text := range texts {
		_, _ = io.WriteString(h, text) // a hash never fails
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:digits]
}

// maxIDLength is longer than any id ever issued.
const maxIDLength = 64

// MayBeID reports whether text has the form of a lead id. The id of a dry run does not, because nothing was saved.
func MayBeID(text string) bool {
	rest, found := strings.CutPrefix(text, "lead_")
	return found && rest != "" && len(text) <= maxIDLength && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
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
