package app

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"
)

// accept accepts the connection of a client.
func accept(t *testing.T, l *limitListener) *trackedConn {
	t.Helper()
	conn, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return conn.(*trackedConn)
}

// sendByte sends and reads a byte on a connection, so that it is not idle.
func sendByte(t *testing.T, client net.Conn, c *trackedConn) {
	t.Helper()
	io.WriteString(client, "x")
	if _, err := c.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
}

// isOpen reports whether a client's connection is open.
func isOpen(client net.Conn) bool {
	client.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	_, err := client.Read(make([]byte, 1))
	timeout, is := err.(net.Error)
	return is && timeout.Timeout()
}

// When slots run out, the connection that has been idle longest is closed, and none that is in use.
func TestLongestIdleConnIsClosed(t *testing.T) {
	l := listen(t, 4)
	clients, conns := make([]net.Conn, 7), make([]*trackedConn, 7)
	connect := func(i int) {
		clients[i] = dial(t, l)
		conns[i] = accept(t, l)
	}
	for i := range 4 {
		connect(i)
	}
	sendByte(t, clients[0], conns[0]) // busy
	sendByte(t, clients[1], conns[1])
	conns[1].setIdle()              // idle again, later than the third and the fourth
	io.WriteString(clients[2], "x") // sent but not read: the connection is not closed
	waitUntil(t, func() bool { return hasUnreadData(conns[2].TCPConn) })
	for i, want := range []int{3, 1, 4} { // the fifth, once it has been idle longest
		connect(4 + i)
		if isOpen(clients[want]) {
			t.Errorf("when %d came, %d was not closed", 4+i, want)
		}
	}
	for _, i := range []int{0, 2, 5, 6} {
		if !isOpen(clients[i]) {
			t.Errorf("%d was closed", i)
		}
	}
	if len(l.conns) != 4 {
		t.Errorf("%d slots are taken", len(l.conns))
	}
}

// A connection that waits for a slot gets that of the first one that becomes idle.
func TestIdleConnMakesRoom(t *testing.T) {
	l := listen(t, 2)
	clients, conns := make([]net.Conn, 2), make([]*trackedConn, 2)
	for i := range clients {
		clients[i] = dial(t, l)
		conns[i] = accept(t, l)
		sendByte(t, clients[i], conns[i])
	}
	dial(t, l)
	accepted := make(chan error, 1)
	go func() { _, err := l.Accept(); accepted <- err }()
	select {
	case <-accepted:
		t.Fatal("more connections were accepted than there are slots")
	case <-time.After(50 * time.Millisecond):
	}
	conns[1].setIdle()
	if err := <-accepted; err != nil || isOpen(clients[1]) || !isOpen(clients[0]) {
		t.Errorf("%v; open: %v and %v", err, isOpen(clients[0]), isOpen(clients[1]))
	}
}

func waitUntil(t *testing.T, done func() bool) {
	t.Helper()
	for began := time.Now(); !done(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 5*time.Second {
			t.Fatal("waited for too long")
		}
	}
}

// Served by net/http, a connection is idle before its first request and between two, and never while a request is handled, not
// even a pipelined one.
func TestConnIdleState(t *testing.T) {
	handling, proceed := make(chan struct{}), make(chan struct{})
	l := servePolled(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		handling <- struct{}{}
		<-proceed
	})
	client := dial(t, l)
	idle := func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		for c := range l.conns {
			return c.idleSince.Load() != 0 && !c.poller.active()
		}
		return false
	}
	waitUntil(t, idle)
	io.WriteString(client, helloRequest+helloRequest)
	answers := bufio.NewReader(client)
	for range 2 {
		<-handling
		time.Sleep(20 * time.Millisecond)
		if idle() {
			t.Error("idle while a request is handled")
		}
		proceed <- struct{}{}
		if answer, err := http.ReadResponse(answers, nil); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(answer, err)
		}
	}
	waitUntil(t, idle)
	io.WriteString(client, "POST /x HTTP/1.1\r\n")
	waitUntil(t, func() bool { return !idle() })
}

// One client may have a quarter of the slots; other clients still get in.
func TestMaxConnsPerClient(t *testing.T) {
	var client atomic.Value // the client of the next connection
	client.Store(netip.MustParsePrefix("192.0.2.1/32"))
	refused := make(chan int, 100)
	l := listenWith(t, 16, func(net.Addr) netip.Prefix { return client.Load().(netip.Prefix) }, func(closed int) { refused <- closed })
	conns := make(chan *trackedConn)
	go func() {
		for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
			conns <- conn.(*trackedConn)
		}
	}()
	var first *trackedConn
	for range 4 {
		dial(t, l)
		first = <-conns
	}
	for range 3 {
		if isOpen(dial(t, l)) {
			t.Fatal("the fifth of a client's connections is open")
		}
	}
	first.Close()
	dial(t, l)
	<-conns
	if isOpen(dial(t, l)) {
		t.Error("one closed connection made room for two")
	}
	client.Store(netip.MustParsePrefix("192.0.2.2/32"))
	other := dial(t, l)
	if <-conns; !isOpen(other) {
		t.Error("another client was refused")
	}
	if len(refused) != 1 || <-refused != 1 {
		t.Error("want the first refusal to be reported, and no more within a minute")
	}
}

func TestCountedClients(t *testing.T) {
	of := peerClients(countedClients(netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:5::/48")))
	for address, want := range map[string]string{
		"127.0.0.1:1": "", "[::1]:1": "", "[::ffff:127.0.0.1]:1": "", "10.1.2.3:1": "", "[::ffff:10.1.2.3]:1": "", "[2001:db8:5:1::1]:1": "",
		"192.0.2.1:1": "192.0.2.1/32", "[::ffff:192.0.2.1]:1": "192.0.2.1/32", "[2001:db8:0:1::2]:1": "2001:db8:0:1::/64", "[fe80::1%eth0]:1": "fe80::/64",
	} {
		got := of(net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)))
		if want == "" && got.IsValid() || want != "" && got.String() != want {
			t.Errorf("%s: got %s, want %q", address, got, want)
		}
	}
	if of(&net.UnixAddr{}).IsValid() {
		t.Error("a socket of this machine is counted")
	}
}
