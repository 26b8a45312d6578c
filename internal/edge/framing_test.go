package edge_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"foyer/internal/edge"
)

// A request whose end a proxy may see elsewhere is the last of its connection: what follows could be a part of it.
func TestAmbiguousRequestClosesConn(t *testing.T) {
	_, h, _ := newFrame(t, edge.Resource{Path: "/x", Post: writeHello})
	server := httptest.NewServer(h)
	defer server.Close()
	for name, c := range map[string]struct {
		head string
		last bool
	}{
		"a length":                         {"POST /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n", false},
		"chunks":                           {"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n", true},
		"chunks and a length":              {"POST /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", true},
		"chunks and a length, on HTTP/1.0": {"POST /x HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, c.head+"0\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != http.StatusOK || res.Close != c.last {
				t.Errorf("got %d, the last of its connection: %t, want %t", res.StatusCode, res.Close, c.last)
			}
		})
	}
}
