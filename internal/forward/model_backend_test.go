package forward_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"foyer/internal/buyer"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// backend is what all seeds share: opening a database for each would take longer than using it.
type backend struct {
	st     *store.Store // of the operator, and of all processes if they share one
	raw    *sql.DB      // reads the tables directly, and wipes them
	wipe   string
	stores *processStores // if each process has its own store, or nil
	queries
}

// openSQLite is a backend on which all processes share a store. A process that dies does not affect the store.
func openSQLite(t *testing.T) *backend {
	t.Helper()
	database := storetest.SQLite(t)
	raw := openRaw(t, "sqlite", "file:"+strings.TrimPrefix(database, "sqlite:")+"?_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)")
	g := &backend{st: storetest.Open(t, database), raw: raw, wipe: "BEGIN IMMEDIATE;" + wipe + "COMMIT"}
	g.prepare(t, raw, `0`, `PRAGMA data_version`)
	return g
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

const wipe = `
	DELETE FROM audit;
	DELETE FROM leads; DELETE FROM history; DELETE FROM new_leads; DELETE FROM deliveries; DELETE FROM offers; DELETE FROM attempts; DELETE FROM fingerprints; DELETE FROM sales;
	DELETE FROM buyers; DELETE FROM buyer_health; DELETE FROM offer_counts; DELETE FROM ledger; DELETE FROM returns; DELETE FROM statements; DELETE FROM suppressions; DELETE FROM privacy_requests; DELETE FROM withheld;
	UPDATE changes SET version = version + 1;
	`

// testStore is the store of a process as its forwarder sees it. A scan waits before each call, see awaitStep. The context is
// replaced, because that of a scan is always done.
type testStore struct {
	st           *store.Store
	beforeCommit func() error // returns the failure to inject before a commit
}

func (b testStore) Claim(ctx context.Context, do func(*store.Tx) error) error {
	return b.run(ctx, b.st.Claim, do)
}

// Settle does not wait for company in the commit: nothing else settles meanwhile, so that would only be a pause.
func (b testStore) Settle(ctx context.Context, about store.Subject, do func(*store.Tx) error) error {
	about.Patient = false
	return b.run(ctx, func(ctx context.Context, do func(*store.Tx) error) error { return b.st.Settle(ctx, about, do) }, do)
}

func (b testStore) Update(ctx context.Context, do func(*store.Tx) error) error {
	return b.run(ctx, b.st.Update, do)
}

func (b testStore) run(ctx context.Context, in func(context.Context, func(*store.Tx) error) error, do func(*store.Tx) error) error {
	if err := awaitStep(ctx); err != nil {
		return err
	}
	return in(context.Background(), func(tx *store.Tx) error {
		if err := do(tx); err != nil {
			return err
		}
		return b.beforeCommit()
	})
}

func (b testStore) Buyers(context.Context) ([]buyer.Buyer, int64, error) {
	return b.st.Buyers(context.Background())
}

func (b testStore) BuyersVersion(context.Context) (int64, error) {
	return b.st.BuyersVersion(context.Background())
}

func (b testStore) Pending(_ context.Context, now time.Time) (store.Pending, error) {
	return b.st.Pending(context.Background(), now)
}

func (b testStore) BuyersToWake(_ context.Context, now time.Time) ([]string, error) {
	return b.st.BuyersToWake(context.Background(), now)
}

func (b testStore) HeldPlaces(ctx context.Context, seq int64, limit int) ([]buyer.Held, error) {
	if err := awaitStep(ctx); err != nil {
		return nil, err
	}
	held, err := b.st.HeldPlaces(context.Background(), seq, heldPage)
	return padHeld(held, limit), err
}

func (b testStore) Waiting(ctx context.Context, queue string, now time.Time, most int) (int, error) {
	if err := awaitStep(ctx); err != nil {
		return 0, err
	}
	return b.st.Waiting(context.Background(), queue, now, most)
}

func (b testStore) RepeatsToCheck(_ context.Context, now time.Time, limit int) ([]int64, error) {
	return b.st.RepeatsToCheck(context.Background(), now, limit)
}

func (b testStore) Busy() bool { return b.st.Busy() }

// noPause is a context for scans of held leads: a scan pauses between two batches until its context is done, and this one
// always is, without an error.
type noPause struct{ context.Context }

var closedChan = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func (noPause) Done() <-chan struct{} { return closedChan }
func (noPause) Err() error            { return nil }

// instantStore is a store without messages in flight: the clock does not advance while an operator waits for them.
type instantStore struct{ *store.Store }

func (instantStore) Sending(context.Context, string, time.Time, time.Time) (int, error) {
	return 0, nil
}
