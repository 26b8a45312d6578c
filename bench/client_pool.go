package main

import (
	"net/netip"
	"syscall"
	"time"
)

// clientPool is a number of clients served by one loop, without goroutines. Thousands of goroutines, each with a timer,
// took so much of the two cores that they themselves caused the overload.
type clientPool struct {
	epollFD int
	clients []*client
	ready   []syscall.EpollEvent
	buffer  []byte
}

// newClientPool connects clients that all send the same request.
func newClientPool(address string, req loadRequest, connections int) (*clientPool, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	p := &clientPool{ready: make([]syscall.EpollEvent, 256), buffer: make([]byte, 64<<10)}
	if p.epollFD, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	for i := range connections {
		cl, err := dial(to, req)
		if cl != nil {
			p.clients = append(p.clients, cl)
		}
		if err == nil {
			err = syscall.EpollCtl(p.epollFD, syscall.EPOLL_CTL_ADD, cl.fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(i)})
		}
		if err != nil {
			p.close()
			return nil, err
		}
	}
	return p, nil
}

func (p *clientPool) close() {
	for _, cl := range p.clients {
		syscall.Close(cl.fd)
	}
	syscall.Close(p.epollFD)
}

// poll waits at most this long for answers, and calls handle for each complete one.
func (p *clientPool) poll(wait time.Duration, handle func(cl *client, status int, now time.Time) error) error {
	n, err := syscall.EpollWait(p.epollFD, p.ready, int((wait+time.Millisecond-1)/time.Millisecond))
	if err == syscall.EINTR {
		return nil
	}
	if err != nil {
		return err
	}
	for _, event := range p.ready[:n] {
		cl := p.clients[event.Fd]
		status, err := cl.receive(p.buffer)
		if err != nil {
			return err
		}
		if status == 0 {
			continue
		}
		if err := handle(cl, status, time.Now()); err != nil {
			return err
		}
	}
	return nil
}
