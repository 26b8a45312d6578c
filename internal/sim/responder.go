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

// responder is how an answer reaches, or does not reach, the other side.
type responder func(w http.ResponseWriter, r *http.Request, a act)

const (
	beat   = time.Second           // between the bytes that drip
	moment = 20 * time.Millisecond // for what was written to arrive before a reset does
)

// answer does it as one should, perhaps late.
func answer(w http.ResponseWriter, r *http.Request, a act) {
	if a.wait > 0 {
		pause(r, a.wait)
	}
	if a.after != "" {
		w.Header().Set("Retry-After", a.after)
	}
	if a.status >= 300 && a.status < 400 {
		w.Header().Set("Location", "/elsewhere") // a sender that follows is counted once more
	}
	if a.decision != "" || strings.HasPrefix(a.body, "{") {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.says())
}

// says is the body of an answer.
func (a act) says() []byte {
	if a.decision == "" {
		return []byte(a.body)
	}
	said := struct {
		Decision string `json:"decision"`
		Code     string `json:"code,omitempty"`
		Ref      string `json:"buyer_ref,omitempty"`
	}{a.decision, a.code, a.ref}
	text, err := json.Marshal(said)
	if err != nil {
		panic(err) // there are only words in it
	}
	return append(text, '\n')
}

// pause waits. When the other side goes away, or the buyer stops, the connection ends without an answer: an empty one
// might be taken for a yes.
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
func hang(_ http.ResponseWriter, r *http.Request, _ act) {
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}

// drip begins an answer and never comes to its end, a byte at a time.
func drip(w http.ResponseWriter, r *http.Request, _ act) {
	w.Header().Set("Content-Type", "application/json")
	out := http.NewResponseController(w)
	for {
		if _, err := io.WriteString(w, " "); err != nil || out.Flush() != nil {
			panic(http.ErrAbortHandler)
		}
		pause(r, beat)
	}
}

// endless sends as much as the other side takes. It begins like an acceptance.
func endless(w http.ResponseWriter, r *http.Request, _ act) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"decision":"accept","buyer_ref":"`)
	for piece := bytes.Repeat([]byte("x"), 4<<10); r.Context().Err() == nil; {
		if _, err := w.Write(piece); err != nil {
			break
		}
	}
	panic(http.ErrAbortHandler)
}

// reset ends the connection without an answer.
func reset(w http.ResponseWriter, _ *http.Request, _ act) {
	tear(takeOver(w))
}

// resetBody ends the connection in the middle of an answer.
func resetBody(w http.ResponseWriter, r *http.Request, a act) {
	text := a.says()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(text)))
	_, _ = w.Write(text[:len(text)/2])
	_ = http.NewResponseController(w).Flush()
	pause(r, moment)
	tear(takeOver(w))
}

// twice sends its answer two times: the second belongs to no question.
func twice(w http.ResponseWriter, _ *http.Request, a act) {
	text := a.says()
	conn := takeOver(w)
	defer conn.Close()
	whole := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(text), text)
	_, _ = io.WriteString(conn, whole+whole)
}

// takeOver takes the connection from the server. Where it cannot be had, as with HTTP/2, it just ends.
func takeOver(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// tear closes a connection so that the other side sees a reset, not an end.
func tear(conn net.Conn) {
	below := conn
	if over, ok := conn.(interface{ NetConn() net.Conn }); ok { // TLS
		below = over.NetConn()
	}
	if tcp, ok := below.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = below.Close()
}
