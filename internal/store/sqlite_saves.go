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
	lead := "(?" + strings.Repeat(",?", strings.Count(leadColumns, ",")) + ")"
	all := make([]string, maxBatchRows)
	for i := range all {
		// Where one row fails the transaction is given up, so SQLite need not be able to take back this statement alone.
		all[i] = "INSERT OR FAIL INTO leads (" + leadColumns + ") VALUES " + lead + strings.Repeat(","+lead, i)
	}
	return all
}

// saveLeads keeps leads, and puts those on their way that are to go. Their keys, if they came with any, are noted already.
// One connection writes, so their numbers follow one another.
func (h *dbTx) saveLeads(leads []*save) (err error) {
	var last int64
	for sheet := range slices.Chunk(leads, maxBatchRows) {
		if last, err = h.saveBatch(sheet); err != nil {
			return err
		}
	}
	if !slices.ContainsFunc(leads, func(x *save) bool { return x.received }) {
		return nil
	}
	return h.exec(queueReceived, last-int64(len(leads)), last)
}

// saveBatch keeps as many leads as one statement can, and returns the number of the last.
func (h *dbTx) saveBatch(leads []*save) (last int64, err error) {
	h.args = h.args[:0]
	for _, x := range leads {
		h.args, h.newest = append(h.args, x.args...), x.id
	}
	return h.insert(batchInserts[len(leads)-1], h.args...)
}
