// Package webhook sends one signed POST to a buyer, or to whom alerts go, following Standard Webhooks, and reports the outcome. Buyers choose
// the address, so the package keeps requests away from our own network: it checks each IP address when it is dialed. It
// also verifies the signatures of requests from buyers.
//
// It does not retry, follow redirects, use a proxy or interpret answers: that is up to the caller. It writes no log,
// and none of its texts contain what we sent.
package webhook

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"
)

const (
	attemptTimeout = 15 * time.Second // for connecting, sending, and reading the response with its body
	maxHeader      = 32 << 10
	maxAnswer      = 16 << 10
)

// Sender sends messages, and reuses connections to the buyers.
type Sender struct {
	agent     string
	private   bool
	timeout   time.Duration
	dialer    tls.Dialer
	transport *http.Transport
}

// New makes a sender with the given User-Agent. private permits addresses in our own network, http and any host name:
// for tests, and for operators whose buyers are in the same network.
func New(agent string, private bool) *Sender {
	s := &Sender{agent: agent, private: private, timeout: attemptTimeout}
	s.dialer.Config = &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	s.dialer.NetDialer = &net.Dialer{Timeout: attemptTimeout} // because net/http continues to dial after the attempt was canceled
	if !private {
		s.dialer.NetDialer.Control = guard.Safe // checks the resolved address when it is dialed
	}
	s.transport = &http.Transport{
		Proxy:          nil, // not from the environment either: a proxy would dial the address unchecked
		DialContext:    s.dial,
		DialTLSContext: s.dialTLS,
		Protocols:      new(http.Protocols),

		DisableCompression:     true, // the 16 KiB limit applies to bytes on the wire
		MaxResponseHeaderBytes: maxHeader,
		MaxIdleConnsPerHost:    256, // as many messages as the terms of a buyer may allow at once: none should wait for a handshake
		MaxConnsPerHost:        0,   // no limit: two buyers on one host must not wait for each other
		IdleConnTimeout:        time.Minute,
	}
	// Not HTTP/2, which would send all messages to a host over one connection: if it hangs, all hang. HTTP/2 also resends
	// a request by itself when a server asks for that, and does not report what was sent.
	s.transport.Protocols.SetHTTP1(true)
	return s
}

// Close closes idle connections. Those in use are closed when their attempts end.
func (s *Sender) Close() { s.transport.CloseIdleConnections() }

func (s *Sender) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	raw, err := s.dialer.NetDialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return newConn(raw, raw), nil
}

func (s *Sender) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	secure, err := s.dialer.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return newConn(secure, secure.(*tls.Conn).NetConn()), nil
}
