// Package sim is a simulated buyer: a real endpoint that checks signatures, answers a repeated message as it did the
// first time, and behaves well or badly as configured. `foyer sim buyer` runs it; tests use it as a handler.
//
// It keeps only the ids of a lead and reveals no personal data: it reports only whether the contact arrived. It knows
// the contract by its wire format alone, as a buyer does, and no production code depends on it.
package sim

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"foyer/internal/webhook"
)

// Buyer is a simulated buyer. Set its fields before the first message. It serves any number of messages at a time and
// remembers every webhook-id until the process ends.
type Buyer struct {
	Secrets  []string      // one of these must have signed a message, or the answer is 401
	Trusting bool          // accepts messages without checking signatures
	Offer    Behaviour     // for an offer, and for a delivery without one
	Delivery Behaviour     // for a delivery; if unset, the buyer takes what it accepted before
	Seed     uint64        // of the random generator
	Seen     func(Message) // is called for every message before the answer, concurrently

	state state
}

// maxBody limits the request body. A message is a few kilobytes.
const maxBody = 1 << 20

// ServeHTTP answers a message, or a GET with the counts.
func (b *Buyer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		b.receive(w, r)
	case http.MethodGet, http.MethodHead:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(b.Counts()) // the client may be gone
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// receive reads a message, decides, reports it to Seen, and answers.
func (b *Buyer) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest) // the sender may still read the answer
		return
	}
	m := Message{At: time.Now(), WebhookID: plainID(r.Header.Get("webhook-id")), Signed: true}
	if !b.Trusting {
		if err := webhook.Verify(r.Header, body, b.Secrets, m.At); err != nil {
			m.Signed, m.Problem = false, err.Error()
		}
	}
	if m.Signed { // an unsigned message is not even parsed
		m.parse(body)
	}
	a := b.state.decide(b, &m)
	m.Answer = a.summary()
	if b.Seen != nil {
		b.Seen(m)
	}
	a.responder(w, r, a)
}
