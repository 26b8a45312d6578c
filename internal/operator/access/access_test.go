package access_test

import (
	"fmt"
	"testing"
	"time"

	"foyer/internal/audit"
	"foyer/internal/operator"
	"foyer/internal/operator/access"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// testAccess is an Access on a real store, with a fixed clock.
type testAccess struct {
	*access.Access
	t        *testing.T
	database string
	now      time.Time
	ids      int
}

// ada is the operator of the tests.
var ada = audit.CLI("ada")

func newTestAccess(t *testing.T) *testAccess {
	t.Helper()
	o := &testAccess{t: t, database: storetest.Database(t), now: storetest.Noon}
	o.Access = (&operator.Operator{
		Store: storetest.Open(t, o.database), Now: func() time.Time { return o.now },
		NewID: func(prefix string) string { o.ids++; return fmt.Sprintf("%s%03d", prefix, o.ids) },
	}).Access()
	return o
}

// update runs do in a transaction.
func (o *testAccess) update(do func(*store.Tx) error) {
	o.t.Helper()
	if err := o.Store.Update(o.t.Context(), do); err != nil {
		o.t.Fatal(err)
	}
}
