package hostile

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"foyer/internal/store"
	"foyer/test/binary"
)

// service is a running program, and what it said it kept.
type service struct {
	*binary.Process
	t        testing.TB
	address  string
	mu       sync.Mutex
	accepted []string // the lead_id of every acceptance that was read
}

// serve starts the program. When the test ends, it must be alive and well.
func serve(t *testing.T) *service {
	t.Helper()
	p := binary.Serve(t, program, t.TempDir(), "--rate-limit", "off")
	s := &service{Process: p, t: t, address: strings.TrimPrefix(p.URL, "http://")}
	t.Cleanup(s.wantWell)
	return s
}

// wantWell checks whether the attack left a trace: the service answers, has seen no bug, and holds what it accepted and
// nothing else.
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
	for _, id := range s.stored() {
		i := slices.Index(accepted, id)
		if i < 0 {
			s.t.Errorf("%s was stored, and nobody was told so", id)
			continue
		}
		accepted = slices.Delete(accepted, i, i+1)
	}
	if len(accepted) > 0 {
		s.t.Errorf("accepted and not stored: %v", accepted)
	}
}

// stored are the leads in the database.
func (s *service) stored() []string {
	s.t.Helper()
	ctx := context.Background() // that of the test has ended when its cleanups run
	reader, err := store.OpenReader(ctx, s.Database)
	if err != nil {
		s.t.Fatal(err)
	}
	defer reader.Close()
	leads, err := reader.Newest(ctx, 100_000)
	if err != nil {
		s.t.Fatal(err)
	}
	ids := make([]string, len(leads))
	for i, l := range leads {
		ids[i] = l.ID
	}
	return ids
}
