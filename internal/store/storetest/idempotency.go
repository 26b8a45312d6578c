package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/store"
)

func (c Contract) idempotencyKeys(t *testing.T) {
	t.Run("a key is saved with its lead and found again", c.keyUsedTwice)
	t.Run("an expired key is free again", c.keyExpired)
	t.Run("deleted keys are free again", c.oldKeysDeleted)
	t.Run("a lead that fails leaves no key", c.keyOfFailedLead)
	t.Run("of many concurrent requests, one is saved", c.concurrentKeys)
}

// saveWithKey saves a lead with an idempotency key, and returns the earlier answer for the key, or "".
func saveWithKey(t *testing.T, s *store.Store, id string, key *lead.Idempotency, at time.Time) string {
	t.Helper()
	l := Lead(id)
	l.CreatedAt = at
	earlier, err := s.SaveLead(t.Context(), &l, key, at.Add(-24*time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if earlier == nil {
		return ""
	}
	return string(earlier.Answer)
}

func (c Contract) keyUsedTwice(t *testing.T) {
	s := c.store(t)
	first := IdempotencyKey("key", "request", `{"answer":"é👍"}`)
	if earlier := saveWithKey(t, s, "lead_first", first, Noon); earlier != "" {
		t.Fatalf("an unused key had the answer %s", earlier)
	}
	l := Lead("lead_second")
	earlier, err := s.SaveLead(t.Context(), &l, IdempotencyKey("key", "another request", "another answer"), Noon.Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, earlier); diff != "" {
		t.Errorf("the earlier answer differs:\n%s", diff)
	}
	if !HasLead(t, s, "lead_first") || HasLead(t, s, "lead_second") {
		t.Error("want the first lead and no second one")
	}
	if earlier := saveWithKey(t, s, "lead_third", IdempotencyKey("another key", "request", "x"), Noon); earlier != "" {
		t.Errorf("another key had the answer %s", earlier)
	}
}

func (c Contract) keyExpired(t *testing.T) {
	s := c.store(t)
	saveWithKey(t, s, "lead_first", IdempotencyKey("key", "r", "first"), Noon)
	if earlier := saveWithKey(t, s, "lead_early", IdempotencyKey("key", "r", "early"), Noon.Add(24*time.Hour-time.Microsecond)); earlier != "first" {
		t.Errorf("a microsecond before it expires, the key's answer is %q", earlier)
	}
	if earlier := saveWithKey(t, s, "lead_late", IdempotencyKey("key", "r", "late"), Noon.Add(24*time.Hour)); earlier != "" {
		t.Errorf("the expired key still had the answer %q", earlier)
	}
	if earlier := saveWithKey(t, s, "lead_later", IdempotencyKey("key", "r", "later"), Noon.Add(25*time.Hour)); earlier != "late" {
		t.Errorf("the key that was used again has the answer %q, want that of its new use", earlier)
	}
}

func (c Contract) oldKeysDeleted(t *testing.T) {
	s := c.store(t)
	saveWithKey(t, s, "lead_old", IdempotencyKey("old", "r", "old"), Noon)
	saveWithKey(t, s, "lead_new", IdempotencyKey("new", "r", "new"), Noon.Add(time.Microsecond))
	if err := Job(t, s).DeleteOld(t.Context(), store.IdempotencyKeys, Noon.Add(time.Microsecond)); err != nil {
		t.Fatal(err)
	}
	// Both keys are used again at the same time, so that only the deletion can make a difference.
	if earlier := saveWithKey(t, s, "lead_old_again", IdempotencyKey("old", "r", "x"), Noon.Add(time.Second)); earlier != "" {
		t.Errorf("the deleted key still had the answer %q", earlier)
	}
	if earlier := saveWithKey(t, s, "lead_new_again", IdempotencyKey("new", "r", "x"), Noon.Add(time.Second)); earlier != "new" {
		t.Errorf("the younger key has the answer %q, want its own", earlier)
	}
	if !HasLead(t, s, "lead_old") {
		t.Error("deleting a key lost its lead")
	}
}

func (c Contract) keyOfFailedLead(t *testing.T) {
	s := c.store(t)
	Save(t, s, Lead("lead_taken"))
	if _, err := s.SaveLead(t.Context(), new(Lead("lead_taken")), IdempotencyKey("key", "r", "never given"), Noon.Add(-time.Hour)); err == nil {
		t.Fatal("a taken id was accepted")
	}
	if earlier := saveWithKey(t, s, "lead_free", IdempotencyKey("key", "r", "first"), Noon); earlier != "" {
		t.Errorf("the key of a lead that was not kept has the answer %q", earlier)
	}
}

func (c Contract) concurrentKeys(t *testing.T) {
	s := c.store(t)
	const requests = 20
	var all sync.WaitGroup
	answers := make([]string, requests)
	for i := range requests {
		all.Go(func() {
			answer := fmt.Sprint("answer ", i)
			earlier, err := s.SaveLead(t.Context(), new(Lead(fmt.Sprint("lead_", i))), IdempotencyKey("key", "r", answer), Noon.Add(-time.Hour))
			switch {
			case err != nil:
				t.Error(err)
			case earlier == nil:
				answers[i] = answer
			default:
				answers[i] = string(earlier.Answer)
			}
		})
	}
	all.Wait()
	kept := 0
	for i, answer := range answers {
		if HasLead(t, s, fmt.Sprint("lead_", i)) {
			kept++
		}
		if answer != answers[0] {
			t.Errorf("request %d was answered %q, request 0 %q", i, answer, answers[0])
		}
	}
	if kept != 1 {
		t.Errorf("%d leads were kept, want 1", kept)
	}
}
