package app

import (
	"errors"
	"io"
	"net"
	"net/netip"
	"testing"
	"time"
)

// listen returns a listener that has no limit per client.
func listen(t *testing.T, slots int) *limitListener {
	t.Helper()
	return listenWith(t, slots, peerClients(countedClients()), func(int) {})
}

func listenWith(t *testing.T, slots int, clientOf func(net.Addr) netip.Prefix, onRefused func(int)) *limitListener {
	t.Helper()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := newLimitListener(tcp.(*net.TCPListener), slots, clientOf, onRefused)
	t.Cleanup(func() { l.Close() })
	return l
}

func dial(t *testing.T, l *limitListener) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

func TestFullListenerWaits(t *testing.T) {
	l := listen(t, 1)
	client := dial(t, l)
	first := accept(t, l)
	sendByte(t, client, first) // it is in use
	dial(t, l)
	second := make(chan error, 1)
	go func() { _, err := l.Accept(); second <- err }()
	select {
	case <-second:
		t.Fatal("more connections were accepted than there are slots")
	case <-time.After(50 * time.Millisecond):
	}
	first.Close()
	first.Close() // frees one slot, not two
	if err := <-second; err != nil {
		t.Error(err)
	}
	if len(l.conns) != 1 {
		t.Errorf("%d slots are taken, want 1", len(l.conns))
	}
	for c := range l.conns {
		c.idleSince.Store(0) // as if it had sent something
	}
	dial(t, l)
	full := make(chan error, 1)
	go func() { _, err := l.Accept(); full <- err }()
	time.Sleep(50 * time.Millisecond) // Accept has the connection and waits for a slot
	l.Close()
	if err := <-full; !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed while it waits: %v", err)
	}
}

// The server half closes a connection after a refusal, so that the client reads the whole response.
func TestConnCanBeHalfClosed(t *testing.T) {
	l := listen(t, 1)
	client := dial(t, l)
	conn, err := l.Accept()
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
