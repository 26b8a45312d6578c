package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// client is one connection: it sends a request, and waits for the answer before it sends another.
type client struct {
	fd      int
	request []byte
	vary    func(request []byte)
	due     time.Time // when its next request is to be sent, where that is fixed
	sent    time.Time

	head    []byte // of an answer that has not arrived as far as its body
	status  int    // of an answer whose head is there
	missing int    // bytes of that answer that are still to come
}

// dial connects without Go's own poller: what waits for answers is the crowd.
func dial(to netip.AddrPort, s shot) (*client, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	c := &client{fd: fd, request: slices.Clone(s.raw), vary: s.vary}
	if err := syscall.Connect(fd, &syscall.SockaddrInet4{Port: int(to.Port()), Addr: to.Addr().As4()}); err != nil {
		return c, err
	}
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1); err != nil {
		return c, err
	}
	return c, syscall.SetNonblock(fd, true)
}

// send writes the next request. It is far smaller than what a connection takes at once.
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

// receive reads what has arrived, and gives the answer's status when it is whole.
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
	return c.take(buffer[:n])
}

// take adds what has arrived to the answer.
func (c *client) take(part []byte) (status int, err error) {
	if c.status == 0 {
		c.head = append(c.head, part...)
		head := bytes.Index(c.head, []byte("\r\n\r\n")) + 4
		if head < 4 {
			return 0, nil
		}
		length, err := 0, error(nil)
		if c.status, length, err = readHead(c.head[:head]); err != nil {
			return 0, err
		}
		c.missing = head + length
		part, c.head = c.head, c.head[:0]
	}
	if c.missing -= len(part); c.missing > 0 {
		return 0, nil
	}
	if c.missing < 0 {
		return 0, errors.New("more than one answer to a request")
	}
	status, c.status = c.status, 0
	return status, nil
}

// readHead finds the status and how long the body is.
func readHead(head []byte) (status, length int, err error) {
	if len(head) < 12 {
		return 0, 0, errors.New("no status line")
	}
	if status, err = strconv.Atoi(string(head[9:12])); err != nil {
		return 0, 0, err
	}
	for line := range bytes.Lines(head) {
		if n := len(contentLength); len(line) > n && bytes.EqualFold(line[:n], contentLength) { // Node.js writes it small
			length, err = strconv.Atoi(string(bytes.TrimSpace(line[n:])))
			return status, length, err
		}
	}
	return 0, 0, errors.New("an answer of unknown length")
}
