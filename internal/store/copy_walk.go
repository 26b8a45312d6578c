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

// walk goes through a table on both sides at once, in the order of its key, and makes the target what the source is. What
// an earlier run wrote is found there and stays, unless the source has changed since.
type walk struct {
	*transfer
	shape
	Copying
	behind   record  // where it begins; nil for the first row
	theirs   *stream // of the source
	ours     *stream // of the target
	line     [2][]byte
	out, in  []record
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

// fillAll walks through every table.
func (c *transfer) fillAll() error {
	for _, s := range c.inTurn() {
		w := &walk{transfer: c, shape: s, written: c.begun[s.name]}
		if err := w.through(); err != nil {
			return err
		}
		c.walks = append(c.walks, w)
	}
	slices.SortFunc(c.walks, func(a, b *walk) int { return cmp.Compare(a.place(), b.place()) })
	return nil
}

func (w *walk) through() error {
	w.Table, w.sum = w.name, sha256.New()
	// Before anything is fetched: the source has one connection.
	if err := w.snapshot.QueryRowContext(w.ctx, `SELECT count(*) FROM `+w.name).Scan(&w.Of); err != nil {
		return broke(w.source, err)
	}
	w.theirs, w.ours = newStream(w.ctx, w.snapshot, w.shape, w.behind), newStream(w.ctx, w.readPool, w.shape, w.behind)
	defer w.theirs.stop()
	defer w.ours.stop()
	for last := record(nil); ; {
		a, err := w.theirs.peek()
		if err != nil {
			return broke(w.source, err)
		}
		b, err := w.ours.peek()
		if err != nil {
			return broke(w.target, err)
		}
		if a == nil && b == nil {
			return w.flush()
		}
		if last, err = w.step(a, b, last); err != nil {
			return err
		}
		if len(w.in)+len(w.out) >= copyBatch {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
}

// step compares the rows at which both sides stand, and goes past the first of them, or past both. It returns the row of
// the source that it passed last.
func (w *walk) step(a, b, last record) (record, error) {
	if a != nil && b != nil {
		if side := w.order(a, b); side < 0 {
			b = nil
		} else if side > 0 {
			a = nil
		}
	}
	w.line[0], w.line[1] = encode(w.line[0][:0], a), encode(w.line[1][:0], b)
	if !bytes.Equal(w.line[0], w.line[1]) {
		if err := w.differ(a, b, last); err != nil {
			return nil, err
		}
	}
	if b != nil {
		w.ours.pass()
	}
	if a == nil {
		return last, nil
	}
	w.theirs.pass()
	w.sum.Write(w.line[0])
	if w.Rows++; w.Rows%int64(copyBatch) == 0 {
		w.tell(w.Copying)
	}
	return a, nil
}

// differ notes what has to be done about rows that are not the same; one of them may be missing. A lead that the source
// does not have is somebody else's: then nothing is touched.
func (w *walk) differ(a, b, last record) error {
	if w.equal || w.name == "leads" && b != nil && (a == nil || a[1] != b[1]) {
		return w.other(w.shape, a, b)
	}
	if w.verified == nil {
		sum, err := w.sum.(hash.Cloner).Clone()
		if err != nil {
			return err
		}
		w.verified = &verifiedPrefix{w.Rows, last, sum}
	}
	if b != nil {
		w.out = append(w.out, b)
	}
	if a != nil {
		if checkText(a) != nil {
			return fmt.Errorf("row %d of %s holds a text with a NUL or invalid UTF-8, which cannot be copied; foyer db check names the lead", w.Rows+1, w.name)
		}
		w.in = append(w.in, a)
	}
	return nil
}

// flush writes what has gathered.
func (w *walk) flush() error {
	if err := w.ctx.Err(); err != nil || len(w.in)+len(w.out) == 0 {
		return err
	}
	if err := w.filler.put(w.ctx, w.shape, w.out, w.in); err != nil {
		return broke(w.target, err)
	}
	w.written += int64(len(w.in))
	w.out, w.in = w.out[:0], w.in[:0]
	return nil
}
