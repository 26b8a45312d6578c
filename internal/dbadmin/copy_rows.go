package dbadmin

import (
	"encoding/binary"
	"fmt"
	"strings"

	"foyer/internal/store/db"
)

// selectAll reads the whole table in key order.
func selectAll(t db.Table) string {
	return `SELECT ` + t.ColumnList() + ` FROM ` + t.Name + ` ORDER BY ` + strings.Join(t.Columns[:t.Keys], ", ")
}

// appendRow encodes a row the same way for both engines: for each column its kind, its length and its value.
func appendRow(to []byte, r []any) []byte {
	for _, v := range r {
		switch v := v.(type) {
		case nil:
			to = append(to, 0)
		case int64:
			to = binary.BigEndian.AppendUint64(append(to, 1), uint64(v))
		case string:
			to = append(binary.AppendUvarint(append(to, 2), uint64(len(v))), v...)
		case []byte:
			to = append(binary.AppendUvarint(append(to, 3), uint64(len(v))), v...)
		}
	}
	return to
}

// normalize converts the values of a row to the kinds that are copied. SQLite accepts any kind of value in any column.
func normalize(t db.Table, r []any) error {
	for i, v := range r {
		isBytes := t.Columns[i] == t.BytesColumn
		switch v := v.(type) {
		case nil, int64:
		case string:
			if isBytes {
				r[i] = []byte(v)
			}
		case []byte:
			if !isBytes {
				r[i] = string(v)
			}
		default:
			return fmt.Errorf("the column %s of %s holds a value of another kind", t.Columns[i], t.Name)
		}
	}
	return nil
}
