package store

import (
	"fmt"

	"foyer/internal/buyer"
	"foyer/internal/lead"
	"foyer/internal/store/rows"
)

// Change changes the status of a lead and adds a row to its history, with the buyers that were passed over. It refuses a
// transition that lead.Status does not allow, and fails if the lead does not have status from.
func (tx *Tx) Change(seq int64, from lead.Status, c lead.Change, passed ...buyer.PassedOver) error {
	query, err := statusUpdate(from, c)
	if err != nil {
		return err
	}
	if err := tx.execOne(query, string(c.Status), rows.Micros(c.At), seq); err != nil {
		return err
	}
	return tx.recordChange(seq, from, c, passed...)
}

// TryChange is Change for a lead whose status may have changed meanwhile. It reports whether the lead still had status from.
func (tx *Tx) TryChange(seq int64, from lead.Status, c lead.Change) (bool, error) {
	query, err := statusUpdate(from, c)
	if err != nil {
		return false, err
	}
	n, err := tx.execCount(query, string(c.Status), rows.Micros(c.At), seq)
	if err != nil || n == 0 {
		return false, err
	}
	return true, tx.recordChange(seq, from, c)
}

// statusUpdate returns the statement that changes the status, or an error if lead.Status does not allow the transition.
func statusUpdate(from lead.Status, c lead.Change) (string, error) {
	if !from.MayBecome(c.Status, c.Actor) {
		return "", fmt.Errorf("a lead does not go from %s to %s by the %s", from, c.Status, c.Actor)
	}
	// The old status is a literal: with a parameter, SQLite would prepare the statement again each time, to see whether the index
	// of held leads applies.
	return `UPDATE leads SET status = $1, updated_at = $2 WHERE seq = $3 AND status = '` + string(from) + `'`, nil
}

// recordChange adds a change to the history, and ends the withholding of a lead that was held until now.
func (tx *Tx) recordChange(seq int64, from lead.Status, c lead.Change, passed ...buyer.PassedOver) error {
	if from == lead.Collected {
		if err := tx.EndWithhold(seq); err != nil {
			return err
		}
	}
	return tx.AddHistory(seq, c, passed...)
}

// AddHistory adds a row to the history of a lead without changing its status.
func (tx *Tx) AddHistory(seq int64, c lead.Change, passed ...buyer.PassedOver) error {
	text, err := rows.EncodePassedOver(passed)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO history (lead_seq, at, status, actor, reason, passed_over) VALUES ($1, $2, $3, $4, $5, $6)`,
		seq, rows.Micros(c.At), string(c.Status), c.Actor, c.Reason, text)
}
