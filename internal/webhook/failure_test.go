package webhook_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"foyer/internal/webhook"
)

// readRequest reads a complete request from a connection.
func readRequest(conn net.Conn) bool {
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err == nil
}

// reset closes a connection so that the sender sees a reset.
func reset(conn *net.TCPConn) {
	time.Sleep(30 * time.Millisecond) // lets the data arrive first
	_ = conn.SetLinger(0)
	_ = conn.Close()
}

const okHeader = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n"

// These buyers do not answer properly. Each accepts the connection, so the body may have been seen.
func TestBadBuyers(t *testing.T) {
	respond := func(text string) func(*net.TCPConn) {
		return func(conn *net.TCPConn) { readRequest(conn); fmt.Fprint(conn, text) }
	}
	respondAndHang := func(text string) func(*net.TCPConn) {
		return func(conn *net.TCPConn) { respond(text)(conn); _, _ = io.Copy(io.Discard, conn) }
	}
	for _, c := range []struct {
		name    string
		serve   func(*net.TCPConn)
		failure webhook.Failure
		status  int
		answer  string
	}{
		{"says nothing", respondAndHang(""), webhook.Timeout, 0, ""},
		{"hangs in the headers", respondAndHang("HTTP/1.1 200 OK\r\nContent-"), webhook.Timeout, 0, ""},
		{"hangs in the body", respondAndHang(okHeader + "half"), webhook.Timeout, 0, "half"},
		{"hangs before the end of a body without a length", respondAndHang("HTTP/1.1 200 OK\r\n\r\nhalf"), webhook.Timeout, 0, "half"},
		{"drips headers", drip("HTTP/1.1 200 OK\r\nX: "), webhook.Timeout, 0, ""},
		{"goes on saying that it works on it", respondAndHang("HTTP/1.1 102 Processing\r\n\r\n"), webhook.Timeout, 0, ""},
		{"closes without a word", respond(""), webhook.Reset, 0, ""},
		{"closes between two headers", respond("HTTP/1.1 200 OK\r\nX: y\r\n"), webhook.Reset, 0, ""},
		{"closes within a header", respond("HTTP/1.1 200 OK\r\nContent-"), webhook.BadAnswer, 0, ""}, // an incomplete header line
		{"resets without a word", func(conn *net.TCPConn) { readRequest(conn); reset(conn) }, webhook.Reset, 0, ""},
		{"resets in the body", func(conn *net.TCPConn) { respond(okHeader + "half")(conn); reset(conn) }, webhook.Reset, 0, "half"},
		{"closes in the body", respond(okHeader + "half"), webhook.Reset, 0, "half"},
		{"has a chunk that cannot be", respond("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nx\r\n"), webhook.BadAnswer, 0, "half"},
		{"speaks another language", respond("SSH-2.0-OpenSSH_9.6\r\n"), webhook.BadAnswer, 0, ""},
		{"echoes the body as a header", respond("HTTP/1.1 200 OK\r\n{\"phone\":\"" + canary + "\"}\r\n\r\n"), webhook.BadAnswer, 0, ""},
		{"has no number for a status", respond("HTTP/1.1 abc OK\r\n\r\n"), webhook.BadAnswer, 0, ""},
		{"has a status below all", respond("HTTP/1.1 000 OK\r\n\r\n"), webhook.BadAnswer, 0, ""},
		{"wants another protocol", respondAndHang("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"), webhook.BadAnswer, 0, ""},
		{"has two lengths", respond("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab"), webhook.BadAnswer, 0, ""},
		{"has a huge header", respond("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 40<<10) + "\r\n\r\n"), webhook.BadAnswer, 0, ""},
		{"has endless headers", endless("HTTP/1.1 200 OK\r\n", "X: y\r\n"), webhook.BadAnswer, 0, ""},
		{"says endlessly that it works on it", endless("", "HTTP/1.1 102 Processing\r\n\r\n"), webhook.BadAnswer, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSender(t, true)
			if c.failure == webhook.Timeout {
				s.SetTimeout(short)
			}
			out := send(t, s, message("http://"+rawBuyer(t, c.serve)+"/leads?token=1"))
			if out.Failure != c.failure || out.Status != c.status || string(out.Answer) != c.answer || !out.Sent {
				t.Errorf("got %+v", out)
			}
			if out.Took > soon {
				t.Errorf("it took %s", out.Took)
			}
		})
	}
}

// drip sends text, and then a byte every 10 milliseconds.
func drip(text string) func(*net.TCPConn) {
	return func(conn *net.TCPConn) {
		readRequest(conn)
		fmt.Fprint(conn, text)
		for {
			if _, err := fmt.Fprint(conn, "x"); err != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// endless sends text, and then repeats another text forever.
func endless(text, again string) func(*net.TCPConn) {
	return func(conn *net.TCPConn) {
		readRequest(conn)
		fmt.Fprint(conn, text)
		for {
			if _, err := fmt.Fprint(conn, again); err != nil {
				return
			}
		}
	}
}
