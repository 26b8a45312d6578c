package storetest

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/store"
)

func (c Contract) keys(t *testing.T) {
	t.Run("they are registered unless others were meanwhile", c.registerKeys)
	t.Run("of several processes with keys of their own, one wins", c.registerTogether)
}

func (c Contract) registerKeys(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	for i, step := range []struct {
		known, ids []string
		done       bool
		want       []string
	}{
		{[]string{"a.1"}, []string{"b.1"}, false, nil},
		{nil, []string{"b.1", "a.1"}, true, []string{"a.1", "b.1"}},
		{nil, []string{"a.2"}, false, []string{"a.1", "b.1"}},
		{[]string{"a.1"}, []string{"a.1", "c.1"}, false, []string{"a.1", "b.1"}},
		{[]string{"b.1", "a.1"}, []string{"a.1", "b.1", "c.1"}, true, []string{"a.1", "b.1", "c.1"}},
		{[]string{"a.1", "b.1", "c.1"}, []string{"b.1", "d.1"}, true, []string{"b.1", "d.1"}},
	} {
		done, err := s.RegisterKeys(t.Context(), step.known, step.ids, Noon.Add(time.Duration(i)*time.Hour))
		if err != nil || done != step.done {
			t.Errorf("step %d: %v, %v", i, done, err)
		}
		if got, err := s.Keys(t.Context()); err != nil || !slices.Equal(got, step.want) {
			t.Errorf("step %d: the database has %v, %v", i, got, err)
		}
	}
	got, err := r.Keys(t.Context())
	want := []store.RegisteredKey{{ID: "b.1", Since: Noon.Add(time.Hour)}, {ID: "d.1", Since: Noon.Add(5 * time.Hour)}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v: one that stays keeps its time (-want +got):\n%s", err, diff)
	}
}

func (c Contract) registerTogether(t *testing.T) {
	stores := c.openSeveral(t)
	var all sync.WaitGroup
	var won atomic.Int64
	for i := range 12 {
		all.Go(func() {
			done, err := stores[i%processes].RegisterKeys(t.Context(), nil, []string{fmt.Sprint("a.", i), fmt.Sprint("b.", i)}, Noon)
			if err != nil {
				t.Error(err)
			}
			if done {
				won.Add(1)
			}
		})
	}
	all.Wait()
	if ids, err := stores[0].Keys(t.Context()); err != nil || won.Load() != 1 || len(ids) != 2 || ids[0][1:] != ids[1][1:] {
		t.Errorf("%d won, and the database has %v, %v", won.Load(), ids, err)
	}
}
