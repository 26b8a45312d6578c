package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"foyer/internal/config"
	"foyer/internal/limit"
)

// endpoint is a listener with its server.
type endpoint struct {
	listener *limitListener
	server   *http.Server
}

// serve accepts connections until the server is shut down, and calls the handler that routes built for each request.
func (e *endpoint) serve() error { return e.server.Serve(e.listener) }

// openListener opens a listener at the address of a setting.
func openListener(setting, addr string) (*net.TCPListener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s: address already in use by another program: stop it, or choose another address, such as --%s :8090", addr, setting)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen on %s: choose a port of 1024 or more, such as --%s :8080", addr, setting)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", setting, err)
	}
	return l.(*net.TCPListener), nil
}

// maxConnections leaves room for the database's files below the operating system's limit.
func maxConnections() int {
	const limit, spare = 16384, 128
	var files syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files); err != nil || files.Cur > limit+spare {
		return limit
	}
	return max(int(files.Cur)-spare, 64)
}

// newServer returns a server that limits what one connection can cost. Its listener must be a limitListener.
func newServer(handler http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       90 * time.Second,
		MaxHeaderBytes:    16 << 10,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return c.(*trackedConn).connContext(ctx) },
		ConnState:         markIdle,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),

		DisableGeneralOptionsHandler: true, // net/http would answer OPTIONS * without the frame
	}
}

// markIdle records that a connection waits for its next request.
func markIdle(c net.Conn, s http.ConnState) {
	if s == http.StateIdle {
		c.(*trackedConn).setIdle()
	}
}

// limitListener limits the number of open connections: a flood of connections must not use up the database's file descriptors.
// One client may have a quarter of the slots. When all are taken, the connection that has been idle longest is closed, or among many
// one that has been idle for longer than most.
// Its connections can still be half closed, which a refusal needs in order to arrive: closing a connection on which the
// client is still sending resets it, and the response may be lost.
type limitListener struct {
	*net.TCPListener
	slots     int
	clientOf  func(net.Addr) netip.Prefix // whose connection it is; the zero prefix if it is not counted
	onRefused func(closed int)            // gets, at most once a minute, how many were closed because their client had its share
	refused   refusals

	waiting atomic.Bool // an Accept waits for a slot, or is about to

	mu      sync.Mutex
	room    *sync.Cond // signaled when a connection is closed, or becomes idle while an Accept waits, and when the listener is closed
	closed  bool
	conns   map[*trackedConn]bool // every open connection
	clients *limit.Shares         // how many of them each client has
}

func newLimitListener(tcp *net.TCPListener, slots int, clientOf func(net.Addr) netip.Prefix, onRefused func(closed int)) *limitListener {
	l := &limitListener{
		TCPListener: tcp, slots: slots, clientOf: clientOf, onRefused: onRefused,
		conns: make(map[*trackedConn]bool), clients: limit.NewShares(slots),
	}
	l.room = sync.NewCond(&l.mu)
	return l
}

// peerClients returns a function that names the client of a connection.
func peerClients(counted func(netip.Addr) netip.Prefix) func(net.Addr) netip.Prefix {
	return func(remote net.Addr) netip.Prefix {
		peer, known := remote.(*net.TCPAddr)
		if !known {
			return netip.Prefix{}
		}
		return counted(peer.AddrPort().Addr())
	}
}

// countedClients returns a function that names the client of an address. Trusted proxies, exempt networks and this machine are
// not counted, because each of those may stand for many people.
func countedClients(uncounted ...netip.Prefix) func(netip.Addr) netip.Prefix {
	return func(address netip.Addr) netip.Prefix {
		address = address.Unmap().WithZone("")
		if address.IsLoopback() || slices.ContainsFunc(uncounted, func(n netip.Prefix) bool { return n.Contains(address) }) {
			return netip.Prefix{}
		}
		return limit.Of(address)
	}
}

// countedIn returns countedClients for the settings of a service.
func countedIn(s config.Settings) func(netip.Addr) netip.Prefix {
	return countedClients(slices.Concat(s.TrustedProxies, s.RateExempt)...)
}

// Accept waits for a connection, and then for a slot. It closes a connection whose client has its share.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.AcceptTCP()
		if err != nil {
			return nil, err
		}
		c := newTrackedConn(conn)
		c.client = l.clientOf(conn.RemoteAddr())
		c.onClose, c.onIdle = func() { l.remove(c) }, l.signalIdle
		added, err := l.add(c)
		if added {
			return c, nil
		}
		_ = conn.Close()
		if err != nil {
			return nil, err
		}
		l.reportRefused(time.Now())
	}
}

// add adds a connection, unless its client has its share. If all slots are taken, it closes an idle connection, or waits.
func (l *limitListener) add(c *trackedConn) (added bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clients.IsFull(c.client) {
		return false, nil
	}
	l.waiting.Store(true) // before it looks for an idle connection: one that becomes idle later signals
	defer l.waiting.Store(false)
	for len(l.conns) >= l.slots {
		if l.closed {
			return false, net.ErrClosed
		}
		if !l.closeLongestIdle() {
			l.room.Wait()
		}
	}
	l.clients.Add(c.client)
	l.conns[c] = true
	c.idleSince.Store(time.Now().UnixNano())
	return true, nil
}

// idleSample is how many idle connections are compared: looking at all of them for each new one would help whoever floods us.
const idleSample = 64

// longestIdle returns the connection that has been idle longest of a random sample, or nil if none is idle. The caller holds the lock.
func (l *limitListener) longestIdle() (longest *trackedConn, since int64) {
	found := 0
	for c := range l.conns { // in random order
		idle := c.idleSince.Load()
		if idle == 0 || c.poller.active() { // active: its next request came together with the last one
			continue
		}
		if longest == nil || idle < since {
			longest, since = c, idle
		}
		if found++; found == idleSample {
			break
		}
	}
	return longest, since
}

// closeLongestIdle closes an idle connection, if there is one. The caller holds the lock.
func (l *limitListener) closeLongestIdle() bool {
	for {
		c, since := l.longestIdle()
		if c == nil {
			return false
		}
		if hasUnreadData(c.TCPConn) { // its next request is here, and not read yet
			c.idleSince.CompareAndSwap(since, 0)
			continue
		}
		l.drop(c)
		c.poller.cancel()
		_ = c.TCPConn.Close()
		return true
	}
}

// signalIdle tells an Accept that waits for a slot that a connection is idle.
func (l *limitListener) signalIdle() {
	if l.waiting.Load() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.room.Signal()
	}
}

// remove frees the slot of a connection that was closed.
func (l *limitListener) remove(c *trackedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.conns[c] {
		return
	}
	l.drop(c)
	l.room.Signal()
}

// drop forgets an open connection. The caller holds the lock.
func (l *limitListener) drop(c *trackedConn) {
	delete(l.conns, c)
	l.clients.Remove(c.client)
}

// poll checks every connection for a client that disconnected while it waits for a response.
func (l *limitListener) poll() {
	l.mu.Lock()
	conns := slices.Collect(maps.Keys(l.conns))
	l.mu.Unlock()
	for _, c := range conns {
		c.poller.poll()
	}
}

// refusals counts the connections closed since the last call of onRefused.
type refusals struct {
	closed   int
	loggedAt time.Time
}

// reportRefused counts a connection that was closed because its client had its share. Under a flood it reports once a minute.
func (l *limitListener) reportRefused(now time.Time) {
	l.refused.closed++
	if now.Sub(l.refused.loggedAt) >= time.Minute {
		l.onRefused(l.refused.closed)
		l.refused = refusals{loggedAt: now}
	}
}

// Close also ends an Accept that waits for a slot.
func (l *limitListener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.room.Signal()
	l.mu.Unlock()
	return l.TCPListener.Close()
}

// trackedConn is an open connection of the listener. Closing it frees its slot. Its deadlines and its poller,
// in tracked_conn.go, are there for speed alone.
type trackedConn struct {
	*net.TCPConn
	client                      netip.Prefix // whose connection it is; zero if it is not counted
	onClose                     func()
	onIdle                      func()
	idleSince                   atomic.Int64 // when it began to wait for a request, in Unix nanoseconds; 0 while one arrives or is handled
	readDeadline, writeDeadline deadline
	poller                      disconnectPoller
}

func newTrackedConn(conn *net.TCPConn) *trackedConn {
	now := time.Now()
	return &trackedConn{
		TCPConn: conn, onClose: func() {}, onIdle: func() {}, poller: disconnectPoller{conn: conn, cancel: func() {}},
		readDeadline:  deadline{apply: conn.SetReadDeadline, connectedAt: now},
		writeDeadline: deadline{apply: conn.SetWriteDeadline, connectedAt: now},
	}
}

// connContext returns the context of all requests on the connection. It ends when the client no longer waits for the response.
func (c *trackedConn) connContext(ctx context.Context) context.Context {
	ctx, c.poller.cancel = context.WithCancel(ctx)
	return ctx
}

// setIdle records that the connection waits for the first byte of a request.
func (c *trackedConn) setIdle() {
	c.idleSince.Store(time.Now().UnixNano())
	c.onIdle()
}

func (c *trackedConn) Close() error {
	defer c.onClose()
	c.poller.cancel()
	return c.TCPConn.Close()
}

func (c *trackedConn) Read(b []byte) (int, error) {
	if c.poller.replaces(b, c.readDeadline.unset()) {
		return 0, nil
	}
	if err := c.readDeadline.start(); err != nil {
		return 0, err
	}
	defer c.readDeadline.finish()
	n, err := c.TCPConn.Read(b)
	if n > 0 {
		c.idleSince.Store(0)
	}
	return n, err
}

func (c *trackedConn) Write(b []byte) (int, error) {
	if err := c.writeDeadline.start(); err != nil {
		return 0, err
	}
	defer c.writeDeadline.finish()
	return c.TCPConn.Write(b)
}

func (c *trackedConn) SetDeadline(t time.Time) error {
	return errors.Join(c.readDeadline.set(t), c.writeDeadline.set(t))
}

func (c *trackedConn) SetReadDeadline(t time.Time) error { return c.readDeadline.set(t) }

func (c *trackedConn) SetWriteDeadline(t time.Time) error { return c.writeDeadline.set(t) }
