package hostile

import (
	"sync"
	"testing"
)

// atOnce runs all cases at the same time, whatever the number of processors: most of them only wait.
func atOnce[C any](t *testing.T, cases map[string]C, run func(name string, c C)) {
	t.Helper()
	var all sync.WaitGroup
	for name, c := range cases {
		all.Go(func() { run(name, c) })
	}
	all.Wait()
}
