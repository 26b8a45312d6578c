package store

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"slices"
)

// copyBatch is how many rows are read, or written in one transaction.
var copyBatch = 4000 // fewer in tests

// tableCopy goes through a table on both sides at once, in the order of its key, and makes the target what the source is. What
// an earlier run wrote is found there and stays, unless the source has changed since.
type tableCopy struct {
	*transfer
	tableSpec
	Copying
	after   record  // where it begins; nil for the first row
	source   *stream // of the source
	target     *stream // of the target
	encoded     [2][]byte
	deletes, inserts  []record
	written  int64
	sum      hash.Hash       // of the source so far
	verified *verifiedPrefix // nil while both sides are the same
}

// verifiedPrefix is up to where both sides were found to be the same: what comes behind it has to be read again.
type verifiedPrefix struct {
	rows int64
	last record // nil before the first row
	sum  hash.Hash
}

// copyAll walks through every table.
func (c *transfer) copyAll() error {
	for _, s := range c.copyOrder() {
		w := &tableCopy{transfer: c, tableSpec: s, written: c.resumed[s.name]}
		if err := w.run(); err != nil {
			return err
		}
		c.tables = append(c.tables, w)
	}
	slices.SortFunc(c.tables, func(a, b *tableCopy) int { return cmp.Compare(a.index(), b.index()) })
	return nil
}

func (w *tableCopy) run() error {
	w.Table, w.sum = w.name, sha256.New()
	// Before anything is fetched: the source has one connection.
	if err := w.snapshot.QueryRowContext(w.ctx, `SELECT count(*) FROM `+w.name).Scan(&w.Of); err != nil {
		return interrupted(w.transfer.source, err)
	}
	w.source, w.target = newStream(w.ctx, w.snapshot, w.tableSpec, w.after), newStream(w.ctx, w.readPool, w.tableSpec, w.after)
	defer w.source.stop()
	defer w.target.stop()
	for last := record(nil); ; {
		a, err := w.source.peek()
		if err != nil {
			return interrupted(w.transfer.source, err)
		}
		b, err := w.target.peek()
		if err != nil {
			return interrupted(w.transfer.target, err)
		}
		if a == nil && b == nil {
			return w.flush()
		}
		if last, err = w.compareRows(a, b, last); err != nil {
			return err
		}
		if len(w.inserts)+len(w.deletes) >= copyBatch {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
}

// compareRows compares the rows at which both sides stand, and goes past the first of them, or past both. It returns the row of
// the source that it passed last.
func (w *tableCopy) compareRows(a, b, last record) (record, error) {
	if a != nil && b != nil {
		if side := w.compare(a, b); side < 0 {
			b = nil
		} else if side > 0 {
			a = nil
		}
	}
	w.encoded[0], w.encoded[1] = appendRecord(w.encoded[0][:0], a), appendRecord(w.encoded[1][:0], b)
	if !bytes.Equal(w.encoded[0], w.encoded[1]) {
		if err := w.recordDifference(a, b, last); err != nil {
			return nil, err
		}
	}
	if b != nil {
		w.target.advance()
	}
	if a == nil {
		return last, nil
	}
	w.source.advance()
	w.sum.Write(w.encoded[0])
	if w.Rows++; w.Rows%int64(copyBatch) == 0 {
		w.report(w.Copying)
	}
	return a, nil
}

// recordDifference notes what has to be done about rows that are not the same; one of them may be missing. A lead that the source
// does not have is somebody else's: then nothing is touched.
func (w *tableCopy) recordDifference(a, b, last record) error {
	if w.compareOnly || w.name == "leads" && b != nil && (a == nil || a[1] != b[1]) {
		return w.otherDataError(w.tableSpec, a, b)
	}
	if w.verified == nil {
		sum, err := w.sum.(hash.Cloner).Clone()
		if err != nil {
			return err
		}
		w.verified = &verifiedPrefix{w.Rows, last, sum}
	}
	if b != nil {
		w.deletes = append(w.deletes, b)
	}
	if a != nil {
		if checkText(a) != nil {
			return fmt.Errorf("row %d of %s holds a text with a NUL or invalid UTF-8, which cannot be copied; foyer db check names the lead", w.Rows+1, w.name)
		}
		w.inserts = append(w.inserts, a)
	}
	return nil
}

// flush writes what has gathered.
func (w *tableCopy) flush() error {
	if err := w.ctx.Err(); err != nil || len(w.inserts)+len(w.deletes) == 0 {
		return err
	}
	if err := w.writer.replaceRows(w.ctx, w.tableSpec, w.deletes, w.inserts); err != nil {
		return interrupted(w.transfer.target, err)
	}
	w.written += int64(len(w.inserts))
	w.deletes, w.inserts = w.deletes[:0], w.inserts[:0]
	return nil
}
