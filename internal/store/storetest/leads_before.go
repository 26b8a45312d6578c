package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// leadsBefore counts leads by the time of their creation.
func (c Contract) leadsBefore(t *testing.T) {
	s := c.store(t)
	times := make([]time.Time, 12) // midnight to eleven
	for i := range times {
		times[i] = Noon.Add(time.Duration(i-12) * time.Hour)
	}
	before := func(what string, want ...int64) {
		t.Helper()
		got, err := s.LeadsBefore(t.Context(), times...)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	before("no lead", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
	for hour, leads := range []int{2: 3, 4: 1, 5: 9, 9: 40} {
		for i := range leads {
			l := Lead(fmt.Sprintf("lead_%d_%d", hour, i))
			l.CreatedAt = times[hour].Add(time.Duration(i) * time.Second)
			Save(t, s, l)
		}
	}
	before("leads of some hours", 0, 0, 0, 3, 3, 4, 13, 13, 13, 13, 53, 53)
	if got, err := s.LeadsBefore(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("of no time: %v, %v", got, err)
	}
}
