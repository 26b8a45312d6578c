package webhook_test

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// strayAnswer is an answer to no request.
const strayAnswer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

// fullBuffer is an answer that just fills the buffer of a conn: what follows in the same TLS record stays in crypto/tls.
var fullBuffer = "HTTP/1.1 204 No Content\r\nX: " + strings.Repeat("x", 4096-len("HTTP/1.1 204 No Content\r\nX: \r\n\r\n")) + "\r\n\r\n"

// A buyer sends a second answer after each answer. It is not taken for the answer to the next message, not even if that
// is sent before net/http reads on. Nor does the first message lose its answer.
func TestStrayAnswerIsNoAnswer(t *testing.T) {
	known := tlsBuyer(t, nil)
	config := &tls.Config{Certificates: known.TLS.Certificates, DynamicRecordSizingDisabled: true}
	for name, c := range map[string]struct {
		overTLS bool
		pieces  []string
	}{
		"in one piece":     {false, []string{noContent + strayAnswer}},
		"in two pieces":    {false, []string{noContent, strayAnswer}},
		"in one record":    {true, []string{noContent + strayAnswer}},
		"in two records":   {true, []string{noContent, strayAnswer}},
		"left over by TLS": {true, []string{fullBuffer + strayAnswer}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			serve := func(conn net.Conn) { answerAll(conn, c.pieces) }
			url := "http://" + rawBuyer(t, func(conn *net.TCPConn) { serve(conn) })
			if c.overTLS {
				url = "https://" + rawBuyer(t, func(conn *net.TCPConn) { serve(tls.Server(conn, config)) })
			}
			s := newSender(t, true)
			trust(s, known)
			first, second := overtaken(t, s, url)
			if first.Status != 204 || second.Status != 204 {
				t.Errorf("the first message got %+v, the second %+v", first, second)
			}
		})
	}
}

// answerAll answers every request on a connection.
func answerAll(conn net.Conn, pieces []string) {
	in := bufio.NewReader(conn)
	for {
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, _ = io.Copy(io.Discard, req.Body)
		for _, piece := range pieces {
			fmt.Fprint(conn, piece)
		}
	}
}

// overtaken sends a message, and another one over its connection as soon as that is idle, before net/http reads on.
func overtaken(t *testing.T, s *webhook.Sender, url string) (first, second webhook.Outcome) {
	written, answered := make(chan struct{}, 2), make(chan webhook.Outcome, 1)
	ofSecond := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		WroteRequest: func(httptrace.WroteRequestInfo) { written <- struct{}{} },
	})
	ofFirst := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{PutIdleConn: func(error) {
		time.Sleep(20 * time.Millisecond) // lets the second answer arrive
		go func() { answered <- s.Send(ofSecond, message(url), now) }()
		select {
		case <-written:
		case <-time.After(200 * time.Millisecond): // it waits until net/http reads on
		}
	}})
	first = s.Send(ofFirst, message(url), now)
	return first, <-answered
}
