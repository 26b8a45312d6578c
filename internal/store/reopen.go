package store

import (
	"context"
	"errors"

	"foyer/internal/store/db"
	"foyer/internal/store/migrations"
)

// Rollback ends the transaction that a panic left open.
func (t *target) Rollback() { t.tx.conn.Rollback() }

func (t *target) Classify(err error) (storageFailure, reopen bool) {
	return t.store.engine.Classify(err)
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
	readers, err := s.engine.Read()
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
		c.OnReconnect(t.checkLastCommitted)
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

// checkLastCommitted looks for the newest lead that was acknowledged, before another is saved. If a server took over that never
// received it, the operator must know, once, and the service continues. A file that lacks it must not be used.
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
		if !t.store.lastCommitted.CompareAndSwap(id, nil) { // another writer has said so, or a lead was saved meanwhile
			return nil
		}
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
