package store

import (
	"cmp"
	"context"
	"time"

	"foyer/internal/store/commit"
	"foyer/internal/store/db"
	"foyer/internal/store/saves"
)

// maxSaveWait is how long a lead may wait for the only writer of SQLite. Its client would soon give up, and send the lead again.
const maxSaveWait = 2 * time.Second

// assign gives a target to a writer for the queue of its role.
func (s *Store) assign(t *target) (start func()) {
	s.targets = append(s.targets, t)
	queue, o := &s.updates, commit.Options{}
	switch t.role {
	case db.RoleClaim:
		queue = &s.claims
	case db.RoleSettle:
		queue = &s.settlements
	case db.RoleAll:
		queue, o = &s.saves, commit.Options{MaxWait: maxSaveWait, Mixed: true}
	case db.RoleSave:
		queue, o = &s.saves, commit.Options{BySize: true, MaxWait: commit.Timeout - db.SaveTimeout}
	}
	if *queue == nil {
		*queue = commit.NewQueue[work](t.role.String(), s.log)
	}
	if t.role == db.RoleAll {
		s.claims, s.settlements, s.updates = s.saves, s.saves, s.saves
	}
	return (*queue).AddWriter(t, o)
}

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

// commitTogether commits a batch of leads, and what else waits with them, in one transaction (group commit): BEGIN, the work of every
// request, COMMIT. Writers that only save leads use commitSaves instead. db.InTx begins and commits it on the writer's own connection, as BeginTx and tx.Commit of database/sql would.
func (t *target) commitTogether(group []*request) (newest string, err error) {
	c := t.tx.conn
	if group[0].Kind == commit.Urgent {
		c.SetDeadline(time.Now().Add(db.UrgentTimeout))
		defer c.SetDeadline(time.Time{})
	}
	t.tx.start() // forgets what the forwarder read, locked and counted in the transaction before
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
	if err := t.tx.counts.Flush(t.tx.conn); err != nil { // counts of offers: a group of new leads has none
		return "", err
	}
	return saves.Insert(t.tx.conn, t.saves)
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
