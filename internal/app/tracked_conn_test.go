package app

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// connPair returns a server connection and the client connection it belongs to.
func connPair(t *testing.T) (*trackedConn, net.Conn) {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	conn, err := l.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	c := newTrackedConn(conn)
	t.Cleanup(func() { c.Close() })
	return c, client
}

var longAgo = time.Unix(1, 0) // the deadline with which net/http interrupts a read

func TestReadDeadlines(t *testing.T) {
	for _, tc := range []struct {
		name  string
		moves []time.Duration // from now; 0 is none at all
		late  bool
	}{
		{"one that comes", []time.Duration{20 * time.Millisecond}, true},
		{"the last of many", []time.Duration{time.Hour, 0, 20 * time.Millisecond}, true},
		{"none in the end", []time.Duration{20 * time.Millisecond, 0}, false},
		{"a later one in the end", []time.Duration{20 * time.Millisecond, time.Hour}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, client := connPair(t)
			for _, move := range tc.moves {
				var at time.Time
				if move > 0 {
					at = time.Now().Add(move)
				}
				if err := c.SetReadDeadline(at); err != nil {
					t.Fatal(err)
				}
			}
			time.AfterFunc(200*time.Millisecond, func() { client.Write([]byte("x")) })
			if _, err := c.Read(make([]byte, 8)); errors.Is(err, os.ErrDeadlineExceeded) != tc.late {
				t.Errorf("reading ends with %v", err)
			}
		})
	}
}

// A past deadline interrupts a read that is about to start or in progress. An earlier deadline must not replace it.
func TestReadIsInterrupted(t *testing.T) {
	c, _ := connPair(t)
	for i := range 200 {
		c.SetReadDeadline(time.Time{})
		ended := make(chan error)
		go func() { _, err := c.Read(make([]byte, 8)); ended <- err }()
		if i%2 == 0 {
			time.Sleep(time.Millisecond) // the read is in progress
		}
		c.SetReadDeadline(longAgo)
		select {
		case err := <-ended:
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("the read was not interrupted")
		}
	}
}

// A write to a client that reads nothing times out, whether the deadline is new, nearly the one before, or past.
func TestWriteDeadline(t *testing.T) {
	c, _ := connPair(t)
	c.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	if _, err := c.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	c.SetWriteDeadline(time.Time{})
	c.SetWriteDeadline(time.Now().Add(310 * time.Millisecond))
	wantWriteTimeout(t, c)
	c.SetWriteDeadline(time.Now().Add(time.Hour)) // as for the next response
	time.AfterFunc(200*time.Millisecond, func() { c.SetWriteDeadline(longAgo) })
	wantWriteTimeout(t, c)
}

// wantWriteTimeout writes until the buffers are full, and expects the deadline to end that.
func wantWriteTimeout(t *testing.T, c *trackedConn) {
	t.Helper()
	chunk := make([]byte, 64<<10)
	for began := time.Now(); ; {
		_, err := c.Write(chunk)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if err != nil || time.Since(began) > 5*time.Second {
			t.Fatalf("writing ends with %v after %v", err, time.Since(began))
		}
	}
}
