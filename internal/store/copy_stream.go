package store

import "context"

// stream reads a table in the order of its key, some rows at a time. The next ones are fetched while the last are used.
type stream struct {
	ctx    context.Context
	from   asker
	shape  shape
	rows   []record
	coming chan batch // nil where nothing is fetched
	err    error
}

type batch struct {
	rows []record
	err  error
}

// newStream begins behind a key, or with the first row.
func newStream(ctx context.Context, from asker, s shape, behind record) *stream {
	x := &stream{ctx: ctx, from: from, shape: s}
	x.fetch(behind)
	return x
}

// peek is the row at which the stream stands, or nil behind the last one.
func (x *stream) peek() (record, error) {
	if len(x.rows) == 0 && x.coming != nil {
		b := <-x.coming
		x.coming, x.rows, x.err = nil, b.rows, b.err
		if len(b.rows) == atOnce && b.err == nil {
			x.fetch(b.rows[atOnce-1][:x.shape.keys])
		}
	}
	if x.err != nil || len(x.rows) == 0 {
		return nil, x.err
	}
	return x.rows[0], nil
}

// pass goes to the next row.
func (x *stream) pass() { x.rows = x.rows[1:] }

// stop waits for what is being fetched: the connection is needed for other things.
func (x *stream) stop() {
	if x.coming != nil {
		<-x.coming
		x.coming = nil
	}
}

// fetch asks for the rows behind a key, or for the first.
func (x *stream) fetch(behind record) {
	x.coming = make(chan batch, 1)
	go func(to chan<- batch) {
		rows, err := x.read(behind)
		to <- batch{rows, err}
	}(x.coming)
}

func (x *stream) read(behind record) (rows []record, err error) {
	width := len(x.shape.columns)
	cells, into := make([]any, atOnce*width), make([]any, width)
	args := append(append([]any{}, behind...), atOnce)
	err = each(x.ctx, x.from, func(r scanner) error {
		here := cells[len(rows)*width:][:width:width]
		for i := range here {
			into[i] = &here[i]
		}
		if err := r.Scan(into...); err != nil {
			return err
		}
		rows = append(rows, here)
		return x.shape.settle(here)
	}, x.shape.page(behind == nil), args...)
	return rows, err
}
