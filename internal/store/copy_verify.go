package store

import (
	"encoding/hex"
	"fmt"
)

// verify reads the target again and requires the hash of the source for every table. Rows that were identical before anything was
// written have been read once, which is enough.
func (c *transfer) verify() error {
	for _, t := range c.tables {
		done := Copied{Table: t.name, Rows: t.Rows, Written: t.written, Hash: hex.EncodeToString(t.sum.Sum(nil))}
		if t.verified != nil {
			if err := t.verified.hashRest(t); err != nil {
				return err
			}
			if sum := hex.EncodeToString(t.verified.sum.Sum(nil)); sum != done.Hash || t.verified.rows != done.Rows {
				return fmt.Errorf("%s: %s has %d rows, sha256 %s; %s has %d, sha256 %s. The same command looks again, and mends what it can",
					t.name, c.source, done.Rows, done.Hash, c.target, t.verified.rows, sum)
			}
		}
		c.done = append(c.done, done)
	}
	return nil
}

// hashRest hashes the rows of the target after the verified prefix.
func (p *verifiedPrefix) hashRest(t *tableCopy) error {
	var after record
	if p.last != nil {
		after = p.last[:t.keys]
	}
	rows, encoded := newStream(t.ctx, t.readPool, t.tableSpec, after), []byte(nil)
	defer rows.stop()
	for {
		r, err := rows.peek()
		if err != nil {
			return interrupted(t.target, err)
		}
		if r == nil {
			return nil
		}
		encoded = appendRecord(encoded[:0], r)
		p.sum.Write(encoded)
		rows.advance()
		if p.rows++; p.rows%int64(copyBatch) == 0 {
			t.report(Copying{Table: t.name, Rows: p.rows, Of: t.Rows, Again: true})
		}
	}
}
