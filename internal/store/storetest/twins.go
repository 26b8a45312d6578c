package storetest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/buyer"
	"foyer/internal/store"
)

func (c Contract) errandTwins(t *testing.T) {
	s := c.store(t)
	for _, c := range []struct {
		what  string
		print string
		seq   int64
		at    time.Time
		want  bool
	}{
		{"the first", "a", 1, Noon, false},
		{"the first again", "a", 1, Noon, false},
		{"a second of the same person", "a", 2, Noon.Add(time.Hour), true},
		{"somebody else's", "b", 3, Noon.Add(time.Hour), false},
		{"a later one is no earlier one", "a", 1, Noon, false},
		{"a window after the second", "a", 4, Noon.Add(time.Hour + buyer.TwinWindow), false},
	} {
		turn(t, s, func(p *store.Page) error {
			got, err := p.Twin(c.print, c.seq, c.at, c.at.Add(-buyer.TwinWindow))
			if got != c.want {
				t.Errorf("%s: a twin: %v, want %v", c.what, got, c.want)
			}
			return err
		})
	}
}

// errandOwners lists who accepted a lead for the same work, each once, as long as it matters.
func (c Contract) errandOwners(t *testing.T) {
	s := c.store(t)
	turn(t, s, func(p *store.Page) error {
		return errors.Join(p.Sold("a", "buyer_1", Noon), p.Sold("a", "buyer_1", Noon.Add(time.Hour)), p.Sold("a", "buyer_2", Noon), p.Sold("b", "buyer_3", Noon))
	})
	for since, want := range map[time.Duration][]string{-time.Second: {"buyer_1", "buyer_2"}, 0: {"buyer_1"}, time.Hour: nil} {
		turn(t, s, func(p *store.Page) error {
			got, err := p.Owners("a", Noon.Add(since))
			if slices.Sort(got); !cmp.Equal(got, want) {
				t.Errorf("since %v: %v, want %v", since, got, want)
			}
			return err
		})
	}
}
