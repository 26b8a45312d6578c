package store

import (
	"context"
	"errors"
	"time"

	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// work is what a request asks a writer to do: one of these.
type work struct {
	do   func(*Tx) error
	save *save // saves a lead: one statement saves many
}

// request is work in a queue.
type request = commit.Request[work]

// writer is a connection and what it does with a group of requests. It is the target of a writer of package commit.
type writer struct {
	store  *Store
	role   db.Role
	tx     *Tx
	saves  []*save // leads of the current group, saved together at the end
	rows   [][]any // their rows
	commit func(group []*request) (newest string, err error)
}

func (s *Store) newWriter(ctx context.Context, r db.Role) (*writer, error) {
	w := &writer{store: s, role: r, tx: newTx(nil)}
	if w.commit = w.commitEach; r == db.RoleSave {
		w.commit = w.commitSaves
	}
	return w, w.connect(ctx)
}

// Commit runs a group in one transaction, and remembers the id of the newest committed lead.
func (w *writer) Commit(group []*request) error {
	newest, err := w.commit(group)
	if err == nil && newest != "" {
		w.store.lastCommitted.Store(&newest)
	}
	return err
}

func (w *writer) Rollback() { w.tx.conn.Rollback() }

func (w *writer) Classify(err error) (storageFailure, reopen bool) {
	return w.store.engine.Classify(err)
}

// commitEach runs the work of all requests of a group in one transaction: BEGIN, each request, COMMIT. database/sql and its BeginTx
// are not used to write.
func (w *writer) commitEach(group []*request) (newest string, err error) {
	c := w.tx.conn
	if group[0].Kind == commit.Urgent {
		c.SetDeadline(time.Now().Add(db.UrgentTimeout))
		defer c.SetDeadline(time.Time{})
	}
	clear(w.tx.healths)
	err = db.InTx(c, func() (err error) { newest, err = w.runEach(group); return err })
	return newest, err
}

// runEach runs the work of a group. It skips requests whose context is canceled: their callers would not learn of the commit.
// Leads depend on nothing but their idempotency keys, so they are saved together at the end.
func (w *writer) runEach(group []*request) (newest string, err error) {
	w.saves = w.saves[:0]
	for _, req := range group {
		if req.Err = req.Ctx.Err(); req.Err != nil {
			continue
		}
		if err := w.run(req); err != nil {
			return "", err
		}
	}
	return w.saveLeads(w.saves)
}

// run does the work of one request. A lead is left to saveLeads.
func (w *writer) run(req *request) error {
	if lead := req.Work.save; lead != nil {
		isNew, err := lead.replay(w.tx)
		if isNew {
			w.saves = append(w.saves, lead)
		}
		return err
	}
	w.tx.startRequest()
	if req.Kind == commit.Background {
		began := time.Now()
		defer func() { req.Took = time.Since(began) }()
	}
	return req.Work.do(w.tx)
}

// Reopen replaces the connection. A failed fsync leaves no connection to a file trustworthy, so all are closed first; reads switch
// to new connections even if the check fails, because reading does not need a disk that accepts writes.
func (w *writer) Reopen(ctx context.Context) error {
	s := w.store
	if s.engine.IsServer() { // the read pool recovers by itself
		_ = w.tx.conn.Close() // the connection is broken, so this returns an error
		if err := w.connect(ctx); err != nil {
			return err
		}
		return w.checkLastCommitted()
	}
	if err := errors.Join(s.readPool.Load().Close(), w.tx.conn.Close()); err != nil {
		s.log.Warn("could not close the database before reopening it", "cause", err)
	}
	if err := s.engine.ReleaseInstance(); err != nil {
		s.log.Warn("could not release the instance lock", "cause", err)
	}
	if err := w.connect(ctx); err != nil {
		return err
	}
	readers, err := openReadPool(ctx, s.engine)
	if err != nil {
		return errors.Join(err, w.tx.conn.Close())
	}
	if s.instance.Load() {
		if _, err := s.engine.AcquireInstance(); err != nil {
			s.log.Warn("could not acquire the instance lock again", "cause", err)
		}
	}
	defer s.readPool.Store(readers)
	if err := w.check(ctx); err != nil {
		return err
	}
	return w.checkLastCommitted()
}

func (w *writer) connect(ctx context.Context) error {
	c, err := w.store.engine.Write(ctx, w.role)
	if err == nil {
		w.tx.conn = c
	}
	return err
}

// check looks for damage as long as the timeout allows.
func (w *writer) check(ctx context.Context) error {
	all, err := w.tx.conn.Check(ctx)
	if err == nil && !all {
		w.store.log.Warn("the database is too large for a full check; run foyer db check", "looked_for", db.CheckTimeout.String())
	}
	return err
}

// checkLastCommitted looks for the newest lead that was acknowledged. If a server took over that never received it, the operator
// must know, and the service continues. A file that lacks it must not be used.
func (w *writer) checkLastCommitted() error {
	id := w.store.lastCommitted.Load()
	if id == nil {
		return nil
	}
	_, found, err := one(w.tx, db.FirstInt, byLeadID, *id)
	switch {
	case err != nil || found:
		return err
	case w.store.engine.IsServer():
		w.store.log.Error("the newest acknowledged lead is not on this server: leads were lost when another server took over")
		return nil
	}
	return errors.New("the newest acknowledged lead is missing after reopening")
}

// Probe writes a row, to prove that the database accepts writes. It refuses a database that was moved while this process could not
// reach it.
func (w *writer) Probe() error {
	note, _, err := one(w.tx, db.FirstText, migrations.MoveQuery)
	if err := errors.Join(err, migrations.ParseMove(note).Err()); err != nil {
		return err
	}
	_, err = w.commitEach([]*request{{Ctx: context.Background(), Work: work{do: func(tx *Tx) error { return bump(tx, "probe") }}}})
	return err
}
