package edge_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"foyer/internal/edge"
	"foyer/internal/limit"
)

// Requests whose bodies never end keep nobody from being served.
func TestPartialBodiesBlockNobody(t *testing.T) {
	_, h, _ := newFrame(t, readsBody)
	server := httptest.NewServer(h)
	defer server.Close()
	for range 20 {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "POST /work HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\nhalf")
	}
	time.Sleep(20 * time.Millisecond)
	for _, size := range []int{0, 10, 4096, 65536} {
		res, err := http.Post(server.URL+"/work", "text/plain", strings.NewReader(strings.Repeat("x", size)))
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("%d bytes beside twenty partial bodies: got %d %s", size, res.StatusCode, text)
		}
	}
}

// Larger bodies being read are limited, because each costs memory for as long as its sender likes. Small ones are not.
func TestTooManyLargeBodies(t *testing.T) {
	_, h, _ := newFrame(t, readsBody)
	for range 512 {
		holdLargeBody(t, h, "192.0.2.1")
	}
	if code := sendBody(h, "192.0.2.1", strings.NewReader(strings.Repeat("x", 5000))); code != http.StatusServiceUnavailable {
		t.Errorf("one more large body: got %d", code)
	}
	if code := sendBody(h, "192.0.2.1", strings.NewReader("small")); code != http.StatusOK {
		t.Errorf("a small body: got %d", code)
	}
}

// One client may hold a quarter of the larger bodies, whichever addresses of its network it sends from. Others still get in, and so
// does a client that is not counted.
func TestTooManyLargeBodiesOfOneClient(t *testing.T) {
	f, h, _ := newFrame(t, readsBody)
	f.ClientOf = func(r *http.Request) netip.Addr { return netip.MustParseAddr(r.Header.Get("Client")) }
	f.Counted = func(client netip.Addr) netip.Prefix {
		if client.IsLoopback() {
			return netip.Prefix{}
		}
		return limit.Of(client)
	}
	var release func()
	for i := range 128 {
		release = holdLargeBody(t, h, fmt.Sprintf("2001:db8::%x", i+1))
	}
	for range 129 {
		holdLargeBody(t, h, "127.0.0.1")
	}
	for client, want := range map[string]int{"2001:db8::ffff:1": 503, "2001:db8:0:1::1": 200, "192.0.2.1": 200, "127.0.0.1": 200} {
		if code := sendBody(h, client, strings.NewReader(strings.Repeat("x", 5000))); code != want {
			t.Errorf("one more large body from %s: got %d, want %d", client, code, want)
		}
	}
	if code := sendBody(h, "2001:db8::1", strings.NewReader("small")); code != http.StatusOK {
		t.Errorf("a small body: got %d", code)
	}
	release()
	if code := sendBody(h, "2001:db8::1", strings.NewReader(strings.Repeat("x", 5000))); code != http.StatusOK {
		t.Errorf("after one of its bodies ended: got %d", code)
	}
}

// readsBody is a resource that reads the body.
var readsBody = edge.Resource{Path: "/work", Post: func(w http.ResponseWriter, r *http.Request) error {
	if _, err := edge.ReadBody(w, r); err != nil {
		return err
	}
	return writeHello(w, r)
}}

func sendBody(h http.Handler, client string, body io.Reader) int {
	w, r := httptest.NewRecorder(), httptest.NewRequest("POST", "/work", body)
	r.Header.Set("Client", client)
	h.ServeHTTP(w, r)
	return w.Code
}

// holdLargeBody sends a large body that does not end before it is released, or the test ends.
func holdLargeBody(t *testing.T, h http.Handler, client string) (release func()) {
	pipe, hold := io.Pipe()
	done := make(chan struct{})
	go func() { sendBody(h, client, pipe); _ = pipe.Close(); close(done) }()
	fmt.Fprint(hold, strings.Repeat("x", 4097)) // returns when all of it was read, or is refused
	release = func() { _ = hold.Close(); <-done }
	t.Cleanup(release)
	return release
}
