// Package hostile attacks the built binary over raw sockets: broken framing, oversized and half-sent requests, slow and
// idle connections, odd bodies. After each attack the service must be healthy, must have logged no error of its own, and
// must hold exactly the leads that it accepted.
//
// It sends nothing beyond the loopback interface.
package hostile

import (
	"flag"
	"testing"

	"foyer/test/binary"
)

// withSlowHTTPTest enables slowhttptest, which takes a minute; make hostile sets it.
var withSlowHTTPTest = flag.Bool("slowhttptest", false, "also run slowhttptest, where it is installed")

func TestMain(m *testing.M) {
	binary.MainUnlessShort(m.Run)
}
