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

// A sender that stops half way must not be told 200: it could take that for an acceptance.
func TestWhoStopsHalfWayGetsNoAnswer(t *testing.T) {
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
			_, h, log := house(t, edge.Resource{Path: "/x", Post: func(w http.ResponseWriter, r *http.Request) error {
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

func TestAnAbortedAnswerIsInTheLog(t *testing.T) {
	_, h, log := house(t, edge.Resource{Path: "/x", Get: func(http.ResponseWriter, *http.Request) error { panic(http.ErrAbortHandler) }})
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
