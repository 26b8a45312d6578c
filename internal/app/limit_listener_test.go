package app

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"
)

// listen counts nobody's connections.
func listen(t *testing.T, most int) *limitListener {
	t.Helper()
	return listenWith(t, most, countedClients(), func(int) {})
}

func listenWith(t *testing.T, most int, client func(net.Addr) netip.Prefix, full func(int)) *limitListener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := newLimitListener(l.(*net.TCPListener), most, client, full)
	t.Cleanup(func() { b.Close() })
	return b
}

func dial(t *testing.T, b *limitListener) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", b.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestFullListenerWaits(t *testing.T) {
	b := listen(t, 1)
	client := dial(t, b)
	first := accept(t, b)
	sendByte(t, client, first) // it is in use
	dial(t, b)
	second := make(chan error, 1)
	go func() { _, err := b.Accept(); second <- err }()
	select {
	case <-second:
		t.Fatal("more were let in than there are places")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // gives back one place, not two
	if err := <-second; err != nil {
		t.Error(err)
	}
	if len(b.slots) != 1 {
		t.Errorf("%d places are taken, want 1", len(b.slots))
	}
	for g := range b.conns {
		g.idle.stop() // as if it had sent something
	}
	dial(t, b)
	full := make(chan error, 1)
	go func() { _, err := b.Accept(); full <- err }()
	time.Sleep(50 * time.Millisecond) // it has the connection, and waits for a place
	b.Close()
	if err := <-full; !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed while it waits: %v", err)
	}
}

// The server half closes a connection after a refusal, so that the client reads the answer to its end.
func TestConnCanBeHalfClosed(t *testing.T) {
	b := listen(t, 1)
	client := dial(t, b)
	conn, err := b.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	half, can := conn.(interface{ CloseWrite() error })
	if !can {
		t.Fatal("the connection cannot be half closed")
	}
	io.WriteString(conn, "no")
	half.CloseWrite()
	if text, err := io.ReadAll(client); string(text) != "no" || err != nil {
		t.Errorf("the client read %q, %v", text, err)
	}
}
