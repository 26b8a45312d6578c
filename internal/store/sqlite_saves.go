package store

import (
	"slices"
	"strings"
)

// batchInserts are the statements that keep leads on SQLite, the first one lead, the next two, and so on. A group of a few dozen, which
// is what comes together under load, needs a single one: each costs the writer as much as a lead or two.
var batchInserts = newBatchInserts()

const maxBatchRows = 32 // what one statement keeps at most

func newBatchInserts() []string {
	row := "(?" + strings.Repeat(",?", strings.Count(leadColumns, ",")) + ")"
	statements := make([]string, maxBatchRows)
	for i := range statements {
		// Where one row fails the transaction is given up, so SQLite need not be able to take back this statement alone.
		statements[i] = "INSERT OR FAIL INTO leads (" + leadColumns + ") VALUES " + row + strings.Repeat(","+row, i)
	}
	return statements
}

// saveLeads keeps leads, and puts those on their way that are to go. Their keys, if they came with any, are noted already.
// One connection writes, so their numbers follow one another.
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

// saveBatch keeps as many leads as one statement can, and returns the number of the last.
func (tx *dbTx) saveBatch(leads []*save) (last int64, err error) {
	tx.args = tx.args[:0]
	for _, s := range leads {
		tx.args, tx.newest = append(tx.args, s.args...), s.id
	}
	return tx.insert(batchInserts[len(leads)-1], tx.args...)
}
