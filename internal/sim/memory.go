package sim

import (
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
)

// memory is what the buyer knows of earlier messages. It is locked for the moment of a decision only, never while
// somebody is answered.
type memory struct {
	mu       sync.Mutex
	chance   *rand.Rand
	flaps    int
	said     map[string]verdict // what was decided, by webhook-id
	accepted map[string]bool    // offers
	counts   Counts
}

// verdict is a decision that was taken, or an empty one.
type verdict struct{ decision, code string }

// Counts are how many messages came, and what became of them.
type Counts struct {
	Messages      map[string]int `json:"messages"`   // by type, every attempt
	Unique        int            `json:"unique"`     // webhook-ids
	Duplicates    int            `json:"duplicates"` // messages whose webhook-id was here before
	BadSignatures int            `json:"bad_signatures"`
	Accepted      int            `json:"accepted"` // offers, each once, and deliveries that came without one
	Rejected      int            `json:"rejected"`
	Contacts      int            `json:"contacts"` // messages that said who the person is, each once
}

// Counts is what came so far.
func (b *Buyer) Counts() Counts {
	m := &b.memory
	m.mu.Lock()
	defer m.mu.Unlock()
	c := m.counts
	c.Messages = maps.Clone(c.Messages)
	if c.Messages == nil {
		c.Messages = map[string]int{}
	}
	return c
}

func (m *memory) refused() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.counts.BadSignatures++
}

// decide chooses what to do with a message. Whoever asks again under the same webhook-id hears the same decision.
func (m *memory) decide(b *Buyer, msg *Message) act {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.begin(b.Seed)
	do := m.choose(b, *msg)
	before, known := m.said[msg.WebhookID]
	msg.Duplicate = known
	m.count(*msg)
	switch {
	case do.decision != "" && before.decision != "":
		do.decision, do.code = before.decision, before.code
	case do.decision != "":
		m.note(do, *msg)
	}
	if named(msg.WebhookID) && (do.decision != "" || !known) {
		m.said[msg.WebhookID] = verdict{do.decision, do.code}
	}
	msg.Decision, msg.Code = do.decision, do.code
	do.ref = "sim_" + strings.TrimPrefix(msg.OfferID, "offer_")
	return do
}

func (m *memory) begin(seed uint64) {
	if m.said == nil {
		m.said, m.accepted = make(map[string]verdict), make(map[string]bool)
		m.counts.Messages = make(map[string]int)
		m.chance = rand.New(rand.NewPCG(seed, 0))
	}
}

// choose finds the behaviour that a message meets.
func (m *memory) choose(b *Buyer, msg Message) act {
	switch {
	case msg.Type == "":
		return puzzled
	case msg.Type == Delivered && b.Delivery.set():
		return b.Delivery.pick(m.chance, &m.flaps)
	case msg.Type == Delivered && m.accepted[msg.OfferID]:
		return accept
	case msg.Type == Offered || msg.Type == Delivered:
		return b.Offer.pick(m.chance, &m.flaps)
	}
	return ignore
}

func (m *memory) count(msg Message) {
	kind := msg.Type
	if kind != Offered && kind != Delivered {
		kind = "other"
	}
	m.counts.Messages[kind]++
	if msg.Duplicate {
		m.counts.Duplicates++
		return
	}
	m.counts.Unique++
	if msg.Contact {
		m.counts.Contacts++
	}
}

// note counts a decision, and remembers what the contact may come for.
func (m *memory) note(do act, msg Message) {
	switch {
	case do.decision == declines:
		m.counts.Rejected++
	case !m.accepted[msg.OfferID]:
		m.accepted[msg.OfferID] = true
		m.counts.Accepted++
	}
}

// named says whether a webhook-id can be told from others.
func named(id string) bool { return id != "" && id != "?" }
