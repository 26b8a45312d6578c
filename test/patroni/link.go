package patroni

import (
	"fmt"
	"net"
	"sync"
)

// link carries connections to a port of this machine. While it is cut, nothing arrives and no connection ends, as between two
// machines whose cable is out. What was sent meanwhile arrives afterwards.
type link struct {
	listener net.Listener
	target   string
	mu       sync.Mutex
	flows    chan struct{} // closed while the link carries
	closed   chan struct{}
	open     map[net.Conn]bool
	all      sync.WaitGroup
}

func newLink(port int) (*link, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	l := &link{
		listener: listener, target: fmt.Sprintf("127.0.0.1:%d", port),
		flows: make(chan struct{}), closed: make(chan struct{}), open: make(map[net.Conn]bool),
	}
	close(l.flows)
	l.all.Go(l.accept)
	return l, nil
}

func (l *link) address() string { return l.listener.Addr().String() }

func (l *link) accept() {
	for {
		from, err := l.listener.Accept()
		if err != nil {
			return
		}
		l.all.Go(func() { l.connect(from) })
	}
}

func (l *link) connect(from net.Conn) {
	defer l.forget(from)
	if !l.keep(from) || !l.wait() {
		return
	}
	to, err := net.Dial("tcp4", l.target)
	if err != nil {
		return
	}
	defer l.forget(to)
	if !l.keep(to) {
		return
	}
	back := make(chan struct{})
	go func() { l.carry(from, to); close(back) }()
	l.carry(to, from)
	<-back
}

// carry moves bytes until one side ends the connection, and then tells the other, once the link carries.
func (l *link) carry(from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if !l.wait() {
			return
		}
		if n > 0 {
			if _, failed := to.Write(buffer[:n]); failed != nil {
				err = failed
			}
		}
		if err != nil {
			_, _ = from.Close(), to.Close()
			return
		}
	}
}

// wait waits until the link carries. It returns false if the link is closed.
func (l *link) wait() bool {
	for {
		l.mu.Lock()
		flows := l.flows
		l.mu.Unlock()
		select {
		case <-l.closed:
			return false
		case <-flows:
			return true
		}
	}
}

func (l *link) keep(c net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.closed:
		return false
	default:
		l.open[c] = true
		return true
	}
}

func (l *link) forget(c net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, c)
	_ = c.Close()
}

func cutAll(links []*link) (heal func()) {
	for _, l := range links {
		l.mu.Lock()
		l.flows = make(chan struct{})
		l.mu.Unlock()
	}
	return sync.OnceFunc(func() {
		for _, l := range links {
			l.mu.Lock()
			close(l.flows)
			l.mu.Unlock()
		}
	})
}

func (l *link) close() {
	if l == nil {
		return
	}
	_ = l.listener.Close()
	l.mu.Lock()
	close(l.closed)
	for c := range l.open {
		_ = c.Close()
	}
	l.mu.Unlock()
	l.all.Wait()
}
