package store

import "foyer/internal/buyer"

// LeadsUnderWay lists leads that are being offered or delivered to a buyer: the first ones, and no more than most.
func (p *Tx) LeadsUnderWay(id string, most int) (leads []string, err error) {
	err = p.db.query(`SELECT l.id FROM deliveries d JOIN leads l ON l.seq = d.lead_seq WHERE d.lane = $1 AND d.step IN ($2, $3) ORDER BY d.lead_seq LIMIT $4`,
		[]any{id, string(buyer.StepOffer), string(buyer.StepDeliver), int64(most)}, func(r row) error { leads = append(leads, r.text(0)); return nil })
	return leads, err
}
