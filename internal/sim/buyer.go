// Package sim is a buyer to try things with: a real endpoint that checks signatures, answers a repeated message as it did
// the first time, and behaves as it is told, well or badly. `foyer sim buyer` runs it; tests start it as a handler.
//
// It keeps nothing of a lead but ids, and tells nobody who the person is: of the contact it says only whether it came. It
// knows the contract by its wire format alone, as a buyer does, and nothing that serves leans on it.
package sim

import (
	"encoding/json"
	"io"
	"net/http"
	"time"

	"foyer/internal/webhook"
)

// Buyer is a simulated buyer. It is set up before its first message, and serves as many at a time as come. It
// remembers every webhook-id until it ends.
type Buyer struct {
	Secrets  []string      // one of them must have signed, or the message is refused with 401
	Trusting bool          // takes every message, signed or not
	Offer    Behaviour     // what it does when it has to decide: with an offer, and with a delivery that comes without one
	Delivery Behaviour     // what it does with a delivery; where none is set, it takes what it accepted before
	Seed     uint64        // of its chance
	Seen     func(Message) // is told of every message before it is answered, by many at a time

	memory memory
}

// mostBody bounds what is read. A message is a few kilobytes.
const mostBody = 1 << 20

// ServeHTTP answers a message, or tells the counts to whoever only asks.
func (b *Buyer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		b.receive(w, r)
	case http.MethodGet, http.MethodHead:
		writeJSON(w, http.StatusOK, b.Counts())
	default:
		w.Header().Set("Allow", "GET, HEAD, POST")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

// receive reads a message, decides, says what it saw, and answers.
func (b *Buyer) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		w.WriteHeader(http.StatusBadRequest) // a sender that is still there may read it
		return
	}
	m := Message{At: time.Now(), WebhookID: plainID(r.Header.Get("webhook-id")), Signed: true}
	if !b.Trusting {
		if err := webhook.Verify(r.Header, body, b.Secrets, m.At); err != nil {
			m.Signed, m.Problem = false, err.Error()
		}
	}
	do := refuse
	if m.Signed { // what nobody signed is not even read
		m.read(body)
		do = b.memory.decide(b, &m)
	} else {
		b.memory.refused()
	}
	m.Answer = do.told()
	if b.Seen != nil {
		b.Seen(m)
	}
	do.responder(w, r, do)
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // a client that has gone does not read it
}
