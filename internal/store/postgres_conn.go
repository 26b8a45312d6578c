package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// postgresConn is one connection that writes to PostgreSQL. Statements of which nothing is to be known are sent together
// with the next question or with the commit: a round trip costs more than most of them.
type postgresConn struct {
	conn    *pgx.Conn
	dial    func(context.Context) (*pgx.Conn, error)
	lastUsed    time.Time     // when it last worked
	timeout time.Duration // for one step
	deadline     time.Time     // when all steps have to be over; zero where nobody at a door waits for them
	afterBegin string        // what every transaction begins with, after BEGIN
	pending *pgx.Batch
	changesOne   map[int]bool // which of them have to change one row
	localOnly   atomic.Bool  // the server has said that it committed what was sent on its own disk only

	insertsPrepared *pgx.Conn // the connection that is ready to keep leads
	newLeadOID         uint32    // the type of a lead there
	buf           []byte    // where leads are written before they are sent
}

// forceSyncCommit makes a commit wait for the disk where the server was told not to: a 202 is a promise.
const forceSyncCommit = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

func (l *postgresConn) setDeadline(end time.Time) { l.deadline = end }

// ctx bounds the next step.
func (l *postgresConn) ctx() (context.Context, context.CancelFunc) {
	end := time.Now().Add(l.timeout)
	if !l.deadline.IsZero() && l.deadline.Before(end) {
		end = l.deadline
	}
	return context.WithDeadline(context.Background(), end)
}

// pingAfterIdle is after how long a connection is looked at before it is used. No server is restarted in less.
const pingAfterIdle = 10 * time.Millisecond

// ensureConnected sees that the connection is there before anything is sent on it: a server that was restarted while nobody wrote
// has hung up, and nobody needs to hear of that.
func (l *postgresConn) ensureConnected() error {
	if time.Since(l.lastUsed) < pingAfterIdle && !l.conn.IsClosed() {
		return nil
	}
	ctx, cancel := l.ctx()
	defer cancel()
	if l.isAlive(ctx) {
		return nil
	}
	_ = l.close()
	conn, err := l.dial(ctx)
	if err == nil {
		l.conn = conn
	}
	return err
}

func (l *postgresConn) isAlive(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, l.timeout/4)
	defer cancel()
	return !l.conn.IsClosed() && l.conn.Ping(ctx) == nil
}

func (l *postgresConn) begin() error {
	if err := l.ensureConnected(); err != nil {
		return err
	}
	l.pending.Queue("BEGIN ISOLATION LEVEL READ COMMITTED") // a turn has to see what was done before it got its lock
	if !l.deadline.IsZero() && l.timeout > urgentTimeout {
		l.pending.Queue(urgentTimeoutSetting)
	}
	if l.afterBegin != "" {
		l.pending.Queue(l.afterBegin)
	}
	return nil
}

// urgentTimeoutSetting has the server give up before we do, where somebody at a door waits, so that what it did is known.
var urgentTimeoutSetting = "SET LOCAL statement_timeout = " + milliseconds(urgentTimeout*7/8)

// commit ends the transaction. The server answers to the commit of one that failed before, whoever overlooked that, with a
// rollback, and calls it no error.
func (l *postgresConn) commit() error {
	return l.send("COMMIT", nil, func(r pgx.BatchResults) error {
		done, err := r.Exec()
		if err == nil && done.String() != "COMMIT" {
			err = errRolledBack
		}
		return err
	})
}

var errRolledBack = errors.New("the server gave the transaction up")

// rollbackTimeout is how long a server may take to give a transaction up.
const rollbackTimeout = 500 * time.Millisecond

// rollback gives up the transaction. A connection on which that fails is not used again.
func (l *postgresConn) rollback() {
	l.pending, l.changesOne = &pgx.Batch{}, nil
	if !l.conn.IsClosed() && l.conn.PgConn().TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.Background(), rollbackTimeout) // its own: the transaction's may be over
		defer cancel()
		if _, err := l.conn.Exec(ctx, "ROLLBACK"); err != nil {
			_ = l.conn.Close(ctx)
		}
	}
}

func (l *postgresConn) exec(query string, args []any) error {
	if err := checkText(args); err != nil {
		return err
	}
	l.pending.Queue(query, args...)
	return nil
}

// execOne has the server itself fail where no row is changed: the commit may travel with the statement, and comes to nothing
// only behind an error.
func (l *postgresConn) execOne(query string, args []any) error {
	if l.changesOne == nil {
		l.changesOne = make(map[int]bool)
	}
	l.changesOne[l.pending.Len()] = true
	return l.exec("WITH changed AS ("+query+" RETURNING 1) SELECT 1 / count(*) FROM changed", args)
}

func (l *postgresConn) execCount(query string, args []any) (rows int64, err error) {
	if err := checkText(args); err != nil {
		return 0, err
	}
	err = l.send(query, args, func(r pgx.BatchResults) error {
		done, err := r.Exec()
		rows = done.RowsAffected()
		return err
	})
	return rows, err
}

func (l *postgresConn) insert(query string, args []any) (seq int64, err error) {
	if err := checkText(args); err != nil {
		return 0, err
	}
	err = l.query(query+" RETURNING seq", args, func(r row) error { seq = r.number(0); return nil })
	return seq, err
}

func (l *postgresConn) query(query string, args []any, do func(row) error) error {
	return l.send(query, args, func(r pgx.BatchResults) error {
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
			seen := make(row, len(values))
			for i, v := range values {
				seen[i] = driver.Value(v)
			}
			if err := do(seen); err != nil {
				return err
			}
		}
		return rows.Err()
	})
}

// send sends what is pending and one statement more, whose result read takes; nil where there is none to be read.
func (l *postgresConn) send(query string, args []any, read func(pgx.BatchResults) error) error {
	batch, musts := l.pending, l.changesOne
	l.pending, l.changesOne = &pgx.Batch{}, nil
	before := batch.Len()
	batch.Queue(query, args...)
	ctx, cancel := l.ctx()
	defer cancel()
	return l.outcome(readResults(l.conn.SendBatch(ctx, batch), before, musts, read))
}

// readResults reads the results of what was pending, and has the last one read.
func readResults(results pgx.BatchResults, before int, musts map[int]bool, read func(pgx.BatchResults) error) (err error) {
	defer func() {
		if closing := results.Close(); err == nil {
			err = closing
		}
	}()
	for i := range before {
		if _, err := results.Exec(); musts[i] && isDivisionByZero(err) {
			return errRowChanged
		} else if err != nil {
			return err
		}
	}
	if read == nil {
		_, err := results.Exec()
		return err
	}
	return read(results)
}

// isDivisionByZero says that no row was changed by a statement that must change one.
func isDivisionByZero(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == "22012" // division by zero
}

// outcome marks the error of a connection that broke. Whether what was sent took effect is then unknown.
func (l *postgresConn) outcome(err error) error {
	local := l.localOnly.Swap(false)
	if err != nil && l.conn.IsClosed() {
		return connError{err}
	}
	l.lastUsed = time.Now()
	if err == nil && local {
		return errNotReplicated
	}
	return err
}

// onNotice listens for the warning of a server that has given up waiting for its standby. It calls that no error: what was sent is
// committed, and lost if the standby takes over. The words of the warning may be in any language.
func (l *postgresConn) onNotice(_ *pgconn.PgConn, n *pgconn.Notice) {
	if n.Routine == "SyncRepWaitForLSN" {
		l.localOnly.Store(true)
	}
}

var errNotReplicated = errors.New("the server committed on its own disk only: no standby has confirmed it")

func (l *postgresConn) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return l.conn.Close(ctx)
}
