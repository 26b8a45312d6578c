package store

import (
	"encoding/hex"
	"fmt"
)

// verify reads what the target holds now, and wants the hash of the source for every table. What was found to be the
// same before anything was written has been read once, and that is enough.
func (c *transfer) verify() error {
	for _, w := range c.tables {
		done := Copied{Table: w.name, Rows: w.Rows, Written: w.written, Hash: hex.EncodeToString(w.sum.Sum(nil))}
		if w.verified != nil {
			if err := w.verified.hashRest(w); err != nil {
				return err
			}
			if sum := hex.EncodeToString(w.verified.sum.Sum(nil)); sum != done.Hash || w.verified.rows != done.Rows {
				return fmt.Errorf("%s: %s has %d rows, sha256 %s; %s has %d, sha256 %s. The same command looks again, and mends what it can",
					w.name, c.source, done.Rows, done.Hash, c.target, w.verified.rows, sum)
			}
		}
		c.done = append(c.done, done)
	}
	return nil
}

// hashRest hashes the rows of the target behind those that are known to be right.
func (f *verifiedPrefix) hashRest(w *tableCopy) error {
	var behind record
	if f.last != nil {
		behind = f.last[:w.keys]
	}
	rows, line := newStream(w.ctx, w.readPool, w.tableSpec, behind), []byte(nil)
	defer rows.stop()
	for {
		r, err := rows.peek()
		if err != nil {
			return interrupted(w.transfer.target, err)
		}
		if r == nil {
			return nil
		}
		line = appendRecord(line[:0], r)
		f.sum.Write(line)
		rows.advance()
		if f.rows++; f.rows%int64(copyBatch) == 0 {
			w.report(Copying{Table: w.name, Rows: f.rows, Of: w.Rows, Again: true})
		}
	}
}
