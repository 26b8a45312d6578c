package edge_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"foyer/internal/edge"
)

// Requests whose bodies never end keep nobody from being served.
func TestPartialBodiesBlockNobody(t *testing.T) {
	_, h, _ := newFrame(t, edge.Resource{Path: "/work", Post: func(w http.ResponseWriter, r *http.Request) error {
		if _, err := edge.ReadBody(w, r); err != nil {
			return err
		}
		return writeHello(w, r)
	}})
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
	_, h, _ := newFrame(t, edge.Resource{Path: "/work", Post: func(w http.ResponseWriter, r *http.Request) error {
		if _, err := edge.ReadBody(w, r); err != nil {
			return err
		}
		return writeHello(w, r)
	}})
	send := func(body io.Reader) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("POST", "/work", body))
		return w.Code
	}
	for range 512 {
		pipe, hold := io.Pipe()
		defer hold.Close()
		go send(pipe)
		fmt.Fprint(hold, strings.Repeat("x", 4097)) // returns when all of it was read
	}
	if code := send(strings.NewReader(strings.Repeat("x", 5000))); code != http.StatusServiceUnavailable {
		t.Errorf("one more large body: got %d", code)
	}
	if code := send(strings.NewReader("small")); code != http.StatusOK {
		t.Errorf("a small body: got %d", code)
	}
}
