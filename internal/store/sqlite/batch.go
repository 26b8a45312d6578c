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
	var last int64
	for some := range slices.Chunk(rows, MaxBatchRows) {
		row := ", (?" + strings.Repeat(", ?", len(some[0])-1) + ")"
		// If one row fails, the whole transaction is rolled back, so SQLite need not be able to undo this statement alone.
		done, err := c.run("INSERT OR FAIL INTO "+b.Table+" ("+b.Columns+") VALUES "+strings.Repeat(row, len(some))[len(", "):], slices.Concat(some...))
		if err != nil {
			return err
		}
		if last, err = done.LastInsertId(); err != nil {
			return err
		}
	}
	then := "WITH inserted AS (SELECT " + b.Returning + " FROM " + b.Table + " WHERE seq > $1 AND seq <= $2) " + strings.Replace(b.Then, "INSERT INTO", "INSERT OR FAIL INTO", 1)
	return c.Exec(then, []any{last - int64(len(rows)), last})
}
