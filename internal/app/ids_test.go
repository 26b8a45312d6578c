package app

import (
	"regexp"
	"slices"
	"testing"
	"time"
)

// TestLeadIDs expects ids that sort by time, and whose random parts all differ.
func TestLeadIDs(t *testing.T) {
	form := regexp.MustCompile(`^lead_[0-9a-v]{9}[a-z2-7]{26}$`)
	seen := map[string]bool{}
	var ids []string
	for ms := range 2000 {
		id := newLeadID("lead_", time.UnixMilli(1_793_880_000_000+int64(ms)*17))
		if !form.MatchString(id) || seen[id[14:]] {
			t.Fatalf("got %s", id)
		}
		seen[id[14:]] = true
		ids = append(ids, id)
	}
	if id := newLeadID("lead_", time.Unix(0, 0)); !form.MatchString(id) { // a machine that does not know the time yet
		t.Errorf("got %s", id)
	}
	if !slices.IsSorted(ids) {
		t.Error("the ids do not sort by their time")
	}
}
