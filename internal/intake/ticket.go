package intake

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"foyer/internal/catalog"
	"foyer/internal/lead"
)

// maxKey is the longest idempotency key, in characters.
const maxKey = 255

// KeyLife is how long an idempotency key is remembered.
const KeyLife = 24 * time.Hour

// key is the idempotency key the sender gave, or "".
func (o Order) key() string {
	if len(o.Keys) == 0 {
		return ""
	}
	return o.Keys[0]
}

// newTicket binds an idempotency key to a request and its answer. Without a key there is none. Both are hashed: a key
// may be made of personal data, and the request is.
func newTicket(key string, req lead.Request, answer lead.Receipt) (*lead.Ticket, error) {
	if key == "" {
		return nil, nil
	}
	parsed, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return &lead.Ticket{Key: hash([]byte(key)), Request: hash(parsed), Answer: text}, nil
}

// redeem gives the first answer again, if the request is the same.
func redeem(earlier, now lead.Ticket) (lead.Receipt, error) {
	var receipt lead.Receipt
	if earlier.Request != now.Request {
		return receipt, catalog.KeyReused()
	}
	return receipt, json.Unmarshal(earlier.Answer, &receipt)
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
