package operation

import (
	"context"
	"io"
	"time"

	"foyer/internal/audit"
	"foyer/internal/operator"
)

// Call is one request for an operation.
type Call struct {
	Ctx    context.Context
	Op     *operator.Operator // changes at most once, if the request has an idempotency key
	Caller Caller
	In     Values

	Zone      *time.Location // of the days and months in filters and statements
	SearchKey []byte         // of the search index
}

// By names who makes a change.
func (c *Call) By() audit.Actor { return c.Caller.Actor }

// File is an answer that is not JSON. It is written while it is read.
type File struct {
	Name  string
	Write func(w io.Writer) error
}
