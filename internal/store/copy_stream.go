package store

import (
	"context"
	"slices"
)

// stream reads a table in the order of its key, some rows at a time. The next ones are fetched while the last are used.
type stream struct {
	ctx    context.Context
	from   querier
	shape  tableSpec
	rows   []record
	next chan batch // nil where nothing is fetched
	err    error
}

type batch struct {
	rows []record
	err  error
}

// newStream begins behind a key, or with the first row.
func newStream(ctx context.Context, from querier, s tableSpec, behind record) *stream {
	x := &stream{ctx: ctx, from: from, shape: s}
	x.fetch(behind)
	return x
}

// peek is the row at which the stream stands, or nil behind the last one.
func (x *stream) peek() (record, error) {
	if len(x.rows) == 0 && x.next != nil {
		b := <-x.next
		x.next, x.rows, x.err = nil, b.rows, b.err
		if len(b.rows) == copyBatch && b.err == nil {
			x.fetch(b.rows[copyBatch-1][:x.shape.keys])
		}
	}
	if x.err != nil || len(x.rows) == 0 {
		return nil, x.err
	}
	return x.rows[0], nil
}

// advance goes to the next row.
func (x *stream) advance() { x.rows = x.rows[1:] }

// stop waits for what is being fetched: the connection is needed for other things.
func (x *stream) stop() {
	if x.next != nil {
		<-x.next
		x.next = nil
	}
}

// fetch asks for the rows behind a key, or for the first.
func (x *stream) fetch(behind record) {
	x.next = make(chan batch, 1)
	go func(to chan<- batch) {
		rows, err := x.readBatch(behind)
		to <- batch{rows, err}
	}(x.next)
}

func (x *stream) readBatch(behind record) ([]record, error) {
	return readRows(x.ctx, x.from, x.shape, x.shape.pageQuery(behind == nil), append(slices.Clone(behind), copyBatch)...)
}

// readRows reads rows that are not more than can be held at once.
func readRows(ctx context.Context, from querier, s tableSpec, query string, args ...any) (rows []record, err error) {
	into := make([]any, len(s.columns))
	err = each(ctx, from, func(r scanner) error {
		row := make(record, len(s.columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		rows = append(rows, row)
		return s.normalize(row)
	}, query, args...)
	return rows, err
}
