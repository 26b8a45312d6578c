package store

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgtype"
)

// nullLength is the length of a value that is not there.
const nullLength = ^uint32(0)

// appendLeads writes leads as PostgreSQL reads an array of rows: one dimension, no row missing, the type of a row, how many
// there are, counted from 1; then each row with its length.
func appendLeads(b []byte, row uint32, leads []*save) []byte {
	b = appendUint32s(b, 1, 0, row, uint32(len(leads)), 1)
	for _, x := range leads {
		start := len(b)
		b = appendRow(appendUint32s(b, 0), x.args)
		binary.BigEndian.PutUint32(b[start:], uint32(len(b)-start-4))
	}
	return b
}

// appendRow writes a row: how many columns it has, and each with its type and its length.
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

func appendUint32s(b []byte, words ...uint32) []byte {
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}
