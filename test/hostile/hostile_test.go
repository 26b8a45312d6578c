// Package hostile attacks the built binary over raw sockets: broken framing, oversized and half-sent requests, slow and
// idle connections, odd bodies. After each attack the service must be alive and well, have logged no error of its own,
// and hold exactly the leads that it answered with an acceptance.
//
// It sends nothing beyond the loopback interface.
package hostile

import (
	"flag"
	"testing"

	"foyer/test/binary"
)

// program is the path of the program, built once for all tests here.
var program string

// withSlowHTTPTest lets slowhttptest run, which takes a minute; make hostile asks for it.
var withSlowHTTPTest = flag.Bool("slowhttptest", false, "also run slowhttptest, where it is installed")

func TestMain(m *testing.M) {
	binary.MainUnlessShort(m.Run, func(path string) { program = path })
}
