package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
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
