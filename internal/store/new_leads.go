package store

import "foyer/internal/store/rows"

// A new lead has a row in table new_leads until the forwarder first takes it, and one in table deliveries from then on. Everything
// else about the delivery of a new lead follows from the lead, so the intake appends one small row and updates no index.

// newLeadDelivery has the values of rows.DeliveryColumns for a new lead. The forwarder recognizes a new lead by them.
const newLeadDelivery = `seq, '', 'ask', created_at, 0, '', created_at, '', 0, 0, 0, ''`

// deliveryQuery finds the delivery of a lead, and whether it is new. If damage left a lead in both tables, the row in deliveries
// wins, here because it comes last: it says who may have the contact. The row in new_leads is found once that delivery has ended.
const deliveryQuery = `SELECT ` + newLeadDelivery + `, 1, ` + buyersVersionColumn + ` FROM leads WHERE seq = (SELECT lead_seq FROM new_leads WHERE lead_seq = $1)
	UNION ALL SELECT ` + rows.DeliveryColumns + `, 0, ` + buyersVersionColumn + ` FROM deliveries WHERE lead_seq = $1`

// newLeadsQuery finds the leads that need a buyer, in the queue without a name: those that were tried before, and new ones. It
// has the parameters of dueQuery. With NOT EXISTS, PostgreSQL might choose a join that reads all of deliveries.
const newLeadsQuery = `SELECT due.*, ` + buyersVersionColumn + `, ` + rows.LeadColumns + ` FROM (
		SELECT * FROM (SELECT ` + rows.DeliveryColumns + `, 0 AS is_new FROM deliveries WHERE buyer_queue = $1 AND due_at <= $2 ORDER BY due_at, lead_seq ` + limitClause + `) AS again
		UNION ALL SELECT ` + newLeadDelivery + `, 1 FROM (
			SELECT lead_seq AS first FROM new_leads WHERE (SELECT d.lead_seq FROM deliveries d WHERE d.lead_seq = new_leads.lead_seq) IS NULL
			ORDER BY lead_seq ` + limitClause + `) AS firsts JOIN leads ON seq = first) AS due
	JOIN leads ON seq = lead_seq ORDER BY due_at, lead_seq ` + limitClause

// isNew reports whether the delivery of a lead is in table new_leads. It is false for a lead without a delivery.
func (tx *Tx) isNew(seq int64) (bool, error) {
	if _, known := tx.newLeads[seq]; !known {
		if _, _, err := tx.Delivery(seq); err != nil {
			return false, err
		}
	}
	return tx.newLeads[seq], nil
}

// leaveNewLeads deletes a lead from table new_leads.
func (tx *Tx) leaveNewLeads(seq int64) error {
	tx.newLeads[seq] = false
	return tx.exec(`DELETE FROM new_leads WHERE lead_seq = $1`, seq)
}
