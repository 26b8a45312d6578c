package report

import (
	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store"
)

// Message is a message that was sent to a buyer, about a lead.
type Message struct {
	Lead lead.Lead
	Event
}

// ReadMessages reads the newest messages to a buyer, the newest first, without who the persons are. key is that of the search index.
func ReadMessages(tx *store.Tx, id string, key []byte, limit int) (list []Message, err error) {
	attempts, err := tx.Timeline().NewestAttempts(id, key, limit)
	if err != nil {
		return nil, err
	}
	leads := map[int64]Timeline{}
	for _, a := range attempts {
		t, known := leads[a.Lead]
		if !known {
			if t, err = readOffers(tx, a.Lead); err != nil {
				return nil, err
			}
			leads[a.Lead] = t
		}
		t.attempts = []buyer.Attempt{a}
		t = t.withoutPerson()
		list = append(list, Message{t.lead, t.attemptEvent(t.attempts[0])})
	}
	return list, nil
}

// readOffers reads what messages about a lead were made from.
func readOffers(tx *store.Tx, seq int64) (t Timeline, err error) {
	if t.lead, err = tx.LeadBySeq(seq); err != nil {
		return t, err
	}
	if hash := t.lead.Evidence.Consent.Hash; hash != "" {
		agreed, err := tx.Consent(hash)
		if err != nil {
			return t, err
		}
		t.agreed = agreed.Text
	}
	t.offers, t.returns, err = readOffered(tx, t.lead.ID)
	return t, err
}
