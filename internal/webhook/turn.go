package webhook

import (
	"context"
	"net/http/httptrace"
)

// exchange is one request's time with a connection.
type exchange struct {
	conn   *conn // nil until there is one
	number int64
	reused bool
}

// watch makes a context with which net/http tells the turn which connection it has.
func (t *exchange) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			t.conn, t.reused = info.Conn.(*conn), info.Reused
			t.number = t.conn.exchange.Add(1)
		},
		// By now the next request may have the connection: that is why turns have numbers.
		PutIdleConn: func(error) { t.conn.answered.Store(t.number) },
	})
}

// sent says whether any byte may have left. When RoundTrip returned an error, net/http is done with writing.
func (t *exchange) sent() bool { return t.conn != nil && t.conn.left.Load() == t.number }

// stale says that a kept connection was closed before anything was written to it: the buyer had enough of waiting, which
// is no failure, and the message can go over another one.
func (t *exchange) stale() bool { return t.reused && !t.sent() }
