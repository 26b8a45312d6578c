package lead

import (
	"crypto/sha256"
	"encoding/hex"
)

// Print is the same for two requests of one person for the same work at the same place. It is hashed, because it is kept
// apart from the contact.
func (r Request) Print() string {
	sum := sha256.Sum256([]byte(r.Contact.Phone + "|" + string(r.Service) + "|" + r.ZIP))
	return hex.EncodeToString(sum[:16])
}
