package sim

import (
	"maps"
	"math/rand/v2"
	"strings"
	"sync"
)

// state is what the buyer knows of earlier messages. It is locked only while deciding, never while answering.
type state struct {
	mu        sync.Mutex
	rng       *rand.Rand
	flaps     int
	decisions map[string]verdict // by webhook-id
	accepted  map[string]bool    // offers, by id
	counts    Counts
}

// Counts says how many messages arrived, and how they were handled.
type Counts struct {
	Messages      map[string]int `json:"messages"`   // by type, counting every attempt
	Unique        int            `json:"unique"`     // distinct webhook-ids
	Duplicates    int            `json:"duplicates"` // messages whose webhook-id was seen before
	BadSignatures int            `json:"bad_signatures"`
	Accepted      int            `json:"accepted"` // offers, each counted once, and deliveries without an offer
	Rejected      int            `json:"rejected"`
	Contacts      int            `json:"contacts"` // messages with a contact, each counted once
}

// Counts returns the counts so far.
func (b *Buyer) Counts() Counts {
	s := &b.state
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialize(b.Seed)
	c := s.counts
	c.Messages = maps.Clone(c.Messages)
	return c
}

// decide chooses what to do with a message. A message that repeats a webhook-id gets the same decision.
func (s *state) decide(b *Buyer, msg *Message) action {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialize(b.Seed)
	if !msg.Signed {
		s.counts.BadSignatures++
		return refuse
	}
	a := s.choose(b, *msg)
	before, known := s.decisions[msg.WebhookID]
	msg.Duplicate = known
	s.count(*msg)
	switch {
	case a.Decision != "" && before.Decision != "":
		a.verdict = before
	case a.Decision != "":
		s.recordDecision(a, *msg)
	}
	if hasID := msg.WebhookID != "" && msg.WebhookID != "?"; hasID && (a.Decision != "" || !known) {
		s.decisions[msg.WebhookID] = a.verdict
	}
	msg.Decision, msg.Code = a.Decision, a.Code
	a.Ref = "sim_" + strings.TrimPrefix(msg.OfferID, "offer_")
	return a
}

func (s *state) initialize(seed uint64) {
	if s.decisions == nil {
		s.decisions, s.accepted = make(map[string]verdict), make(map[string]bool)
		s.counts.Messages = make(map[string]int)
		s.rng = rand.New(rand.NewPCG(seed, 0))
	}
}

// choose picks the action for a message.
func (s *state) choose(b *Buyer, msg Message) action {
	switch {
	case msg.Type == "":
		return malformed
	case msg.Type == Delivered && b.Delivery.isSet():
		return b.Delivery.pick(s.rng, &s.flaps)
	case msg.Type == Delivered && s.accepted[msg.OfferID]:
		return accept
	case msg.Type == Offered || msg.Type == Delivered:
		return b.Offer.pick(s.rng, &s.flaps)
	}
	return ignore
}

func (s *state) count(msg Message) {
	kind := msg.Type
	if kind != Offered && kind != Delivered && kind != Decided {
		kind = "other"
	}
	s.counts.Messages[kind]++
	if msg.Duplicate {
		s.counts.Duplicates++
		return
	}
	s.counts.Unique++
	if msg.Contact {
		s.counts.Contacts++
	}
}

// recordDecision counts a decision, and remembers an accepted offer for its delivery.
func (s *state) recordDecision(a action, msg Message) {
	switch {
	case a.Decision != accepted.Decision:
		s.counts.Rejected++
	case !s.accepted[msg.OfferID]:
		s.accepted[msg.OfferID] = true
		s.counts.Accepted++
	}
}
