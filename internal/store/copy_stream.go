package store

import (
	"context"
	"slices"
)

// stream reads a table in key order, one batch at a time. It fetches the next batch while the current one is used.
type stream struct {
	ctx  context.Context
	from asker
	spec tableSpec
	rows []record
	next chan batch // nil if no fetch is running
	err  error
}

type batch struct {
	rows []record
	err  error
}

// newStream starts after a key, or at the first row if after is nil.
func newStream(ctx context.Context, from asker, spec tableSpec, after record) *stream {
	s := &stream{ctx: ctx, from: from, spec: spec}
	s.fetch(after)
	return s
}

// peek returns the current row, or nil after the last one.
func (s *stream) peek() (record, error) {
	if len(s.rows) == 0 && s.next != nil {
		b := <-s.next
		s.next, s.rows, s.err = nil, b.rows, b.err
		if len(b.rows) == copyBatch && b.err == nil {
			s.fetch(b.rows[copyBatch-1][:s.spec.keys])
		}
	}
	if s.err != nil || len(s.rows) == 0 {
		return nil, s.err
	}
	return s.rows[0], nil
}

// advance moves to the next row.
func (s *stream) advance() { s.rows = s.rows[1:] }

// stop waits for the running fetch: the connection is needed for other queries.
func (s *stream) stop() {
	if s.next != nil {
		<-s.next
		s.next = nil
	}
}

// fetch starts to read the rows after a key, or the first ones.
func (s *stream) fetch(after record) {
	s.next = make(chan batch, 1)
	go func(out chan<- batch) {
		rows, err := s.readBatch(after)
		out <- batch{rows, err}
	}(s.next)
}

func (s *stream) readBatch(after record) ([]record, error) {
	return readRows(s.ctx, s.from, s.spec, s.spec.pageQuery(after == nil), append(slices.Clone(after), copyBatch)...)
}

// readRows reads all rows of a query, which must fit in memory.
func readRows(ctx context.Context, from asker, s tableSpec, query string, args ...any) (rows []record, err error) {
	dest := make([]any, len(s.columns))
	err = each(ctx, from, func(r scanner) error {
		row := make(record, len(s.columns))
		for i := range row {
			dest[i] = &row[i]
		}
		if err := r.Scan(dest...); err != nil {
			return err
		}
		rows = append(rows, row)
		return s.normalize(row)
	}, query, args...)
	return rows, err
}
