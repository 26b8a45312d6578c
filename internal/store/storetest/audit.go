package storetest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"foyer/internal/audit"
	"foyer/internal/store"
)

func (c Contract) audit(t *testing.T) {
	t.Run("entries are listed newest first, by filters", c.auditListed)
	t.Run("an entry that is refused undoes the change, and a failed change leaves no entry", c.auditWithChange)
	t.Run("old entries are deleted", c.auditDeleted)
}

// Audit lists the audit trail of a database, newest first, without the entries for its keys.
func Audit(t *testing.T, database string) (list []audit.Entry) {
	t.Helper()
	all, err := OpenReader(t, database).Audit(t.Context(), store.AuditFilter{Limit: 1_000_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if !strings.HasPrefix(string(e.Action), "keys.") {
			list = append(list, e)
		}
	}
	return list
}

// auditEntry is an entry made some minutes after noon.
func auditEntry(minutes int, by audit.Actor, subject string) audit.Entry {
	return audit.Entry{At: Noon.Add(time.Duration(minutes) * time.Minute), Actor: by, Action: audit.BuyerPause, Subject: subject, Detail: audit.Detail{"n": float64(minutes), "text": "“é”"}}
}

func (c Contract) auditListed(t *testing.T) {
	database := c.NewDatabase(t)
	s, r := Open(t, database), OpenReader(t, database)
	ada, bob := audit.CLI("ada"), audit.CLI("bob")
	entries := []audit.Entry{auditEntry(0, ada, "buyer_1"), auditEntry(1, bob, "buyer_2"), auditEntry(2, ada, ""), auditEntry(3, audit.System, "buyer_1")}
	for _, e := range entries {
		update(t, s, func(tx *store.Tx) error { return tx.AddAudit(e) })
	}
	for _, tc := range []struct {
		filter store.AuditFilter
		want   []int
	}{
		{store.AuditFilter{Limit: 10}, []int{3, 2, 1, 0}},
		{store.AuditFilter{Limit: 2}, []int{3, 2}},
		{store.AuditFilter{Limit: 10, Since: Noon.Add(2 * time.Minute)}, []int{3, 2}},
		{store.AuditFilter{Limit: 10, Actor: ada}, []int{2, 0}},
		{store.AuditFilter{Limit: 10, Subject: "buyer_1"}, []int{3, 0}},
		{store.AuditFilter{Limit: 10, Actor: ada, Subject: "buyer_1", Since: Noon}, []int{0}},
		{store.AuditFilter{Limit: 10, Actor: "cli:nobody"}, nil},
	} {
		var want []audit.Entry
		for _, i := range tc.want {
			want = append(want, entries[i])
		}
		got, err := r.Audit(t.Context(), tc.filter)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(audit.Entry{}, "Seq")); err != nil || diff != "" {
			t.Errorf("%+v: %v (-want +got):\n%s", tc.filter, err, diff)
		}
	}
}

func (c Contract) auditWithChange(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	pause := func(e audit.Entry, then error) error {
		return s.Update(t.Context(), func(tx *store.Tx) error {
			if err := tx.PutBuyer(Buyer("buyer_1")); err != nil {
				return err
			}
			if err := tx.AddAudit(e); err != nil {
				return err
			}
			return then
		})
	}
	good := auditEntry(1, audit.System, "buyer_1")
	for what, spoil := range map[string]func(*audit.Entry){
		"no actor":                 func(e *audit.Entry) { e.Actor = "" },
		"an actor that is long":    func(e *audit.Entry) { e.Actor = audit.Actor(strings.Repeat("a", 81)) },
		"no action":                func(e *audit.Entry) { e.Action = "" },
		"no time":                  func(e *audit.Entry) { e.At = time.UnixMicro(0) },
		"a subject that is long":   func(e *audit.Entry) { e.Subject = strings.Repeat("a", 81) },
		"a detail that is long":    func(e *audit.Entry) { e.Detail = audit.Detail{"a": strings.Repeat("a", 20_000)} },
		"a detail that is no JSON": func(e *audit.Entry) { e.Detail = audit.Detail{"a": func() {}} },
	} {
		bad := good
		spoil(&bad)
		if err := pause(bad, nil); err == nil {
			t.Errorf("%s: stored", what)
		}
	}
	if err := pause(good, fmt.Errorf("the change fails")); err == nil {
		t.Error("a failed change was committed")
	}
	if buyers, _, err := s.Buyers(t.Context()); err != nil || len(buyers) > 0 || len(Audit(t, database)) > 0 {
		t.Errorf("left are %d buyers, %v, and the entries %+v", len(buyers), err, Audit(t, database))
	}
	if err := pause(good, nil); err != nil || len(Audit(t, database)) != 1 {
		t.Errorf("a good one: %v", err)
	}
}

func (c Contract) auditDeleted(t *testing.T) {
	database := c.NewDatabase(t)
	s := Open(t, database)
	for i := range 3 {
		update(t, s, func(tx *store.Tx) error { return tx.AddAudit(auditEntry(i, audit.System, "")) })
	}
	if err := Job(t, s).DeleteOld(t.Context(), store.AuditTrail, Noon.Add(2*time.Minute)); err != nil {
		t.Fatal(err)
	}
	if left := Audit(t, database); len(left) != 1 || !left[0].At.Equal(Noon.Add(2*time.Minute)) {
		t.Errorf("left are %+v", left)
	}
}
