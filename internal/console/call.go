package console

import (
	"context"
	"io"
	"time"

	"foyer/internal/audit"
	"foyer/internal/operator"
)

// call is one request for an operation.
type call struct {
	ctx    context.Context
	op     *operator.Operator // changes at most once, if the request has an idempotency key
	caller Caller
	in     values

	Zone      *time.Location // of the days and months in filters and statements
	SearchKey []byte         // of the search index
}

// by names who makes a change.
func (c *call) by() audit.Actor { return c.caller.Actor }

// file is an answer that is not JSON. It is written while it is read.
type file struct {
	name  string
	write func(w io.Writer) error
}
