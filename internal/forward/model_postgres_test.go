package forward_test

import (
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// postgresSeeds is how many seeds run on PostgreSQL with all other tests: a seed takes several times as long there. make model
// runs a thousand.
const postgresSeeds = 20

// TestModelOnPostgreSQL is TestModel, with the same actions and the same checks, on a server. There each process has its own
// store, and one that dies loses the connection of the transaction it is in.
func TestModelOnPostgreSQL(t *testing.T) {
	server := postgres.Shared(t)
	runModel(t, postgresSeeds, 3, func(t *testing.T) *backend { // two would leave a core of a small machine idle while they wait
		return openPostgres(t, overSocket(t, server.Database(t)))
	})
}

// overSocket returns the address of a database by its Unix socket, over which a round trip costs less than over TCP.
func overSocket(t *testing.T, database string) string {
	t.Helper()
	address, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	var folder string
	raw := openRaw(t, "pgx", database)
	if err := raw.QueryRow(`SHOW unix_socket_directories`).Scan(&folder); err != nil {
		t.Fatal(err)
	}
	address.RawQuery = url.Values{"host": {folder}, "port": {address.Port()}}.Encode()
	address.Host = ""
	return address.String()
}

func openPostgres(t *testing.T, database string) *backend {
	t.Helper()
	raw := openRaw(t, "pgx", database)
	g := &backend{st: storetest.Open(t, database), raw: raw, stores: &processStores{
		database: database, raw: raw, open: make(map[*store.Store]string), cut: make(map[*store.Store]bool), serving: make(map[*store.Store]bool),
	}}
	g.wipe = wipe + `SELECT setval(pg_get_serial_sequence('leads', 'seq'), 1, false), setval(pg_get_serial_sequence('history', 'seq'), 1, false)`
	g.prepare(t, raw, `CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)`, ``)
	t.Cleanup(func() {
		for st := range g.stores.open {
			st.Close()
		}
	})
	return g
}

// processStores are the stores of processes that have one each. application_name identifies the connections of each.
//
// A store has ten connections, and a server needs longer to open them than for most stories. So a process that dies leaves its store
// to a later one: the server ends the connection that was in a transaction, and idle ones would leave nothing behind, except for the
// one that holds the lock by which a process shows that it is running. That one ends where all processes do, see endAll.
type processStores struct {
	database string
	raw      *sql.DB
	open     map[*store.Store]string
	spare    []*store.Store        // left to the next processes, the first one first
	cut      map[*store.Store]bool // a connection was ended in a transaction: the store has to recover
	serving  map[*store.Store]bool // it holds the lock of a running process
	fresh    bool                  // the next process opens a store
	opened   int
}

// enoughStores is how many stores are open before a process waits for one that recovers: two are in use.
const enoughStores = 4

// keep leaves a store to the next processes.
func (h *processStores) keep(st *store.Store) { h.spare = append(h.spare, st) }

// keepAll leaves all stores to the next processes, except those that only a story with many sleeping processes needs.
func (h *processStores) keepAll(w *world) {
	for _, p := range w.processes {
		h.keep(p.st)
	}
	for st := range h.open {
		if len(h.spare) < enoughStores && !slices.Contains(h.spare, st) {
			h.keep(st)
		}
	}
}

// acquire gives a process a store.
func (h *processStores) acquire(w *world) *store.Store {
	var st *store.Store
	if len(h.spare) == 0 || h.fresh || h.cut[h.spare[0]] && len(h.open) < enoughStores {
		st, h.fresh = h.openStore(w), false
	} else {
		st, h.spare = h.spare[0], h.spare[1:]
		h.awaitRecovery(w, st)
		w.mustRead(func() error { return st.Refresh(w.t.Context()) })
	}
	h.serve(w, st)
	return st
}

// serve shows others that a process is running. The store must detect whether there is another one.
func (h *processStores) serve(w *world, st *store.Store) {
	if h.serving[st] {
		return
	}
	alone, err := st.AcquireInstance(w.t.Context())
	if w.must(err); alone != (len(h.serving) == 0) {
		w.t.Fatalf("a process starts beside %d others, and finds that it is alone: %v", len(h.serving), alone)
	}
	h.serving[st] = true
}

func (h *processStores) openStore(w *world) *store.Store {
	h.opened++
	name := fmt.Sprint("process ", h.opened)
	st, err := store.Open(w.t.Context(), h.database+"&application_name="+strings.ReplaceAll(name, " ", "%20"), slog.New(slog.DiscardHandler))
	w.must(err)
	h.open[st] = name
	return st
}

// awaitRecovery waits until a store has replaced the connection that was ended.
func (h *processStores) awaitRecovery(w *world, st *store.Store) {
	if !h.cut[st] {
		return
	}
	nothing := func(*store.Tx) error { return nil }
	for began := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		ctx := w.t.Context()
		err := errors.Join(st.Claim(ctx, nothing), st.Settle(ctx, store.Subject{}, nothing), st.Update(ctx, nothing))
		if err == nil {
			delete(h.cut, st)
			return
		}
		if time.Since(began) > 30*time.Second {
			w.t.Fatal(err)
		}
	}
}

// endTx ends the connection of a process that is in a transaction, as the death of the process does. If the transaction has sent
// nothing yet, every connection ends.
func (h *processStores) endTx(st *store.Store) error {
	h.cut[st] = true
	ended, err := h.terminate(`application_name = $1 AND state <> 'idle'`, h.open[st])
	if err == nil && ended == 0 {
		err = h.disconnect(st)
	}
	return err
}

// disconnect ends all connections of a process.
func (h *processStores) disconnect(st *store.Store) error {
	_, err := h.terminate(`application_name = $1`, h.open[st])
	return err
}

// terminate ends connections, and waits until the server has noticed.
func (h *processStores) terminate(which, name string) (ended int, err error) {
	var pids string
	err = h.raw.QueryRow(`SELECT COALESCE(string_agg(CAST(pid AS text), ',') FILTER (WHERE pg_terminate_backend(pid)), '')
		FROM pg_stat_activity WHERE datname = current_database() AND `+which, name).Scan(&pids)
	if err != nil || pids == "" {
		return 0, err
	}
	for left := 1; err == nil && left > 0; time.Sleep(time.Millisecond) { // the server's own wait polls only ten times a second
		err = h.raw.QueryRow(`SELECT count(*) FROM unnest(CAST(string_to_array($1, ',') AS int[])) AS ended (id), pg_stat_get_activity(ended.id)`, pids).Scan(&left)
	}
	return strings.Count(pids, ",") + 1, err
}

// kill ends a process in the middle of what it does, with all its connections. Closing its store finds no connection to close; if
// it opened new ones, they are ended too.
func (h *processStores) kill(w *world, st *store.Store) {
	w.must(h.disconnect(st))
	_ = st.Close()
	w.must(h.disconnect(st))
	delete(h.open, st)
	delete(h.cut, st)
	delete(h.serving, st)
}

// endAll ends the connections by which processes show that they are running. The first process to come back has a new store.
func (h *processStores) endAll(w *world) {
	_, err := h.terminate(`application_name LIKE $1 AND pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory')`, "process %")
	w.must(err)
	clear(h.serving)
	h.keepAll(w)
	h.spare = slices.DeleteFunc(h.spare, func(st *store.Store) bool { return st == w.processes[0].st })
	h.fresh = true
}

// killAll ends all processes, except those that left their stores to others.
func (h *processStores) killAll(w *world) {
	for st := range h.open {
		if !slices.Contains(h.spare, st) {
			h.kill(w, st)
		}
	}
}

// refreshStores makes all processes see what an operator did: otherwise that takes up to a second.
func (w *world) refreshStores() {
	if w.stores == nil {
		return
	}
	for st := range w.stores.open {
		if !slices.Contains(w.stores.spare, st) {
			w.mustRead(func() error { return st.Refresh(w.t.Context()) })
		}
	}
}
