package store

// A lead on its way has a row in fresh until somebody looks at it, and one in deliveries from then on. All else that a fresh
// errand has follows from its lead, so the intake writes one small row behind the last, and no index beside it.

// queueReceived puts leads on their way on SQLite, in the transaction that keeps them. It gives up like the statements that do.
const queueReceived = `INSERT OR FAIL INTO fresh (lead_seq) SELECT seq FROM leads WHERE seq > $1 AND seq <= $2 AND status = 'received'`

// newLeadDelivery is what errandColumns are of a fresh lead. The forwarder knows it again by these.
const newLeadDelivery = `seq, '', 'ask', created_at, 0, '', created_at, '', 0, 0, 0, ''`

// deliveryQuery finds the errand of a lead, and whether it is fresh. Where damage left a lead in both tables, deliveries counts,
// here because it comes last: it knows who may have the contact. What is left in fresh is found when that errand has ended.
const deliveryQuery = `SELECT ` + newLeadDelivery + `, 1, ` + buyersVersionColumn + ` FROM leads WHERE seq = (SELECT lead_seq FROM fresh WHERE lead_seq = $1)
	UNION ALL SELECT ` + deliveryColumns + `, 0, ` + buyersVersionColumn + ` FROM deliveries WHERE lead_seq = $1`

// newLeadsQuery finds what looks for a buyer, in the lane without a name: what was looked at before, and what is fresh. It has the
// parameters of dueQuery. Asked with NOT EXISTS, PostgreSQL could make a join of it that reads all of deliveries.
const newLeadsQuery = `SELECT due.*, ` + buyersVersionColumn + `, ` + leadColumns + ` FROM (
		SELECT * FROM (SELECT ` + deliveryColumns + `, 0 AS fresh FROM deliveries WHERE lane = $1 AND due_at <= $2 ORDER BY due_at, lead_seq ` + limitClause + `) AS again
		UNION ALL SELECT ` + newLeadDelivery + `, 1 FROM (
			SELECT lead_seq AS first FROM fresh WHERE (SELECT d.lead_seq FROM deliveries d WHERE d.lead_seq = fresh.lead_seq) IS NULL
			ORDER BY lead_seq ` + limitClause + `) AS firsts JOIN leads ON seq = first) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq ` + limitClause

// isNew says whether the errand of a lead stands in fresh. It does not where there is none.
func (p *Tx) isNew(seq int64) (bool, error) {
	if _, known := p.db.isNew[seq]; !known {
		if _, _, err := p.Delivery(seq); err != nil {
			return false, err
		}
	}
	return p.db.isNew[seq], nil
}

// leaveNewLeads takes a lead out of fresh.
func (p *Tx) leaveNewLeads(seq int64) error {
	p.db.isNew[seq] = false
	return p.db.exec(`DELETE FROM fresh WHERE lead_seq = $1`, seq)
}
