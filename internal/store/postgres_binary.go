package store

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgtype"
)

// nullLength is the length that marks NULL.
const nullLength = ^uint32(0)

// appendLeads writes leads in PostgreSQL's binary format for an array of rows: one dimension, no NULL rows, the type of a row,
// the number of rows, and 1 as the first index; then each row, preceded by its length.
func appendLeads(b []byte, rowType uint32, leads []*save) []byte {
	b = appendUint32s(b, 1, 0, rowType, uint32(len(leads)), 1)
	for _, s := range leads {
		start := len(b)
		b = appendRow(appendUint32s(b, 0), s.args)
		binary.BigEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	}
	return b
}

// appendRow writes a row: the number of columns, then each column with its type and its length.
func appendRow(b []byte, columns []any) []byte {
	b = appendUint32s(b, uint32(len(columns)))
	for _, value := range columns {
		switch v := value.(type) {
		case string:
			b = append(appendUint32s(b, pgtype.TextOID, uint32(len(v))), v...)
		case int64:
			b = binary.BigEndian.AppendUint64(appendUint32s(b, pgtype.Int8OID, 8), uint64(v))
		case []byte:
			if v == nil {
				b = appendUint32s(b, pgtype.ByteaOID, nullLength)
				continue
			}
			b = append(appendUint32s(b, pgtype.ByteaOID, uint32(len(v))), v...)
		}
	}
	return b
}

func appendUint32s(b []byte, values ...uint32) []byte {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, v)
	}
	return b
}
