package operator_test

import (
	"testing"
	"time"

	"foyer/internal/operator"
	"foyer/internal/store/storetest"
)

// TestLookingWaitsForNobody has somebody keep all others from writing. Whoever looks is answered meanwhile, as the books are without
// that.
func TestLookingWaitsForNobody(t *testing.T) {
	o := newOffice(t)
	b := o.add(func(*operator.TermsInput) {})
	release := storetest.HoldWriter(t, o.database)
	defer release()
	looked := make(chan error)
	go func() {
		_, err := o.List(t.Context())
		looked <- err
		_, err = o.Show(t.Context(), b.ID)
		looked <- err
		_, err = o.Route(t.Context(), "hvac", "33139")
		looked <- err
	}()
	for _, what := range []string{"a list", "a card", "a route"} {
		select {
		case err := <-looked:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s waits", what)
		}
	}
}
