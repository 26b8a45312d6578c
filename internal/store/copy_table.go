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

// tableCopy reads a table of both databases in key order and makes the target equal to the source. Rows that an earlier run wrote
// stay, unless the source has changed since.
type tableCopy struct {
	*transfer
	tableSpec
	Copying
	after            record  // the key to start after; nil for the first row
	sourceRows       *stream // of the source
	targetRows       *stream // of the target
	encoded          [2][]byte
	deletes, inserts []record
	written          int64
	sum              hash.Hash       // of the rows of the source so far
	verified         *verifiedPrefix // nil while both sides are identical
}

// verifiedPrefix is the part of a table that was identical on both sides. The rows after it must be read again.
type verifiedPrefix struct {
	rows int64
	last record // nil before the first row
	sum  hash.Hash
}

// copyAll copies every table.
func (c *transfer) copyAll() error {
	for _, s := range c.copyOrder() {
		t := &tableCopy{transfer: c, tableSpec: s, written: c.resumed[s.name]}
		if err := t.run(); err != nil {
			return err
		}
		c.tables = append(c.tables, t)
	}
	slices.SortFunc(c.tables, func(a, b *tableCopy) int { return cmp.Compare(a.index(), b.index()) })
	return nil
}

func (t *tableCopy) run() error {
	t.Table, t.sum = t.name, sha256.New()
	// Count before the first fetch: the source has one connection.
	if err := t.snapshot.QueryRowContext(t.ctx, `SELECT count(*) FROM `+t.name).Scan(&t.Of); err != nil {
		return interrupted(t.source, err)
	}
	t.sourceRows, t.targetRows = newStream(t.ctx, t.snapshot, t.tableSpec, t.after), newStream(t.ctx, t.readPool, t.tableSpec, t.after)
	defer t.sourceRows.stop()
	defer t.targetRows.stop()
	for last := record(nil); ; {
		a, err := t.sourceRows.peek()
		if err != nil {
			return interrupted(t.source, err)
		}
		b, err := t.targetRows.peek()
		if err != nil {
			return interrupted(t.target, err)
		}
		if a == nil && b == nil {
			return t.flush()
		}
		if last, err = t.compareRows(a, b, last); err != nil {
			return err
		}
		if len(t.inserts)+len(t.deletes) >= copyBatch {
			if err := t.flush(); err != nil {
				return err
			}
		}
	}
}

// compareRows compares the current rows of both sides and advances past the lower one, or past both. It returns the last row of
// the source that was passed.
func (t *tableCopy) compareRows(a, b, last record) (record, error) {
	if a != nil && b != nil {
		if side := t.compare(a, b); side < 0 {
			b = nil
		} else if side > 0 {
			a = nil
		}
	}
	t.encoded[0], t.encoded[1] = appendRecord(t.encoded[0][:0], a), appendRecord(t.encoded[1][:0], b)
	if !bytes.Equal(t.encoded[0], t.encoded[1]) {
		if err := t.recordDifference(a, b, last); err != nil {
			return nil, err
		}
	}
	if b != nil {
		t.targetRows.advance()
	}
	if a == nil {
		return last, nil
	}
	t.sourceRows.advance()
	t.sum.Write(t.encoded[0])
	if t.Rows++; t.Rows%int64(copyBatch) == 0 {
		t.report(t.Copying)
	}
	return a, nil
}

// recordDifference queues the changes for two rows that differ; one of them may be missing. A lead that is not in the source
// belongs to another database: then nothing is changed.
func (t *tableCopy) recordDifference(a, b, last record) error {
	if t.compareOnly || t.name == "leads" && b != nil && (a == nil || a[1] != b[1]) {
		return t.otherDataError(t.tableSpec, a, b)
	}
	if t.verified == nil {
		sum, err := t.sum.(hash.Cloner).Clone()
		if err != nil {
			return err
		}
		t.verified = &verifiedPrefix{t.Rows, last, sum}
	}
	if b != nil {
		t.deletes = append(t.deletes, b)
	}
	if a != nil {
		if storable(a) != nil {
			return fmt.Errorf("row %d of %s holds a text with a NUL or invalid UTF-8, which cannot be copied; foyer db check names the lead", t.Rows+1, t.name)
		}
		t.inserts = append(t.inserts, a)
	}
	return nil
}

// flush writes the queued changes.
func (t *tableCopy) flush() error {
	if err := t.ctx.Err(); err != nil || len(t.inserts)+len(t.deletes) == 0 {
		return err
	}
	if err := t.writer.replaceRows(t.ctx, t.tableSpec, t.deletes, t.inserts); err != nil {
		return interrupted(t.target, err)
	}
	t.written += int64(len(t.inserts))
	t.deletes, t.inserts = t.deletes[:0], t.inserts[:0]
	return nil
}
