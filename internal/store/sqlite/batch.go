package sqlite

import (
	"slices"
	"strings"

	"foyer/internal/store/db"
)

// MaxBatchRows is the most rows that one statement inserts. A group of a few dozen, the usual size under load, needs a single
// statement. Each statement costs the writer as much as a row or two.
const MaxBatchRows = 32

// InsertBatch inserts up to MaxBatchRows rows with each statement. With a single write connection, their numbers are consecutive.
func (c *conn) InsertBatch(b db.Batch, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	inserts := c.batchInserts(b)
	var last int64
	for some := range slices.Chunk(rows, MaxBatchRows) {
		c.batchArgs = c.batchArgs[:0]
		for _, r := range some {
			c.batchArgs = append(c.batchArgs, r...)
		}
		var err error
		if last, err = c.Insert(inserts.rows[len(some)-1], c.batchArgs); err != nil {
			return err
		}
	}
	return c.Exec(inserts.then, []any{last - int64(len(rows)), last})
}

// batchInserts are the statements of one kind of batch: rows[0] inserts one row, rows[1] two, and so on.
type batchInserts struct {
	rows [MaxBatchRows]string
	then string
}

func (c *conn) batchInserts(b db.Batch) *batchInserts {
	if known, ok := c.batches[b]; ok {
		return known
	}
	made := &batchInserts{}
	row := "(?" + strings.Repeat(",?", strings.Count(b.Columns, ",")) + ")"
	for i := range made.rows {
		// If one row fails, the whole transaction is rolled back, so SQLite need not be able to undo this statement alone.
		made.rows[i] = "INSERT OR FAIL INTO " + b.Table + " (" + b.Columns + ") VALUES " + row + strings.Repeat(","+row, i)
	}
	made.then = "WITH inserted AS (SELECT " + b.Returning + " FROM " + b.Table + " WHERE seq > $1 AND seq <= $2) " + strings.Replace(b.Then, "INSERT INTO", "INSERT OR FAIL INTO", 1)
	c.batches[b] = made
	return made
}
