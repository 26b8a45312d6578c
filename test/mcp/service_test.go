package mcp

import (
	"testing"

	"foyer/test/binary"
)

// serve starts the program and returns the address of the tools.
func serve(t *testing.T) string {
	t.Helper()
	p := binary.Serve(t, program, t.TempDir(), "--rate-limit", "off")
	t.Cleanup(func() {
		if code := p.Stop(); code != 0 || t.Failed() {
			t.Errorf("the service ended with %d:\n%s", code, p.Remarks())
		}
	})
	return p.URL + "/mcp"
}
