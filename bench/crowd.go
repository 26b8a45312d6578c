package main

import (
	"net/netip"
	"syscall"
	"time"
)

// crowd is a number of clients that one loop serves, without goroutines. Thousands of those, each with a timer, took so much of the
// two cores that a storm was weather of their own making.
type crowd struct {
	poll    int
	clients []*client
	ready   []syscall.EpollEvent
	buffer  []byte
}

// gather connects a crowd that sends the same shot.
func gather(address string, s shot, connections int) (*crowd, error) {
	to, err := netip.ParseAddrPort(address)
	if err != nil {
		return nil, err
	}
	c := &crowd{ready: make([]syscall.EpollEvent, 256), buffer: make([]byte, 64<<10)}
	if c.poll, err = syscall.EpollCreate1(syscall.EPOLL_CLOEXEC); err != nil {
		return nil, err
	}
	for i := range connections {
		x, err := dial(to, s)
		if x != nil {
			c.clients = append(c.clients, x)
		}
		if err == nil {
			err = syscall.EpollCtl(c.poll, syscall.EPOLL_CTL_ADD, x.fd, &syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(i)})
		}
		if err != nil {
			c.leave()
			return nil, err
		}
	}
	return c, nil
}

func (c *crowd) leave() {
	for _, x := range c.clients {
		syscall.Close(x.fd)
	}
	syscall.Close(c.poll)
}

// answers waits for as long as it may until some arrive, and tells of each that is whole.
func (c *crowd) answers(wait time.Duration, tell func(x *client, status int, now time.Time) error) error {
	n, err := syscall.EpollWait(c.poll, c.ready, int((wait+time.Millisecond-1)/time.Millisecond))
	if err == syscall.EINTR {
		return nil
	}
	if err != nil {
		return err
	}
	for _, event := range c.ready[:n] {
		x := c.clients[event.Fd]
		status, err := x.receive(c.buffer)
		if err != nil {
			return err
		}
		if status == 0 {
			continue
		}
		if err := tell(x, status, time.Now()); err != nil {
			return err
		}
	}
	return nil
}
