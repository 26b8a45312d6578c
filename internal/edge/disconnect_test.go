package edge_test

import (
	"context"
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

// A client that disconnects must not get a 200: it could take that for an acceptance.
func TestDisconnectGetsNoResponse(t *testing.T) {
	for name, tc := range map[string]struct {
		length int
		work   func(*http.Request) error
	}{
		"in the middle of the body": {length: 100, work: func(*http.Request) error { return nil }},
		"while the lead is saved": {length: 5, work: func(r *http.Request) error {
			<-r.Context().Done()
			return fmt.Errorf("saving: %w", context.Cause(r.Context()))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, h, log := newFrame(t, edge.Resource{Path: "/x", Post: func(w http.ResponseWriter, r *http.Request) error {
				if _, err := edge.ReadBody(w, r); err != nil {
					return err
				}
				return tc.work(r)
			}})
			server := httptest.NewServer(h)
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
			fmt.Fprintf(conn, "POST /x HTTP/1.1\r\nHost: foyer.example.com\r\nContent-Length: %d\r\n\r\nhello", tc.length)
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			answer, err := io.ReadAll(conn)
			if len(answer) > 0 || err != nil {
				t.Errorf("got %q, %v; want no answer", answer, err)
			}
			if !strings.Contains(log.String(), `"status":499`) || strings.Contains(log.String(), `"level":"ERROR"`) {
				t.Errorf("the log says %s", log)
			}
		})
	}
}

func TestAbortedResponseIsLogged(t *testing.T) {
	_, h, log := newFrame(t, edge.Resource{Path: "/x", Get: func(http.ResponseWriter, *http.Request) error { panic(http.ErrAbortHandler) }})
	server := httptest.NewServer(h)
	defer server.Close()
	if resp, err := http.Get(server.URL + "/x"); err == nil {
		resp.Body.Close()
		t.Errorf("got %s, want a closed connection", resp.Status)
	}
	if !strings.Contains(log.String(), `"route":"/x"`) || strings.Contains(log.String(), `"level":"ERROR"`) {
		t.Errorf("the log says %s", log)
	}
}

// TestBrokenFraming expects a body with malformed chunks to be refused, and not to be logged as a bug.
func TestBrokenFraming(t *testing.T) {
	_, h, log := newFrame(t, edge.Resource{Path: "/x", Post: func(w http.ResponseWriter, r *http.Request) error {
		_, err := edge.ReadBody(w, r)
		return err
	}})
	server := httptest.NewServer(h)
	defer server.Close()
	send := func(request string, end func(*net.TCPConn)) string {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
		io.WriteString(conn, request)
		end(conn.(*net.TCPConn))
		answer, _ := io.ReadAll(conn)
		return string(answer)
	}
	answer := send("POST /x HTTP/1.1\r\nHost: foyer.example.com\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", func(*net.TCPConn) {})
	if !strings.HasPrefix(answer, "HTTP/1.1 422") || !strings.Contains(answer, "chunks are malformed") {
		t.Errorf("got %s", answer)
	}
	send("POST /x HTTP/1.1\r\nHost: foyer.example.com\r\nContent-Length: 100\r\n\r\nhello", func(c *net.TCPConn) {
		_ = c.SetLinger(0) // a reset instead of an orderly close
		_ = c.Close()
	})
	for deadline := time.Now().Add(5 * time.Second); !strings.Contains(log.String(), `"status":499`); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the reset is not in the log: %s", log)
		}
	}
	if strings.Contains(log.String(), `"level":"ERROR"`) || strings.Contains(log.String(), "127.0.0.1") {
		t.Errorf("the log says %s", log)
	}
}
