package store_test

import (
	"context"
	"strings"
	"testing"

	"foyer/internal/lead"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// partialCopy copies until it was told a number of times how far it is, and says how often that was.
func partialCopy(t *testing.T, from, to string, steps int) (told int, done bool) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	_, err := store.CopyTo(ctx, from, to, func(store.Copying) {
		if told++; told == steps {
			stop()
		}
	})
	if err == nil || ctx.Err() == nil {
		if err != nil {
			t.Fatal(err)
		}
		return told, true
	}
	return told, false
}

// Wherever a copy stops, no service starts on it, and the same command goes on.
func TestStoppedCopyResumes(t *testing.T) {
	store.CopyAtOnce(t, 5)
	betweenEngines(t, 30, func(t *testing.T, from, to string) {
		stops := 0
		for steps := 1; ; steps += 2 {
			if _, done := partialCopy(t, from, to, steps); done {
				break
			}
			stops++
			if s, err := store.Open(t.Context(), to, discard); err == nil || !strings.Contains(err.Error(), "not finished") {
				if err == nil {
					s.Close()
				}
				t.Fatalf("after %d steps a service starts on half a copy (%v)", steps, err)
			}
		}
		if stops < 5 {
			t.Errorf("it was stopped %d times only", stops)
		}
		wantSame(t, from, to)
		wantNoFindings(t, to)
	})
}

// However soon a copy is stopped each time, it has come further.
func TestRepeatedlyStoppedCopyMakesProgress(t *testing.T) {
	store.CopyAtOnce(t, 5)
	betweenEngines(t, 30, func(t *testing.T, from, to string) {
		all := len(store.Rows(t, store.Raw(t, from), "leads"))
		for there, last := 0, -1; there < all-5; {
			partialCopy(t, from, to, 2)
			if there = len(store.Rows(t, store.Raw(t, to), "leads")); there <= last {
				t.Fatalf("there were %d leads, and then %d of %d", last, there, all)
			}
			last = there
		}
		mustCopy(t, from, to)
		wantSame(t, from, to)
	})
}

// What is there already is not written again.
func TestResumedCopyKeepsCopiedRows(t *testing.T) {
	store.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		partialCopy(t, from, to, 4)
		before := len(store.Rows(t, store.Raw(t, to), "leads"))
		done := mustCopy(t, from, to)
		if before < 10 || done[0].Table != "leads" || done[0].Written != done[0].Rows-int64(before) {
			t.Errorf("%d leads were there, and then %+v", before, done[0])
		}
	})
}

// A service may run on the source between a copy that was stopped and the next one.
func TestSourceMayChangeBetweenCopyRuns(t *testing.T) {
	store.CopyAtOnce(t, 5)
	betweenEngines(t, 40, func(t *testing.T, from, to string) {
		for steps := 1; ; steps += 5 {
			_, done := partialCopy(t, from, to, steps)
			if done {
				break
			}
			for _, change := range []string{
				`UPDATE leads SET status = 'rejected' WHERE seq = (SELECT min(seq) FROM leads WHERE status = 'collected')`,
				`DELETE FROM idempotency_keys WHERE key_hash = (SELECT min(key_hash) FROM idempotency_keys)`,
				`UPDATE idempotency_keys SET request_hash = 'other' WHERE key_hash = (SELECT max(key_hash) FROM idempotency_keys)`,
				`INSERT INTO prints (print, lead_seq, at) SELECT 'a' || count(*), 1, 1 FROM prints`,
			} {
				mustExec(t, from, change)
			}
			withStore(t, from, func(s *store.Store) {
				storetest.Save(t, s, consentedLead("lead_between"+strings.Repeat("x", steps), lead.Collected))
			})
		}
		wantSame(t, from, to)
	})
}
