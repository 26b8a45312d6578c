package forward_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/forward"
	"foyer/internal/lead"
	"foyer/internal/operator"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// ground is what all seeds share: to open a database for each of them would take longer than to use it.
type ground struct {
	st     *store.Store // the operator's, and that of processes which share one
	raw    *sql.DB      // looks at the books, and wipes them
	wipe   string
	houses *houses // the stores of processes that have one each, or nil
	questions
}

// openSQLite is ground on which all processes share a store. A process that dies takes nothing of it along.
func openSQLite(t *testing.T) *ground {
	t.Helper()
	path := filepath.Join(inMemory(t), "foyer.db")
	raw := openRaw(t, "sqlite", "file:"+path+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)")
	g := &ground{st: keyed(storetest.Open(t, "sqlite:"+path)), raw: raw, wipe: "BEGIN IMMEDIATE;" + wipe + "COMMIT"}
	g.prepare(t, raw, `PRAGMA data_version`)
	return g
}

// keyed has a store know people by the key that the forwarders have.
func keyed(st *store.Store) *store.Store {
	st.Fingerprint = func(r lead.Request) string { return r.Fingerprint(fingerprints) }
	return st
}

func openRaw(t *testing.T, driver, address string) *sql.DB {
	t.Helper()
	raw, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	t.Cleanup(func() { raw.Close() })
	return raw
}

// inMemory is a folder in memory where there is one: no commit need wait for a disk here.
func inMemory(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("/dev/shm", "foyer-model-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

const wipe = `
	DELETE FROM leads; DELETE FROM history; DELETE FROM fresh; DELETE FROM deliveries; DELETE FROM offers; DELETE FROM attempts; DELETE FROM prints; DELETE FROM sold;
	DELETE FROM buyers; DELETE FROM standings; DELETE FROM cap_use; DELETE FROM suppressions; DELETE FROM withheld;
	UPDATE changes SET version = version + 1;
	`

// testStore lets a forwarder write in the store of its process. A walk waits before each call, see await. The context is
// replaced: that of a walk is always done.
type testStore struct {
	st   *store.Store
	fate func() error // what happens to the process before a commit
}

func (b testStore) Update(ctx context.Context, do func(forward.Tx) error) error {
	if err := await(ctx); err != nil {
		return err
	}
	return b.st.Update(context.Background(), func(p *store.Tx) error {
		if err := do(p); err != nil {
			return err
		}
		return b.fate()
	})
}

func (b testStore) Buyers(context.Context) ([]buyer.Buyer, int64, error) {
	return b.st.Buyers(context.Background())
}

func (b testStore) BuyersVersion(context.Context) (int64, error) {
	return b.st.BuyersVersion(context.Background())
}

func (b testStore) BuyerQueues(_ context.Context, now time.Time) ([]string, error) {
	return b.st.BuyerQueues(context.Background(), now)
}

func (b testStore) BuyersToWake(_ context.Context, now time.Time) ([]string, error) {
	return b.st.BuyersToWake(context.Background(), now)
}

func (b testStore) HeldAfter(ctx context.Context, seq int64, limit int) ([]buyer.Held, error) {
	if err := await(ctx); err != nil {
		return nil, err
	}
	held, err := b.st.HeldAfter(context.Background(), seq, page)
	return short(held, limit), err
}

func (b testStore) RepeatsToCheck(_ context.Context, now time.Time, limit int) ([]int64, error) {
	return b.st.RepeatsToCheck(context.Background(), now, limit)
}

// hurry is a context for walks through what is held: they take breath between two handfuls until their context is done,
// and this one always is, but nothing has ended.
type hurry struct{ context.Context }

var over = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (hurry) Done() <-chan struct{} { return over }
func (hurry) Err() error            { return nil }

// operatorStore lets the desk write in the store. It waits for nothing: what is under way here stays so until the model goes on.
type operatorStore struct{ *store.Store }

func (b operatorStore) Update(ctx context.Context, do func(operator.Tx) error) error {
	return b.Store.Update(ctx, func(p *store.Tx) error { return do(p) })
}

func (b operatorStore) View(ctx context.Context, do func(operator.Tx) error) error {
	return b.Store.View(ctx, func(p *store.Tx) error { return do(p) })
}

// instantStore are those of a world whose time stands still while an operator waits: nobody waits for what is under way.
type instantStore struct{ operatorStore }

func (instantStore) Sending(context.Context, string, time.Time, time.Time) (int, error) {
	return 0, nil
}
