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

// fewSeeds is how many are tried on PostgreSQL beside all other tests: a seed takes thirty times as long there. make model
// tries some hundreds.
const fewSeeds = 20

// TestModelOnPostgreSQL is TestModel, with the same stories and the same checks, on a server. There each process has a
// store of its own, and one that dies loses its connections in the middle of whatever it does.
func TestModelOnPostgreSQL(t *testing.T) {
	server := postgres.Shared(t)
	play(t, fewSeeds, func(t *testing.T) *ground { return openPostgres(t, server.Database(t)) })
}

func openPostgres(t *testing.T, database string) *ground {
	t.Helper()
	raw := openRaw(t, "pgx", database)
	g := &ground{st: keyed(storetest.Open(t, database)), raw: raw, houses: &houses{database: database, raw: raw, living: make(map[*store.Store]string)}}
	g.wipe = wipe + `SELECT setval(pg_get_serial_sequence('leads', 'seq'), 1, false), setval(pg_get_serial_sequence('history', 'seq'), 1, false)`
	g.prepare(t, raw, `SELECT CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS text) AS bigint)`)
	t.Cleanup(func() {
		for st := range g.houses.living {
			st.Close()
		}
	})
	return g
}

// houses are the stores of processes that have one each. The server knows the connections of each by a name.
type houses struct {
	database string
	raw      *sql.DB
	living   map[*store.Store]string
	vacant   []*store.Store // left to the next processes: to open one takes longer than many a story
	opened   int
}

// leave has the next processes get the stores of these.
func (h *houses) leave(all []*process) {
	for _, p := range all {
		h.vacant = append(h.vacant, p.st)
	}
}

// moveIn gives a process a store. It must find out whether there is any other process.
func (h *houses) moveIn(w *world) *store.Store {
	if last := len(h.vacant) - 1; last >= 0 {
		st := h.vacant[last]
		h.vacant = h.vacant[:last]
		return st
	}
	h.opened++
	name := fmt.Sprint("process ", h.opened)
	st, err := store.Open(w.t.Context(), h.database+"?application_name="+strings.ReplaceAll(name, " ", "%20"), slog.New(slog.DiscardHandler))
	w.must(err)
	keyed(st)
	alone, err := st.OnlyInstance(w.t.Context())
	if w.must(err); alone != (len(h.living) == 0) {
		w.t.Fatalf("a process starts beside %d others, and finds that it is alone: %v", len(h.living), alone)
	}
	h.living[st] = name
	return st
}

// cut ends the connections of a process, as its death does, and waits until the server has noticed.
func (h *houses) cut(st *store.Store) error {
	const theirs = `FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1`
	_, err := h.raw.Exec(`SELECT pg_terminate_backend(pid) `+theirs, h.living[st])
	for left := 1; err == nil && left > 0; { // its own way to wait looks ten times in a second
		err = h.raw.QueryRow(`SELECT count(*) `+theirs, h.living[st]).Scan(&left)
	}
	return err
}

// moveOut ends a process in the middle of what it does. What is left of its store finds no connection to end it with; had
// it opened new ones, they go as well.
func (h *houses) moveOut(w *world, st *store.Store) {
	w.must(h.cut(st))
	_ = st.Close()
	w.must(h.cut(st))
	delete(h.living, st)
}

// moveAllOut ends all processes, but for those that left their stores to others.
func (h *houses) moveAllOut(w *world) {
	for st := range h.living {
		if !slices.Contains(h.vacant, st) {
			h.moveOut(w, st)
		}
	}
}

// refreshStores has all processes hear of what an operator did: they do within a second.
func (w *world) refreshStores() {
	if w.houses == nil {
		return
	}
	for st := range w.houses.living {
		w.must(st.Refresh(w.t.Context()))
	}
}
