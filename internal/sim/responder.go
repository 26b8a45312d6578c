package sim

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// responder sends an action's answer, or fails to.
type responder func(w http.ResponseWriter, r *http.Request, a action)

const (
	dripInterval = time.Second           // between the bytes of drip
	flushDelay   = 20 * time.Millisecond // lets the data arrive before the reset
)

// answer sends a normal answer, after a delay if there is one.
func answer(w http.ResponseWriter, r *http.Request, a action) {
	if a.wait > 0 {
		pause(r, a.wait)
	}
	if a.retryAfter != "" {
		w.Header().Set("Retry-After", a.retryAfter)
	}
	if a.status >= 300 && a.status < 400 {
		w.Header().Set("Location", "/elsewhere") // a sender that follows the redirect is counted again
	}
	if a.Decision != "" || strings.HasPrefix(a.body, "{") {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.responseBody())
}

// responseBody is the body of an answer.
func (a action) responseBody() []byte {
	if a.Decision == "" {
		return []byte(a.body)
	}
	text, _ := json.Marshal(a.verdict) // cannot fail: it holds only strings
	return append(text, '\n')
}

// pause waits. If the client disconnects or the buyer stops, it aborts the connection without an answer: an empty
// answer might be read as an acceptance.
func pause(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
		panic(http.ErrAbortHandler)
	}
}

// hang never answers.
func hang(_ http.ResponseWriter, r *http.Request, _ action) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// drip sends an endless answer, one byte at a time.
func drip(w http.ResponseWriter, r *http.Request, _ action) {
	w.Header().Set("Content-Type", "application/json")
	out := http.NewResponseController(w)
	for {
		if _, err := io.WriteString(w, " "); err != nil || out.Flush() != nil {
			panic(http.ErrAbortHandler)
		}
		pause(r, dripInterval)
	}
}

// endless sends data as fast as the client reads. It begins like an acceptance.
func endless(w http.ResponseWriter, r *http.Request, _ action) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"decision":"accept","buyer_ref":"`)
	for piece := bytes.Repeat([]byte("x"), 4<<10); r.Context().Err() == nil; {
		if _, err := w.Write(piece); err != nil {
			break
		}
	}
	panic(http.ErrAbortHandler)
}

// reset resets the connection without an answer.
func reset(w http.ResponseWriter, _ *http.Request, _ action) {
	closeWithReset(hijack(w))
}

// resetBody resets the connection in the middle of an answer.
func resetBody(w http.ResponseWriter, r *http.Request, a action) {
	text := a.responseBody()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	_, _ = w.Write(text[:len(text)/2])
	_ = http.NewResponseController(w).Flush()
	pause(r, flushDelay)
	closeWithReset(hijack(w))
}

// answerTwice sends its answer twice: the second one belongs to no request.
func answerTwice(w http.ResponseWriter, _ *http.Request, a action) {
	text := a.responseBody()
	conn := hijack(w)
	defer conn.Close()
	response := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	_, _ = io.WriteString(conn, response+response)
}

// hijack takes the connection from the server. If that is impossible, as with HTTP/2, it aborts the request.
func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// closeWithReset closes a connection so that the client sees a reset, not an end of file.
func closeWithReset(conn net.Conn) {
	raw := conn
	if over, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		raw = over.NetConn()
	}
	if tcp, ok := raw.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = raw.Close()
}
