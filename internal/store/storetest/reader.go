package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
)

func (c Contract) reader(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	t.Run("an empty database has no newest leads", func(t *testing.T) {
		if list, err := r.Newest(t.Context(), 10); err != nil || len(list) != 0 {
			t.Errorf("got %v, %v", list, err)
		}
	})
	for i := range 5 {
		l := Lead(fmt.Sprint("lead_", i))
		l.CreatedAt = Noon.Add(-time.Duration(i) * time.Hour) // a clock that runs backward does not change the order
		Save(t, s, l)
	}
	t.Run("the newest come first", func(t *testing.T) {
		for limit, want := range map[int][]string{
			2:  {"lead_4", "lead_3"},
			50: {"lead_4", "lead_3", "lead_2", "lead_1", "lead_0"},
		} {
			list, err := r.Newest(t.Context(), limit)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, ids(list)); diff != "" {
				t.Errorf("the newest %d differ (-want +got):\n%s", limit, diff)
			}
		}
	})
	t.Run("a lead looks the same as through the store", func(t *testing.T) {
		want := FullLead("lead_full")
		Save(t, s, want)
		got, err := r.Lead(t.Context(), want.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what the reader finds differs:\n%s", diff)
		}
	})
	t.Run("an unknown id is not found", func(t *testing.T) {
		if _, err := r.Lead(t.Context(), "lead_unknown"); KindOf(err) != lead.NotFound {
			t.Errorf("got %v, want kind %s", err, lead.NotFound)
		}
	})
}

func ids(list []lead.Lead) []string {
	out := make([]string, len(list))
	for i, l := range list {
		out[i] = l.ID
	}
	return out
}
