package lead

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// Fingerprints are what leads of one person are known again by, apart from the contact. They are keyed: ten billion phone
// numbers are soon tried, and without the key nothing comes of that.
const (
	keyed       = "k" // sorts behind the fingerprints of older versions, which were hex digits alone
	phoneDigits = 24
	workDigits  = 16
	phoneLength = len(keyed) + phoneDigits
)

// Fingerprint is the same for two requests of one person for the same work at the same place, and begins alike for all
// requests of one phone number.
func (r Request) Fingerprint(key []byte) string {
	return keyed + mac(key, phoneDigits, "phone", r.Contact.Phone) + mac(key, workDigits, "work", r.Contact.Phone, string(r.Service), r.ZIP)
}

// PhoneRange is where the fingerprints of the same phone number lie: from the first text up to the second.
func PhoneRange(fingerprint string) (from, to string) {
	from = fingerprint[:min(len(fingerprint), phoneLength)]
	return from, from + "g" // behind every hex digit
}

// UnkeyedFingerprint is what older versions kept instead.
func (r Request) UnkeyedFingerprint() string {
	sum := sha256.Sum256([]byte(r.Contact.Phone + "|" + string(r.Service) + "|" + r.ZIP))
	return hex.EncodeToString(sum[:16])
}

// mac is the beginning of an HMAC over some texts, in hex.
func mac(key []byte, digits int, texts ...string) string {
	h := hmac.New(sha256.New, key)
	for _, text := range texts {
		_, _ = io.WriteString(h, text) // a hash takes everything
		_, _ = h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:digits]
}
