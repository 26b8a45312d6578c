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
	used    time.Time     // when it last worked
	timeout time.Duration // for one step
	end     time.Time     // when all steps have to be over; zero where nobody at a door waits for them
	opening string        // what every transaction begins with, after BEGIN
	pending *pgx.Batch
	musts   map[int]bool // which of them have to change one row
	local   atomic.Bool  // the server has said that it committed what was sent on its own disk only

	insertsPrepared *pgx.Conn // the connection that is ready to keep leads
	newLead         uint32    // the type of a lead there
	draft           []byte    // where leads are written before they are sent
}

// promise makes a commit wait for the disk where the server was told not to: a 202 is a promise.
const promise = `SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'`

func (l *postgresConn) setDeadline(end time.Time) { l.end = end }

// ctx bounds the next step.
func (l *postgresConn) ctx() (context.Context, context.CancelFunc) {
	end := time.Now().Add(l.timeout)
	if !l.end.IsZero() && l.end.Before(end) {
		end = l.end
	}
	return context.WithDeadline(context.Background(), end)
}

// rest is after how long a connection is looked at before it is used. No server is restarted in less.
const rest = 10 * time.Millisecond

// ready sees that the connection is there before anything is sent on it: a server that was restarted while nobody wrote
// has hung up, and nobody needs to hear of that.
func (l *postgresConn) ready() error {
	if time.Since(l.used) < rest && !l.conn.IsClosed() {
		return nil
	}
	ctx, cancel := l.ctx()
	defer cancel()
	if l.answers(ctx) {
		return nil
	}
	_ = l.close()
	conn, err := l.dial(ctx)
	if err == nil {
		l.conn = conn
	}
	return err
}

func (l *postgresConn) answers(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, l.timeout/4)
	defer cancel()
	return !l.conn.IsClosed() && l.conn.Ping(ctx) == nil
}

func (l *postgresConn) begin() error {
	if err := l.ready(); err != nil {
		return err
	}
	l.pending.Queue("BEGIN ISOLATION LEVEL READ COMMITTED") // a turn has to see what was done before it got its lock
	if !l.end.IsZero() && l.timeout > urgentTimeout {
		l.pending.Queue(hurriedServer)
	}
	if l.opening != "" {
		l.pending.Queue(l.opening)
	}
	return nil
}

// hurriedServer has the server give up before we do, where somebody at a door waits, so that what it did is known.
var hurriedServer = "SET LOCAL statement_timeout = " + milliseconds(urgentTimeout*7/8)

// commit ends the transaction. The server answers to the commit of one that failed before, whoever overlooked that, with a
// rollback, and calls it no error.
func (l *postgresConn) commit() error {
	return l.send("COMMIT", nil, func(r pgx.BatchResults) error {
		done, err := r.Exec()
		if err == nil && done.String() != "COMMIT" {
			err = errGivenUp
		}
		return err
	})
}

var errGivenUp = errors.New("the server gave the transaction up")

// rollbackTime is how long a server may take to give a transaction up.
const rollbackTime = 500 * time.Millisecond

// rollback gives up the transaction. A connection on which that fails is not used again.
func (l *postgresConn) rollback() {
	l.pending, l.musts = &pgx.Batch{}, nil
	if !l.conn.IsClosed() && l.conn.PgConn().TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.Background(), rollbackTime) // its own: the transaction's may be over
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
	if l.musts == nil {
		l.musts = make(map[int]bool)
	}
	l.musts[l.pending.Len()] = true
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
	batch, musts := l.pending, l.musts
	l.pending, l.musts = &pgx.Batch{}, nil
	before := batch.Len()
	batch.Queue(query, args...)
	ctx, cancel := l.ctx()
	defer cancel()
	return l.outcome(take(l.conn.SendBatch(ctx, batch), before, musts, read))
}

// take reads the results of what was pending, and has the last one read.
func take(results pgx.BatchResults, before int, musts map[int]bool, read func(pgx.BatchResults) error) (err error) {
	defer func() {
		if closing := results.Close(); err == nil {
			err = closing
		}
	}()
	for i := range before {
		if _, err := results.Exec(); musts[i] && divided(err) {
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

// divided says that no row was changed by a statement that must change one.
func divided(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == "22012" // division by zero
}

// outcome marks the error of a connection that broke. Whether what was sent took effect is then unknown.
func (l *postgresConn) outcome(err error) error {
	local := l.local.Swap(false)
	if err != nil && l.conn.IsClosed() {
		return errHungUp{err}
	}
	l.used = time.Now()
	if err == nil && local {
		return errLocal
	}
	return err
}

// onNotice listens for the warning of a server that has given up waiting for its standby. It calls that no error: what was sent is
// committed, and lost if the standby takes over. The words of the warning may be in any language.
func (l *postgresConn) onNotice(_ *pgconn.PgConn, n *pgconn.Notice) {
	if n.Routine == "SyncRepWaitForLSN" {
		l.local.Store(true)
	}
}

var errLocal = errors.New("the server committed on its own disk only: no standby has confirmed it")

func (l *postgresConn) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	return l.conn.Close(ctx)
}
