package hostile

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/test/binary"
)

// service is a running program, and the leads that it said it accepted.
type service struct {
	*binary.Process
	t        testing.TB
	address  string
	mu       sync.Mutex
	accepted []string // the lead_id of every acceptance read
}

// serve starts the program. When the test ends, the service must be healthy.
func serve(t *testing.T) *service {
	t.Helper()
	p := binary.Serve(t, t.TempDir(), "--rate-limit", "off")
	s := &service{Process: p, t: t, address: strings.TrimPrefix(p.URL, "http://")}
	t.Cleanup(s.wantWell)
	return s
}

// wantWell checks that the attack left no trace: the service answers, has logged no bug, and holds exactly what it
// accepted.
func (s *service) wantWell() {
	if s.t.Skipped() {
		return
	}
	res, err := (&http.Client{Timeout: 10 * time.Second}).Get("http://" + s.address + "/health")
	if err != nil {
		s.t.Fatalf("after the attack: %v\n%s", err, s.Remarks())
	}
	res.Body.Close()
	if res.StatusCode != http.StatusOK {
		s.t.Errorf("after the attack: health is %d", res.StatusCode)
	}
	if strings.Contains(s.Remarks(), `"level":"ERROR"`) {
		s.t.Errorf("the attack found a bug:\n%s", s.Remarks())
	}
	s.mu.Lock()
	accepted := slices.Clone(s.accepted)
	s.mu.Unlock()
	for _, l := range s.Leads() {
		i := slices.Index(accepted, l.ID)
		if i < 0 {
			s.t.Errorf("%s was stored, but no client was told so", l.ID)
			continue
		}
		accepted = slices.Delete(accepted, i, i+1)
	}
	if len(accepted) > 0 {
		s.t.Errorf("accepted and not stored: %v", accepted)
	}
}

// concurrently runs all cases at the same time, whatever the number of processors: most of them only wait.
func concurrently[C any](t *testing.T, cases map[string]C, run func(name string, c C)) {
	t.Helper()
	var all sync.WaitGroup
	for name, c := range cases {
		all.Go(func() { run(name, c) })
	}
	all.Wait()
}
