package main

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// client is one connection: it sends a request, and waits for the answer before it sends another.
type client struct {
	fd      int
	request []byte
	vary    func(request []byte)
	due     time.Time // when to send the next request, in an open loop
	sent    time.Time
	reply   reply
}

// dial connects without Go's own poller: clientPool polls for answers.
func dial(to netip.AddrPort, req loadRequest) (*client, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &client{fd: fd, request: slices.Clone(req.raw), vary: req.vary}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		return c, err
	}
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1); err != nil {
		return c, err
	}
	return c, syscall.SetNonblock(fd, true)
}

// send writes the next request, which is far smaller than the socket's buffer.
func (c *client) send(now time.Time) error {
	if c.vary != nil {
		c.vary(c.request)
	}
	c.sent = now
	n, err := syscall.Write(c.fd, c.request)
	if err == nil && n < len(c.request) {
		err = fmt.Errorf("%d of %d bytes were sent", n, len(c.request))
	}
	return err
}

// receive reads what has arrived, and returns the status once the answer is complete.
func (c *client) receive(buffer []byte) (status int, err error) {
	n, err := syscall.Read(c.fd, buffer)
	switch {
	case err == syscall.EAGAIN || err == syscall.EINTR:
		return 0, nil
	case err != nil:
		return 0, err
	case n == 0:
		return 0, errors.New("the server hung up")
	}
	return c.reply.add(buffer[:n])
}
