package pages_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"regexp"
	"testing"

	"foyer/internal/app/apptest"
	"foyer/internal/store"
	"foyer/internal/store/storetest"
)

// TestSizes bounds what a browser loads beside a page: compressed, all scripts have at most 15 KB, and the style has at most 20 KB.
func TestSizes(t *testing.T) {
	storetest.Parallel(t)
	s := apptest.Start(t)
	page := signIn(t, s, "pat", store.RoleOwner).shows("/settings")
	sizes := map[string]int{}
	for _, file := range regexp.MustCompile(`"(/assets/[^"]+\.(js|css))"`).FindAllStringSubmatch(page, -1) {
		r := s.Send(t, http.MethodGet, file[1], "")
		if r.Status != http.StatusOK {
			t.Fatalf("%s: %d", file[1], r.Status)
		}
		var compressed bytes.Buffer
		w := gzip.NewWriter(&compressed)
		_, _ = w.Write(r.Body)
		_ = w.Close()
		sizes[file[2]] += compressed.Len()
	}
	if n := sizes["js"]; n == 0 || n > 15_000 {
		t.Errorf("the scripts have %d bytes", n)
	}
	if n := sizes["css"]; n == 0 || n > 20_000 {
		t.Errorf("the style has %d bytes", n)
	}
}
