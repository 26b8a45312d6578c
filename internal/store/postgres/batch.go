package postgres

import (
	"strconv"
	"strings"

	"foyer/internal/store/db"
)

// InsertBatch sends each column of the rows as one array, all of them to one statement. unnest returns the rows in their order, so
// they are numbered in it.
func (c *conn) InsertBatch(b db.Batch, rows [][]any) error {
	arrays, params := make([]any, len(rows[0])), make([]string, len(rows[0]))
	for i, value := range rows[0] {
		var sqlType string
		switch value.(type) {
		case string:
			arrays[i], sqlType = column[string](rows, i), "text"
		case int64:
			arrays[i], sqlType = column[int64](rows, i), "bigint"
		case []byte:
			arrays[i], sqlType = column[[]byte](rows, i), "bytea"
		}
		params[i] = "$" + strconv.Itoa(i+1) + "::" + sqlType + "[]"
	}
	return c.send(`WITH inserted AS (INSERT INTO `+b.Table+` (`+b.Columns+`) SELECT * FROM unnest(`+strings.Join(params, ", ")+`)
		RETURNING `+b.Returning+`) `+b.Then, arrays, nil)
}

// column returns column i of the rows.
func column[T any](rows [][]any, i int) []T {
	values := make([]T, len(rows))
	for n, r := range rows {
		values[n] = r[i].(T)
	}
	return values
}
