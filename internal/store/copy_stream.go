package store

import (
	"context"
	"slices"
)

// stream reads a table in the order of its key, some rows at a time. The next ones are fetched while the last are used.
type stream struct {
	ctx  context.Context
	from asker
	spec tableSpec
	rows []record
	next chan batch // nil where nothing is fetched
	err  error
}

type batch struct {
	rows []record
	err  error
}

// newStream begins behind a key, or with the first row.
func newStream(ctx context.Context, from asker, spec tableSpec, after record) *stream {
	s := &stream{ctx: ctx, from: from, spec: spec}
	s.fetch(after)
	return s
}

// peek is the row at which the stream stands, or nil behind the last one.
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

// advance goes to the next row.
func (s *stream) advance() { s.rows = s.rows[1:] }

// stop waits for what is being fetched: the connection is needed for other things.
func (s *stream) stop() {
	if s.next != nil {
		<-s.next
		s.next = nil
	}
}

// fetch asks for the rows behind a key, or for the first.
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

// readRows reads rows that are not more than can be held at once.
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
