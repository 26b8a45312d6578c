package hostile

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"foyer/test/stopwatch"
)

// slowAttack is a way to be slow, and when the service must give up on it.
type slowAttack struct {
	attack func(net.Conn)
	within time.Duration
}

// TestSlowSenders checks the time that one connection may take. All attacks run concurrently; meanwhile other clients are
// served.
func TestSlowSenders(t *testing.T) {
	t.Parallel()
	const headers, body, late = 5 * time.Second, 15 * time.Second, 4 * time.Second // what server.go allows, plus slack for a busy machine
	drip := func(first, then string) func(net.Conn) {
		return func(c net.Conn) {
			_, err := io.WriteString(c, first)
			for err == nil {
				time.Sleep(200 * time.Millisecond)
				_, err = io.WriteString(c, then)
			}
		}
	}
	s := serve(t)
	served := make(chan struct{})
	go func() { defer close(served); s.wantServed(t, 10*time.Second) }()
	concurrently(t, map[string]slowAttack{
		"silence":                    {func(net.Conn) {}, headers},
		"half of a request line":     {drip("GET /hea", ""), headers},
		"a header in drops":          {drip("GET /health HTTP/1.1\r\nHost: localhost\r\nX-Note: ", "x"), headers},
		"headers in drops":           {drip("GET /health HTTP/1.1\r\nHost: localhost\r\n", "a: b\r\n"), headers},
		"empty lines in drops":       {drip("", "\r\n"), headers},
		"a body in drops":            {drip(unframed("{", "Content-Length: 60000"), " "), body},
		"half of a body":             {drip(unframed(goodLead[:40], "Content-Length: "+itoa(len(goodLead))), ""), body},
		"a form in drops":            {drip(unframed("x=1", asForm, "Content-Length: 60000"), "&x=1"), body},
		"chunks in drops":            {drip(unframed("1\r\n{\r\n", "Transfer-Encoding: chunked"), "1\r\n \r\n"), body},
		"half of a chunk":            {drip(unframed("ff\r\n{", "Transfer-Encoding: chunked"), ""), body},
		"a message in drops":         {drip("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{", " "), body},
		"a body that nobody wants":   {drip("POST /health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n", " "), body},
		"a body that is too large":   {drip(unframed("{", "Content-Length: 600000"), " "), headers},
		"a promise that is not kept": {drip(unframed("", "Content-Length: 100", "Expect: 100-continue"), ""), body},
	}, func(name string, c slowAttack) {
		conn, watch := s.dial(), stopwatch.Start()
		go c.attack(conn)
		_, _ = io.Copy(io.Discard, conn) // the answer, if there is one, and then the end
		if took := watch.Stop(); took > c.within+late {
			t.Errorf("%s: cut after %v, want %v", name, took, c.within)
		}
	})
	<-served
}

// wantServed sends normal requests, one per second.
func (s *service) wantServed(t *testing.T, long time.Duration) {
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(time.Second) {
		watch := stopwatch.Start()
		got, _ := s.exchange(post("/v1/intake", goodLead, "Connection: close"))
		if took := watch.Stop(); len(got) != 1 || got[0].status != 202 || took > 2*time.Second {
			t.Errorf("others were answered %v after %v", statuses(got), took)
		}
	}
}

// TestClientDisconnects disconnects in the middle of a request, many times: nothing of it is stored.
func TestClientDisconnects(t *testing.T) {
	s := serve(t)
	for i := range 100 {
		conn := s.dial()
		request := post("/v1/intake", goodLead)
		fmt.Fprint(conn, request[:len(request)-1-i%50])
		if i%2 == 0 {
			conn.(*net.TCPConn).SetLinger(0) // a reset instead of a normal close
		}
		conn.Close()
	}
	time.Sleep(200 * time.Millisecond)
	if kept := s.Leads(); len(kept) > 0 {
		t.Errorf("%d halves of a request were stored", len(kept))
	}
}
