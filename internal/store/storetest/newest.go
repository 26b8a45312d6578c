package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foyer/internal/lead"
	"foyer/internal/store"
)

// kept lists the statuses that a stored lead can have.
var kept = []lead.Status{lead.Received, lead.Forwarded, lead.Collected, lead.CallToConnect, lead.Rejected, lead.Errored}

func (c Contract) newest(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	want := make(map[lead.Status][]string)
	for i := range 5 * len(kept) {
		l := Lead(fmt.Sprintf("lead_%02d", i))
		l.Status = kept[i%len(kept)]
		Save(t, s, l)
		want[l.Status] = append([]string{l.ID}, want[l.Status]...)
	}
	for _, status := range kept {
		t.Run(string(status), func(t *testing.T) {
			listed(t, r, status, 3, want[status][:3])
			listed(t, r, status, 50, want[status])
		})
	}
	t.Run("dry runs are not listed", func(t *testing.T) { listed(t, r, lead.Validated, 50, []string{}) })
	t.Run("an unknown status has no leads", func(t *testing.T) { listed(t, r, "nowhere", 50, []string{}) })
	t.Run("a lead that changes its status moves to the other list", func(t *testing.T) {
		moved := want[lead.Received][1]
		update(t, s, func(tx *store.Tx) error {
			seq, err := tx.LeadOf(moved)
			if err != nil {
				return err
			}
			if err := tx.EndDelivery(seq); err != nil {
				return err
			}
			return tx.Change(seq, lead.Received, lead.Change{At: Noon, Status: lead.Forwarded, Actor: lead.ByService})
		})
		listed(t, r, lead.Received, 50, slices.DeleteFunc(slices.Clone(want[lead.Received]), func(id string) bool { return id == moved }))
		all := append(slices.Clone(want[lead.Forwarded]), moved)
		slices.SortFunc(all, func(a, b string) int { return strings.Compare(b, a) })
		listed(t, r, lead.Forwarded, 50, all)
	})
}

func listed(t *testing.T, r Reader, status lead.Status, limit int, want []string) {
	t.Helper()
	list, err := r.Newest(t.Context(), limit, status)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, ids(list)); diff != "" {
		t.Errorf("the newest %d that are %s differ (-want +got):\n%s", limit, status, diff)
	}
	for _, l := range list {
		if l.Status != status {
			t.Errorf("%s is %s", l.ID, l.Status)
		}
	}
}
