package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"foyer/internal/lead"
	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
	"foyer/internal/store/saves"
)

// work is what a request asks a writer to do: one of these.
type work struct {
	do   func(*Tx) error
	save *saves.Save // saves a lead: one statement saves many

	about *Subject // what do settles, if it does
}

// request is work in a queue.
type request = commit.Request[work]

// target is where a writer of package commit commits: a connection, and what it does with a group of requests.
type target struct {
	store  *Store
	role   db.Role
	tx     *Tx
	saves  []*saves.Save // leads of the current group, inserted together at the end
	commit func(group []*request) (newest string, err error)
}

func (s *Store) newTarget(ctx context.Context, r db.Role) (*target, error) {
	t := &target{store: s, role: r, tx: newTx(nil)}
	t.tx.queueStart = &s.queueStart
	t.tx.locks.Shared = r == db.RoleClaim || r == db.RoleSettle
	if t.commit = t.commitTogether; r == db.RoleSave {
		t.commit = t.commitSaves
	}
	return t, t.connect(ctx)
}

// Commit runs a group in one transaction, and remembers the id of the newest committed lead.
func (t *target) Commit(group []*request) error {
	newest, err := t.commit(group)
	if err == nil && newest != "" {
		t.store.lastCommitted.Store(&newest)
	}
	return err
}

func (t *target) Rollback() { t.tx.conn.Rollback() }

func (t *target) Classify(err error) (storageFailure, reopen bool) {
	return t.store.engine.Classify(err)
}

// commitTogether is the transaction of a group commit: BEGIN, the work of every request, COMMIT. db.InTx begins and commits it on the
// writer's own connection, so no BeginTx or tx.Commit of database/sql is used to write. New leads go in as one batch: saves.Insert.
func (t *target) commitTogether(group []*request) (newest string, err error) {
	c := t.tx.conn
	if group[0].Kind == commit.Urgent {
		c.SetDeadline(time.Now().Add(db.UrgentTimeout))
		defer c.SetDeadline(time.Time{})
	}
	t.tx.start()
	err = db.InTx(c, func() (err error) { newest, err = t.runAll(group); return err })
	return newest, err
}

// runAll runs the work of a group. It skips requests whose context is canceled: their callers would not learn of the commit.
// Leads depend on nothing but their idempotency keys, so they are saved together at the end.
func (t *target) runAll(group []*request) (newest string, err error) {
	t.saves = t.saves[:0]
	if t.role == db.RoleSettle {
		if err := t.tx.lockSubjects(group); err != nil {
			return "", err
		}
	}
	for _, req := range group {
		if req.Err = req.Ctx.Err(); req.Err != nil {
			continue
		}
		if err := t.run(req); err != nil {
			return "", err
		}
	}
	if err := t.tx.counts.Flush(t.tx.conn); err != nil {
		return "", err
	}
	return saves.Insert(t.tx.conn, t.saves)
}

// SaveLead saves a lead and, if the sender gave an idempotency key, that key with its answer, in one commit. If the key was used
// since the given time, SaveLead saves nothing and returns the earlier answer.
func (s *Store) SaveLead(ctx context.Context, l *lead.Lead, key *lead.Idempotency, since time.Time) (*lead.Idempotency, error) {
	sv := saves.New(l, key, since)
	if err := translateWrite(s.saves.Submit(ctx, work{save: sv}, commit.Timed)); err != nil {
		return nil, err // an earlier answer may come from the same group, of which nothing was committed
	}
	return sv.Earlier, nil
}

// IdempotentAnswer finds the answer for a key that was used since a time, or nil. While a writer is down, it refuses: the outcome
// of that writer's last commit is unknown, so a key that a read finds may be lost again: it may be on no other disk.
func (s *Store) IdempotentAnswer(ctx context.Context, key string, since time.Time) (*lead.Idempotency, error) {
	if s.saves.WritersDown() > 0 {
		return nil, errUnavailable(commit.ErrDown)
	}
	return read(ctx, s, func(tx *Tx) (*lead.Idempotency, error) { return saves.Answer(tx.conn, key, since) })
}

// commitSaves is commitTogether for the writers that only save leads, which PostgreSQL has: a single statement, without BEGIN and COMMIT,
// if no lead has an idempotency key.
func (t *target) commitSaves(group []*request) (newest string, err error) {
	unkeyed, keyed := make([]*saves.Save, 0, len(group)), []*saves.Save(nil)
	for _, req := range group {
		s := req.Work.save
		if req.Err = cmp.Or(req.Ctx.Err(), s.CheckText()); req.Err != nil {
			continue
		}
		if s.Earlier = nil; s.HasKey() {
			keyed = append(keyed, s)
		} else {
			unkeyed = append(unkeyed, s)
		}
	}
	t.tx.conn.SetDeadline(time.Now().Add(db.SaveTimeout)) // for all steps: a key takes three round trips, and each could be slow
	defer t.tx.conn.SetDeadline(time.Time{})
	if len(keyed) == 0 {
		return saves.Insert(t.tx.conn, unkeyed)
	}
	return saves.InsertKeyed(t.tx.conn, unkeyed, keyed)
}

// run does the work of one request. A lead is left to saves.Insert.
func (t *target) run(req *request) error {
	if save := req.Work.save; save != nil {
		isNew, err := save.UseKey(t.tx.conn)
		if isNew {
			t.saves = append(t.saves, save)
		}
		return err
	}
	t.tx.startRequest()
	if req.Kind.InBackground() {
		began := time.Now()
		defer func() { req.Took = time.Since(began) }()
	}
	return req.Work.do(t.tx)
}

// Reopen replaces the connection. A failed fsync leaves no connection to a file trustworthy, so all are closed first; reads switch
// to new connections even if the check fails, because reading does not need a disk that accepts writes.
func (t *target) Reopen(ctx context.Context) error {
	s := t.store
	if s.engine.IsServer() { // the read pool recovers by itself
		_ = t.tx.conn.Close() // the connection is broken, so this returns an error
		if err := t.connect(ctx); err != nil {
			return err
		}
		return t.checkLastCommitted()
	}
	if err := errors.Join(s.readPool.Load().Close(), t.tx.conn.Close()); err != nil {
		s.log.Warn("could not close the database before reopening it", "cause", err)
	}
	if err := s.engine.ReleaseInstance(); err != nil {
		s.log.Warn("could not release the instance lock", "cause", err)
	}
	if err := t.connect(ctx); err != nil {
		return err
	}
	readers, err := openReadPool(ctx, s.engine)
	if err != nil {
		return errors.Join(err, t.tx.conn.Close())
	}
	if s.instance.Load() {
		if _, err := s.engine.AcquireInstance(); err != nil {
			s.log.Warn("could not acquire the instance lock again", "cause", err)
		}
	}
	defer s.readPool.Store(readers)
	if err := t.check(ctx); err != nil {
		return err
	}
	return t.checkLastCommitted()
}

func (t *target) connect(ctx context.Context) error {
	c, err := t.store.engine.Write(ctx, t.role)
	if err == nil {
		t.tx.conn = c
	}
	return err
}

// check looks for damage as long as the timeout allows.
func (t *target) check(ctx context.Context) error {
	all, err := t.tx.conn.Check(ctx)
	if err == nil && !all {
		t.store.log.Warn("the database is too large for a full check; run foyer db check", "looked_for", db.CheckTimeout.String())
	}
	return err
}

// checkLastCommitted looks for the newest lead that was acknowledged. If a server took over that never received it, the operator
// must know, and the service continues. A file that lacks it must not be used.
func (t *target) checkLastCommitted() error {
	id := t.store.lastCommitted.Load()
	if id == nil {
		return nil
	}
	_, found, err := one(t.tx, db.FirstInt, `SELECT seq FROM leads WHERE id = $1`, *id)
	switch {
	case err != nil || found:
		return err
	case t.store.engine.IsServer():
		t.store.log.Error("the newest acknowledged lead is not on this server: leads were lost when another server took over")
		return nil
	}
	return errors.New("the newest acknowledged lead is missing after reopening")
}

// Probe writes a row, to prove that the database accepts writes. It refuses a database that was moved while this process could not
// reach it.
func (t *target) Probe() error {
	note, _, err := one(t.tx, db.FirstText, migrations.MoveQuery)
	if err := errors.Join(err, migrations.ParseMove(note).Err()); err != nil {
		return err
	}
	_, err = t.commitTogether([]*request{{Ctx: context.Background(), Work: work{do: func(tx *Tx) error { return bump(tx, "probe") }}}})
	return err
}
