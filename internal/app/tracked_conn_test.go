package app

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// connPair is a guest, and the client it came from.
func connPair(t *testing.T) (*trackedConn, net.Conn) {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	there, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { there.Close() })
	here, err := l.AcceptTCP()
	if err != nil {
		t.Fatal(err)
	}
	g := newTrackedConn(here)
	t.Cleanup(func() { g.Close() })
	return g, there
}

var longAgo = time.Unix(1, 0) // what net/http ends a read with

func TestReadDeadlines(t *testing.T) {
	for _, c := range []struct {
		name  string
		moves []time.Duration // from now; 0 is none at all
		late  bool
	}{
		{"one that comes", []time.Duration{20 * time.Millisecond}, true},
		{"the last of many", []time.Duration{time.Hour, 0, 20 * time.Millisecond}, true},
		{"none in the end", []time.Duration{20 * time.Millisecond, 0}, false},
		{"a later one in the end", []time.Duration{20 * time.Millisecond, time.Hour}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, there := connPair(t)
			for _, move := range c.moves {
				var at time.Time
				if move > 0 {
					at = time.Now().Add(move)
				}
				if err := g.SetReadDeadline(at); err != nil {
					t.Fatal(err)
				}
			}
			time.AfterFunc(200*time.Millisecond, func() { there.Write([]byte("x")) })
			if _, err := g.Read(make([]byte, 8)); errors.Is(err, os.ErrDeadlineExceeded) != c.late {
				t.Errorf("reading ends with %v", err)
			}
		})
	}
}

// A read that is about to begin, or under way, is ended. What was put before it must not come after.
func TestReadIsInterrupted(t *testing.T) {
	g, _ := connPair(t)
	for i := range 200 {
		g.SetReadDeadline(time.Time{})
		ended := make(chan error)
		go func() { _, err := g.Read(make([]byte, 8)); ended <- err }()
		if i%2 == 0 {
			time.Sleep(time.Millisecond) // it is under way
		}
		g.SetReadDeadline(longAgo)
		select {
		case err := <-ended:
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
		case <-time.After(5 * time.Second):
			t.Fatal("it goes on reading")
		}
	}
}

// A client that takes nothing is not waited for, whether the deadline is new, nearly the one before, or over.
func TestWriteDeadline(t *testing.T) {
	g, _ := connPair(t)
	g.SetWriteDeadline(time.Now().Add(300 * time.Millisecond))
	if _, err := g.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	g.SetWriteDeadline(time.Time{})
	g.SetWriteDeadline(time.Now().Add(310 * time.Millisecond))
	wantWriteTimeout(t, g)
	g.SetWriteDeadline(time.Now().Add(time.Hour)) // as for the next answer
	time.AfterFunc(200*time.Millisecond, func() { g.SetWriteDeadline(longAgo) })
	wantWriteTimeout(t, g)
}

// wantWriteTimeout writes until nothing more is taken, and wants a deadline to end that.
func wantWriteTimeout(t *testing.T, g *trackedConn) {
	t.Helper()
	much := make([]byte, 64<<10)
	for began := time.Now(); ; {
		_, err := g.Write(much)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return
		}
		if err != nil || time.Since(began) > 5*time.Second {
			t.Fatalf("writing ends with %v after %v", err, time.Since(began))
		}
	}
}
