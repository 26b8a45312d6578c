package store

import (
	"slices"
	"strings"
)

// batchInserts are the statements that insert leads on SQLite: the first inserts one lead, the next two, and so on. A group of a
// few dozen, the usual size under load, needs a single statement. Each statement costs the writer as much as a lead or two.
var batchInserts = newBatchInserts()

const maxBatchRows = 32 // the most leads that one statement inserts

func newBatchInserts() []string {
	row := "(?" + strings.Repeat(",?", strings.Count(leadColumns, ",")) + ")"
	statements := make([]string, maxBatchRows)
	for i := range statements {
		// If one row fails, the whole transaction is rolled back, so SQLite need not be able to undo this statement alone.
		statements[i] = "INSERT OR FAIL INTO leads (" + leadColumns + ") VALUES " + row + strings.Repeat(","+row, i)
	}
	return statements
}

// saveLeads inserts leads and queues the received ones for delivery. Their idempotency keys, if any, are already stored. With a
// single write connection, their sequence numbers are consecutive.
func (tx *dbTx) saveLeads(leads []*save) (err error) {
	var last int64
	for batch := range slices.Chunk(leads, maxBatchRows) {
		if last, err = tx.saveBatch(batch); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(leads, func(s *save) bool { return s.received }) {
		return nil
	}
	return tx.exec(queueReceived, last-int64(len(leads)), last)
}

// saveBatch inserts up to maxBatchRows leads in one statement and returns the sequence number of the last one.
func (tx *dbTx) saveBatch(leads []*save) (last int64, err error) {
	tx.args = tx.args[:0]
	for _, s := range leads {
		tx.args, tx.newest = append(tx.args, s.args...), s.id
	}
	return tx.insert(batchInserts[len(leads)-1], tx.args...)
}
