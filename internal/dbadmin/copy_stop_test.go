package dbadmin_test

import (
	"context"
	"strings"
	"testing"

	"foyer/internal/dbadmin"
	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/db"
	"foyer/internal/store/storetest"
)

// partialCopy copies until it was told a number of times how far it is, and says whether the copy was complete before.
func partialCopy(t *testing.T, from, to string, steps int) (done bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	told := 0
	_, err := dbadmin.CopyTo(ctx, from, to, func(db.Progress) {
		if told++; told == steps {
			stop()
		}
	})
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	return err == nil
}

// Wherever a copy stops, no service starts on it, and the same command starts again from the beginning, whatever happened to the
// source in between.
func TestStoppedCopyStartsAgain(t *testing.T) {
	dbadmin.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		stops := 0
		for steps := 1; !partialCopy(t, from, to, steps); steps += 3 {
			stops++
			if s, err := store.Open(t.Context(), to, storetest.NoLog); err == nil || !strings.Contains(err.Error(), "not finished") {
				if err == nil {
					s.Close()
				}
				t.Fatalf("after %d steps a service starts on half a copy (%v)", steps, err)
			}
			for _, change := range []string{
				`UPDATE leads SET status = 'rejected' WHERE seq = (SELECT min(seq) FROM leads WHERE status = 'collected')`,
				`DELETE FROM idempotency_keys WHERE key_hash = (SELECT min(key_hash) FROM idempotency_keys)`,
				`UPDATE idempotency_keys SET request_hash = 'other' WHERE key_hash = (SELECT max(key_hash) FROM idempotency_keys)`,
				`INSERT INTO fingerprints (fingerprint, lead_seq, at) SELECT 'a' || count(*), 1, 1 FROM fingerprints`,
			} {
				storetest.MustExec(t, from, change)
			}
			withStore(t, from, func(s *store.Store) {
				storetest.Save(t, s, consentedLead("lead_between"+strings.Repeat("x", steps), lead.Collected))
			})
		}
		if stops < 5 {
			t.Errorf("it was stopped %d times only", stops)
		}
		wantSame(t, from, to)
	})
}
