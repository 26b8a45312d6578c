package postgres

import (
	"context"
	"encoding/binary"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"foyer/internal/store/db"
)

// preparedBatch is the statement of InsertBatch, prepared on a connection.
type preparedBatch struct {
	batch   db.Batch
	conn    *pgx.Conn
	rowType uint32 // OID of the type of a row
}

// batchStatement is the name of the prepared statement.
const batchStatement = "insert batch"

// maxKeptBuf is the largest buffer that a connection keeps between batches.
const maxKeptBuf = 1 << 20

// InsertBatch sends all rows as one parameter of one statement: an array of the composite type. One array for each column costs a
// third more.
func (c *conn) InsertBatch(b db.Batch, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	for _, r := range rows {
		if err := db.CheckText(r); err != nil {
			return err
		}
	}
	if err := c.flush(); err != nil {
		return err
	}
	ctx, cancel := c.ctx()
	defer cancel()
	err := c.prepareBatch(ctx, b)
	if err == nil {
		buf := appendRows(c.batchBuf[:0], c.batch.rowType, rows)
		if cap(buf) <= maxKeptBuf {
			c.batchBuf = buf // for the next batch
		}
		err = c.conn.PgConn().ExecPrepared(ctx, batchStatement, [][]byte{buf}, []int16{pgx.BinaryFormatCode}, nil).Read().Err
	}
	return c.outcome(err)
}

// flush sends the pending statements, if there are any.
func (c *conn) flush() error {
	if c.pending.Len() > 0 {
		return c.send("SELECT", nil, nil)
	}
	return c.ensureReady()
}

// prepareBatch prepares the statement once for each connection. That takes two round trips, for which the first batch to a
// distant server waits.
func (c *conn) prepareBatch(ctx context.Context, b db.Batch) error {
	if c.batch.conn == c.conn && c.batch.batch == b {
		return nil
	}
	p := preparedBatch{batch: b, conn: c.conn}
	if err := c.conn.QueryRow(ctx, `SELECT '`+b.RowType+`'::regtype::oid`, pgx.QueryExecModeSimpleProtocol).Scan(&p.rowType); err != nil {
		return err
	}
	if c.batch.conn == c.conn {
		if err := c.conn.Deallocate(ctx, batchStatement); err != nil {
			return err
		}
	}
	_, err := c.conn.Prepare(ctx, batchStatement, `WITH inserted AS (INSERT INTO `+b.Table+` (`+b.Columns+`) SELECT `+b.Columns+` FROM unnest($1::`+b.RowType+`[]) RETURNING `+b.Returning+`) `+b.Then)
	if err == nil {
		c.batch = p
	}
	return err
}

// nullLength is the length that marks NULL.
const nullLength = ^uint32(0)

// appendRows writes rows in PostgreSQL's binary format for an array of rows: one dimension, no NULL rows, the type of a row,
// the number of rows, and 1 as the first index; then each row, preceded by its length.
func appendRows(b []byte, rowType uint32, rows [][]any) []byte {
	b = appendUint32s(b, 1, 0, rowType, uint32(len(rows)), 1)
	for _, r := range rows {
		start := len(b)
		b = appendRow(appendUint32s(b, 0), r)
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
