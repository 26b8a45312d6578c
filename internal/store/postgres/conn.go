package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"foyer/internal/store/db"
)

// conn is one write connection to PostgreSQL. Statements whose result is not needed are sent with the next query or with
// the commit: a round trip costs more than most of them.
type conn struct {
	conn       *pgx.Conn
	dial       func(context.Context) (*pgx.Conn, error)
	onDialed   func() error  // runs after another connection replaced conn; may be nil
	lastUsed   time.Time     // when it last succeeded
	timeout    time.Duration // for one round trip
	deadline   time.Time     // for all steps; zero means no deadline
	afterBegin string        // runs after BEGIN in every transaction
	pending    *pgx.Batch
	changesOne map[int]bool // pending statements, by index, that must change one row
	localOnly  atomic.Bool  // the server reported that it committed on its own disk only
}

// forceSyncCommit makes a commit wait for the disk even if the server is configured not to: a 202 is a promise.
const forceSyncCommit = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

func (c *conn) SetDeadline(end time.Time) { c.deadline = end }

// ctx returns a context with the deadline of the next step.
func (c *conn) ctx() (context.Context, context.CancelFunc) {
	end := time.Now().Add(c.timeout)
	if !c.deadline.IsZero() && c.deadline.Before(end) {
		end = c.deadline
	}
	return context.WithDeadline(context.Background(), end)
}

// pingAfterIdle is the idle time after which a connection is checked before use. No server restarts faster.
const pingAfterIdle = 10 * time.Millisecond

// ensureConnected checks the connection before anything is sent on it. A server that restarted while nothing was written has
// closed it, and callers need not notice that.
func (c *conn) ensureConnected() error {
	if time.Since(c.lastUsed) < pingAfterIdle && !c.conn.IsClosed() {
		return nil
	}
	ctx, cancel := c.ctx()
	defer cancel()
	if c.isAlive(ctx) {
		return nil
	}
	_ = c.Close()
	opened, err := c.dial(ctx)
	if err != nil {
		return err
	}
	c.conn, c.lastUsed = opened, time.Now()
	if c.onDialed == nil {
		return nil
	}
	if err = c.onDialed(); err != nil {
		_ = c.Close() // so that it runs again with the next connection
	}
	return err
}

func (c *conn) OnReconnect(check func() error) { c.onDialed = check }

// ensureReady is ensureConnected for a statement outside a transaction. Begin has done it for those inside.
func (c *conn) ensureReady() error {
	if c.pending.Len() > 0 || c.conn.PgConn().TxStatus() != 'I' {
		return nil
	}
	return c.ensureConnected()
}

func (c *conn) isAlive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, c.timeout/4)
	defer cancel()
	return !c.conn.IsClosed() && c.conn.Ping(ctx) == nil
}

func (c *conn) Begin() error {
	if err := c.ensureConnected(); err != nil {
		return err
	}
	c.pending.Queue("BEGIN ISOLATION LEVEL READ COMMITTED") // an update must see what was committed before it got its lock
	if !c.deadline.IsZero() && c.timeout > db.UrgentTimeout {
		c.pending.Queue(urgentTimeoutSetting)
	}
	if c.afterBegin != "" {
		c.pending.Queue(c.afterBegin)
	}
	return nil
}

// urgentTimeoutSetting makes the server time out before the client when an HTTP handler waits, so that the outcome of the
// statement is known.
var urgentTimeoutSetting = "SET LOCAL statement_timeout = " + milliseconds(db.UrgentTimeout*7/8)

// Commit ends the transaction. If an earlier statement failed and its error was overlooked, the server answers COMMIT with a
// rollback and does not report an error.
func (c *conn) Commit() error {
	return c.send("COMMIT", nil, func(r pgx.BatchResults) error {
		done, err := r.Exec()
		if err == nil && done.String() != "COMMIT" {
			err = errRolledBack
		}
		return err
	})
}

var errRolledBack = errors.New("the server gave the transaction up")

// rollbackTimeout bounds a rollback.
const rollbackTimeout = 500 * time.Millisecond

// Rollback ends the transaction. A connection on which that fails is closed.
func (c *conn) Rollback() {
	c.pending, c.changesOne = &pgx.Batch{}, nil
	if !c.conn.IsClosed() && c.conn.PgConn().TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.Background(), rollbackTimeout) // a new deadline: that of the transaction may have passed
		defer cancel()
		if _, err := c.conn.Exec(ctx, "ROLLBACK"); err != nil {
			_ = c.conn.Close(ctx)
		}
	}
}

func (c *conn) Exec(query string, args []any) error {
	if err := db.CheckText(args); err != nil {
		return err
	}
	c.pending.Queue(query, args...)
	return nil
}

// ExecOne makes the server fail if no row is changed. The commit may be sent in the same batch, and only an error before it
// prevents it.
func (c *conn) ExecOne(query string, args []any) error {
	if c.changesOne == nil {
		c.changesOne = make(map[int]bool)
	}
	c.changesOne[c.pending.Len()] = true
	return c.Exec("WITH changed AS ("+query+" RETURNING 1) SELECT 1 / count(*) FROM changed", args)
}

func (c *conn) ExecCount(query string, args []any) (rows int64, err error) {
	if err := db.CheckText(args); err != nil {
		return 0, err
	}
	err = c.send(query, args, func(r pgx.BatchResults) error {
		done, err := r.Exec()
		rows = done.RowsAffected()
		return err
	})
	return rows, err
}

func (c *conn) Query(query string, args []any, do func(db.Row) error) error {
	return c.send(query, args, func(r pgx.BatchResults) error {
		rows, err := r.Query()
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			values, err := rows.Values()
			if err != nil {
				return err
			}
			if err := do(values); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// send sends the pending statements and one more, whose result readLast reads; nil ignores the result. Outside a transaction the
// statement commits by itself.
func (c *conn) send(query string, args []any, readLast func(pgx.BatchResults) error) error {
	if err := c.ensureReady(); err != nil {
		return err
	}
	batch, changesOne := c.pending, c.changesOne
	c.pending, c.changesOne = &pgx.Batch{}, nil
	n := batch.Len()
	batch.Queue(query, args...)
	ctx, cancel := c.ctx()
	defer cancel()
	return c.outcome(readResults(c.conn.SendBatch(ctx, batch), n, changesOne, readLast))
}

// readResults reads the results of the pending statements, and calls readLast for the last one.
func readResults(results pgx.BatchResults, n int, changesOne map[int]bool, readLast func(pgx.BatchResults) error) (err error) {
	defer func() {
		if closing := results.Close(); err == nil {
			err = closing
		}
	}()
	for i := range n {
		if _, err := results.Exec(); changesOne[i] && errorCode(err) == divisionByZero {
			return db.ErrRowChanged
		} else if err != nil {
			return err
		}
	}
	if readLast == nil {
		_, err := results.Exec()
		return err
	}
	return readLast(results)
}

// divisionByZero is the error of a statement of ExecOne that changed no row.
const divisionByZero = "22012"

// deadlockDetected is the error of a transaction that the server ended to resolve a deadlock.
const deadlockDetected = "40P01"

// outcome wraps the error of a connection that broke. Whether the statements took effect is then unknown.
func (c *conn) outcome(err error) error {
	local := c.localOnly.Swap(false)
	if err != nil && c.conn.IsClosed() {
		return connError{err}
	}
	c.lastUsed = time.Now()
	if errorCode(err) == deadlockDetected {
		return fmt.Errorf("%w: %w", db.ErrDeadlock, err)
	}
	if err == nil && local {
		return errNotReplicated
	}
	return err
}

// onNotice looks for the warning of a server that stopped waiting for its standby. The server does not report this as an error:
// the transaction is committed, and lost if the standby takes over. The text of the warning may be in any language, so the
// routine identifies it.
func (c *conn) onNotice(_ *pgconn.PgConn, n *pgconn.Notice) {
	if n.Routine == "SyncRepWaitForLSN" {
		c.localOnly.Store(true)
	}
}

var errNotReplicated = errors.New("the server committed on its own disk only: no standby has confirmed it")

func (c *conn) Close() error { return closeConn(c.conn) }

// closeConn closes a connection. It does not wait long for a server that hangs.
func closeConn(c *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return c.Close(ctx)
}

// Check looks at nothing: a server checks its own data.
func (c *conn) Check(context.Context) (all bool, err error) { return true, nil }
