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

// accept takes the connection of a client in.
func accept(t *testing.T, b *limitListener) *trackedConn {
	t.Helper()
	conn, err := b.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return conn.(*trackedConn)
}

// sendByte has something arrive on a connection, so that it is not idle.
func sendByte(t *testing.T, client net.Conn, g *trackedConn) {
	t.Helper()
	io.WriteString(client, "x")
	if _, err := g.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
}

// isOpen says whether a client's connection is open.
func isOpen(client net.Conn) bool {
	client.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	_, err := client.Read(make([]byte, 1))
	timeout, is := err.(net.Error)
	return is && timeout.Timeout()
}

// When places run out, the connection that was idle longest makes room, and none that is in use.
func TestLongestIdleConnIsClosed(t *testing.T) {
	b := listen(t, 4)
	clients, guests := make([]net.Conn, 7), make([]*trackedConn, 7)
	come := func(i int) {
		clients[i] = dial(t, b)
		guests[i] = accept(t, b)
	}
	for i := range 4 {
		come(i)
	}
	sendByte(t, clients[0], guests[0]) // busy
	sendByte(t, clients[1], guests[1])
	guests[1].idle.start()          // idle again, later than the third and the fourth
	io.WriteString(clients[2], "x") // on its way: not closed, though nobody has read it
	waitUntil(t, func() bool { return hasUnreadData(guests[2].TCPConn) })
	for i, want := range []int{3, 1, 4} { // the fifth, once it has been idle longest
		come(4 + i)
		if isOpen(clients[want]) {
			t.Errorf("when %d came, %d was not closed", 4+i, want)
		}
	}
	for _, i := range []int{0, 2, 5, 6} {
		if !isOpen(clients[i]) {
			t.Errorf("%d was closed", i)
		}
	}
	if len(b.slots) != 4 {
		t.Errorf("%d places are taken", len(b.slots))
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

// Served by net/http, a connection is idle before its first request and between two, and never while it is worked for, not
// even for a request that came together with the one before it.
func TestConnIdleState(t *testing.T) {
	working, goOn := make(chan struct{}), make(chan struct{})
	b := servePolled(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		working <- struct{}{}
		<-goOn
	})
	client := dial(t, b)
	var g *trackedConn
	idle := func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		for g = range b.conns {
			_, idle := g.idleSince()
			return idle
		}
		return false
	}
	waitUntil(t, idle)
	io.WriteString(client, helloRequest+helloRequest)
	answers := bufio.NewReader(client)
	for range 2 {
		<-working
		time.Sleep(20 * time.Millisecond)
		if idle() {
			t.Error("idle while it is worked for")
		}
		goOn <- struct{}{}
		if answer, err := http.ReadResponse(answers, nil); err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(answer, err)
		}
	}
	waitUntil(t, idle)
	io.WriteString(client, "POST /x HTTP/1.1\r\n")
	waitUntil(t, func() bool { return !idle() })
}

// One client has a quarter of the places; others still come in.
func TestMaxConnsPerClient(t *testing.T) {
	var client atomic.Value // whose connection the next one is
	client.Store(netip.MustParsePrefix("192.0.2.1/32"))
	told := make(chan int, 100)
	b := listenWith(t, 16, func(net.Addr) netip.Prefix { return client.Load().(netip.Prefix) }, func(closed int) { told <- closed })
	guests := make(chan *trackedConn)
	go func() {
		for conn, err := b.Accept(); err == nil; conn, err = b.Accept() {
			guests <- conn.(*trackedConn)
		}
	}()
	var first *trackedConn
	for range 4 {
		dial(t, b)
		first = <-guests
	}
	for range 3 {
		if isOpen(dial(t, b)) {
			t.Fatal("the fifth of a client's connections is open")
		}
	}
	first.Close()
	dial(t, b)
	<-guests
	if isOpen(dial(t, b)) {
		t.Error("one that left made room for two")
	}
	client.Store(netip.MustParsePrefix("192.0.2.2/32"))
	other := dial(t, b)
	if <-guests; !isOpen(other) {
		t.Error("another client was refused")
	}
	if len(told) != 1 || <-told != 1 {
		t.Error("want the first refusal to be told, and no more within a minute")
	}
}

func TestCountedClients(t *testing.T) {
	of := countedClients(netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:5::/48"))
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
