package forward_test

import (
	"database/sql"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"foyer/internal/store"
	"foyer/internal/store/storetest"
	"foyer/test/postgres"
)

// postgresSeeds is how many seeds run on PostgreSQL with all other tests: a seed takes thirty times as long there. make model
// runs more.
const postgresSeeds = 20

// TestModelOnPostgreSQL is TestModel, with the same actions and the same checks, on a server. There each process has its own
// store, and one that dies loses its connections in the middle of whatever it does.
func TestModelOnPostgreSQL(t *testing.T) {
	server := postgres.Shared(t)
	runModel(t, postgresSeeds, func(t *testing.T) *backend { return openPostgres(t, server.Database(t)) })
}

func openPostgres(t *testing.T, database string) *backend {
	t.Helper()
	raw := openRaw(t, "pgx", database)
	g := &backend{st: storetest.Open(t, database), raw: raw, stores: &processStores{database: database, raw: raw, open: make(map[*store.Store]string)}}
	g.wipe = wipe + `SELECT setval(pg_get_serial_sequence('leads', 'seq'), 1, false), setval(pg_get_serial_sequence('history', 'seq'), 1, false)`
	g.prepare(t, raw, `SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)`)
	t.Cleanup(func() {
		for st := range g.stores.open {
			st.Close()
		}
	})
	return g
}

// processStores are the stores of processes that have one each. application_name identifies the connections of each.
type processStores struct {
	database string
	raw      *sql.DB
	open     map[*store.Store]string
	spare    []*store.Store // left to the next processes: opening one takes longer than many a seed
	opened   int
}

// keep leaves the stores of these processes to the next ones.
func (h *processStores) keep(all []*process) {
	for _, p := range all {
		h.spare = append(h.spare, p.st)
	}
}

// acquire gives a process a store. The store must detect whether there is another process.
func (h *processStores) acquire(w *world) *store.Store {
	if last := len(h.spare) - 1; last >= 0 {
		st := h.spare[last]
		h.spare = h.spare[:last]
		return st
	}
	h.opened++
	name := fmt.Sprint("process ", h.opened)
	st, err := store.Open(w.t.Context(), h.database+"?application_name="+strings.ReplaceAll(name, " ", "%20"), slog.New(slog.DiscardHandler))
	w.must(err)
	alone, err := st.OnlyInstance(w.t.Context())
	if w.must(err); alone != (len(h.open) == 0) {
		w.t.Fatalf("a process starts beside %d others, and finds that it is alone: %v", len(h.open), alone)
	}
	h.open[st] = name
	return st
}

// disconnect terminates the connections of a process, as its death does, and waits until the server has noticed.
func (h *processStores) disconnect(st *store.Store) error {
	const theirs = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`
	_, err := h.raw.Exec(`SELECT pg_terminate_backend(pid) `+theirs, h.open[st])
	for left := 1; err == nil && left > 0; { // the server's own wait polls only ten times a second
		err = h.raw.QueryRow(`SELECT count(*) `+theirs, h.open[st]).Scan(&left)
	}
	return err
}

// kill ends a process in the middle of what it does. Closing its store finds no connection to close; if it opened new ones,
// they are terminated too.
func (h *processStores) kill(w *world, st *store.Store) {
	w.must(h.disconnect(st))
	_ = st.Close()
	w.must(h.disconnect(st))
	delete(h.open, st)
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
		w.must(st.Refresh(w.t.Context()))
	}
}
